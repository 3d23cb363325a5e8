"""The ceilings of a run in words for its reader."""

from collections.abc import Mapping
from types import MappingProxyType

_WORDS: Mapping[str, str] = MappingProxyType(
    {
        "max_tokens": "the token limit",
        "max_usd": "the cost limit",
        "max_minutes": "the time limit",
        "max_searches": "the search limit",
        "max_pages": "the page limit",
    }
)


def limit_words(ceiling: str) -> str:
    """`the token limit` for `max_tokens`; any other name stays as it is."""
    return _WORDS.get(ceiling, ceiling)


def limit_in(text: str) -> str:
    """The limit that a message names, in words; "" if it names none."""
    return next((words for name, words in _WORDS.items() if name in text), "")
