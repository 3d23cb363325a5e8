"""Prepares the words of texts and queries for full-text search."""

import re

from deepresearch_mcp.text.language import guess
from deepresearch_mcp.text.stopwords import STOPWORDS

_MOST_WORDS = 64
"""Most words of a query; more cost time without adding meaning."""
_UNSPACED = re.compile("[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]+")
"""Thai, kana and Han: scripts without spaces between words."""
_WORD = re.compile(r"\w+")


def searchable(text: str) -> str:
    """The text as indexed: case-folded, with scripts without spaces split into overlapping pairs of characters.

    Removing a passage from the index needs the identical form, so a change here requires a migration that rebuilds the
    index.
    """
    return text if text.isascii() else _UNSPACED.sub(_pairs, text.casefold())


def query_words(text: str) -> list[str]:
    """The distinct words of a query, without stopwords unless it has no others."""
    found = list(dict.fromkeys(_WORD.findall(searchable(text).casefold())))
    stop = STOPWORDS["en"] | STOPWORDS.get(guess(text), frozenset())
    return ([word for word in found if word not in stop] or found)[:_MOST_WORDS]


def only_begins(word: str) -> bool:
    """Whether a query word must match by prefix: one character of a script that is indexed in pairs."""
    return len(word) == 1 and _UNSPACED.fullmatch(word) is not None


def first_word(query: str, text: str) -> int:
    """Offset of the first query word that occurs literally in a text; 0 if none does."""
    folded = text.lower() if len(text.lower()) == len(text) else text
    places = (folded.find(word) for word in query_words(query))
    return min((place for place in places if place >= 0), default=0)


def _pairs(run: re.Match[str]) -> str:
    text = run.group()
    return " " + " ".join(text[at : at + 2] for at in range(max(1, len(text) - 1))) + " "
