"""Measures how much one text copies from another, and finds the origins that a text names."""

import re

from deepresearch_mcp.text.keywords import words

_RUN = 8
"""Consecutive words that two authors do not share by chance."""


def copied(one: str, other: str) -> int:
    """Count the words of `one` that also stand in `other`, in runs of eight words or more.

    Case, punctuation and Markdown are ignored; a changed word splits a run. In scripts without spaces, pairs of
    characters count as words.
    """
    mine, theirs = words(one), words(other)
    there = {tuple(theirs[at : at + _RUN]) for at in range(len(theirs) - _RUN + 1)}
    total = reached = 0
    for at in range(len(mine) - _RUN + 1):
        if tuple(mine[at : at + _RUN]) in there:
            total += at + _RUN - max(at, reached)
            reached = at + _RUN
    return total


_AGENCIES = (
    "reuters", "associated press", "ap", "afp", "agence france-presse", "dpa", "upi", "pa media", "efe", "ansa",
    "ria novosti", "tass", "xinhua", "kyodo", "pti", "bloomberg", "pr newswire", "prnewswire", "business wire",
    "businesswire", "globenewswire", "globe newswire", "accesswire", "marketwired", "newsfile", "eurekalert",
)  # fmt: skip
_SPELLINGS = {
    "ap": "associated press", "agence france-presse": "afp", "prnewswire": "pr newswire",
    "businesswire": "business wire", "globe newswire": "globenewswire",
}  # fmt: skip
_NAME = r"(?P<name>[^\W\d_a-z][\w&.'’-]*(?:\s+(?:of\s+|the\s+|for\s+|and\s+)?[^\W\d_a-z][\w&.'’-]*){0,4})"
_SAID_TO = re.compile(
    rf"(?:(?i:according to|as (?:first )?reported by|reported by|citing|(?:press|news) release (?:by|from|of)|"
    rf"statement (?:by|from|of)|provided by|distributed by|(?:source|via|credit)\s*:)\s+(?:(?i:the)\s+)?){_NAME}"
)
_DATELINE = re.compile(
    rf"(?:[(/—–-]\s*(?P<agency>{'|'.join(map(re.escape, sorted(_AGENCIES, key=len, reverse=True)))})\s*[)/—–-])",
    re.IGNORECASE,
)


def origins(text: str) -> frozenset[str]:
    """Return the origins that a text names for its words, casefolded.

    These are names after "according to …", "Source: …" or "press release by …", and agency marks such as "(Reuters) -".
    """
    found = [match["name"] for match in _SAID_TO.finditer(text)]
    found += [match["agency"] for match in _DATELINE.finditer(text)]
    plain = (" ".join(name.casefold().rstrip(".").split()) for name in found)
    return frozenset(_SPELLINGS.get(name, name) for name in plain)
