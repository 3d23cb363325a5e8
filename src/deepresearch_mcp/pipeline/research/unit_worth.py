"""How much a piece of a page is worth to a reader before it is ranked: lists of names and links state little."""

import re

from deepresearch_mcp.text.passages import headings_of
from deepresearch_mcp.text.reference_lists import is_reference_list

_LISTED = 0.25
"""A list of references, or a menu, an index or a site map: it has every word of a subject and states nothing."""
_CHANGES = 0.6
"""A list of changes: each of its entries is short, and most are about something else."""
_CODE = 0.5
"""Source code, where a reader seeks what is said about it."""

_CHANGE_LIST = re.compile(
    r"\b(?:release notes?|change ?logs?|(?:recent|latest) (?:news|changes)|version history|changes in|what[’']s new)\b",
    re.IGNORECASE,
)
_CODE_PAGE = re.compile(r"\bsource code (?:for|of)\b", re.IGNORECASE)
_CODE_ADDRESS = re.compile(r"/(?:_modules|_sources?|blob|src)/|\.(?:py|c|h|js|ts|go|rs|java|rb|cpp)(?:\.html?)?$")
_APART = re.compile(r"^[ \t]*\|.*$|^([ \t]*(?:```|~~~)).*?(?:^\1|\Z)", re.MULTILINE | re.DOTALL)
_LATIN = re.compile(r"[^\W\d_]+")
_ENDED = re.compile(r"[.!?:;](?=[\s)\]\"”’»*]|$)")
_FEWEST = 40
_A_SENTENCE = 45
"""Words for each end of a sentence or clause, from which text is a list of names."""


def worth_of(address: str, title: str, heading: str, text: str) -> float:
    """The share of its score that a piece of a page keeps: 1 for most."""
    if is_reference_list(heading, text) or is_menu(text):
        return _LISTED
    above = " ".join((title, *headings_of(heading)[:1]))
    if _CODE_PAGE.search(above) or _CODE_ADDRESS.search(address):
        return _CODE
    return _CHANGES if _CHANGE_LIST.search(title) else 1.0


def is_menu(text: str) -> bool:
    """Whether a text is a long list of names without a sentence. Tables and listings are left out of account."""
    running = _APART.sub(" ", text)
    words = _LATIN.findall(running)
    if len(words) < _FEWEST or sum(map(str.isascii, words)) < len(words) / 2:
        return False
    return len(words) > _A_SENTENCE * max(1, len(_ENDED.findall(running)))
