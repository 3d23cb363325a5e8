"""The quotes that stand below the entry of a source in the references of our own reports."""

import re
from collections.abc import Sequence

from deepresearch_mcp.text.addresses import first_address

_LINE = re.compile(r"[ \t]+[-*+][ \t]+(?=[a-z]{1,2}[ \t]+[“\"])")
_QUOTE = re.compile(
    r"(?P<letter>[a-z]{1,2})[ \t]+[“\"](?P<words>.*?)\[↗\]\((?P<url><[^<>\n]*>)\)(?:[ \t]+·[ \t]+|[ \t]*\Z)"
)
"""A letter, the words, and where they stand. No words of a page end it early, since their brackets are escaped."""


def is_own_quote(line: str) -> bool:
    """Whether a line holds such quotes, one or several: a letter, the words, and where they stand."""
    return bool(_LINE.match(line))


def own_quotes(key: str, below: Sequence[str]) -> list[tuple[str, str]]:
    """The letters and addresses of the quotes below an entry; empty where anything else stands there too."""
    found = [one for line in below for one in _quotes(line)] if key.isdigit() else []
    return found if all(url for _, url in found) else []


def _quotes(line: str) -> list[tuple[str, str]]:
    """The quotes of a line; one without an address if anything else stands in it."""
    begin = _LINE.match(line)
    found: list[tuple[str, str]] = []
    at = begin.end() if begin else 0
    while begin and at < len(line):
        quote = _QUOTE.match(line, at)
        if quote is None:
            break
        found.append((quote["letter"], first_address(quote["url"])))
        at = quote.end()
    return found if found and at == len(line) else [("", "")]
