"""Words of texts and of queries, in the form in which full-text search knows them."""

import re

from deepresearch_mcp.text.language import guess
from deepresearch_mcp.text.stopwords import STOPWORDS

_MOST_WORDS = 64
"""Of a query; more add time, not meaning."""
_UNSPACED = re.compile("[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]+")
"""Thai, kana and Han: scripts in which no space ends a word."""
_WORD = re.compile(r"\w+")


def searchable(text: str) -> str:
    """The text as it is indexed: folded, and scripts without spaces as overlapping pairs of characters.

    Only the same form takes a passage out of the index: who changes it must index everything anew, in a migration.
    """
    return text if text.isascii() else _UNSPACED.sub(_pairs, text.casefold())


def query_words(text: str) -> list[str]:
    """The words of a query that tell something, each once: stopwords are left out where others remain."""
    found = list(dict.fromkeys(_WORD.findall(searchable(text).casefold())))
    stop = STOPWORDS["en"] | STOPWORDS.get(guess(text), frozenset())
    return ([word for word in found if word not in stop] or found)[:_MOST_WORDS]


def only_begins(word: str) -> bool:
    """Whether a word of a query is in the index only as the beginning of others: one character of such a script."""
    return len(word) == 1 and _UNSPACED.fullmatch(word) is not None


def first_word(query: str, text: str) -> int:
    """Where the first word of the query stands in a text; 0 where none stands as it is written."""
    folded = text.lower() if len(text.lower()) == len(text) else text
    places = (folded.find(word) for word in query_words(query))
    return min((place for place in places if place >= 0), default=0)


def _pairs(run: re.Match[str]) -> str:
    text = run.group()
    return " " + " ".join(text[at : at + 2] for at in range(max(1, len(text) - 1))) + " "
