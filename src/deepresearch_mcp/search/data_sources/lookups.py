"""What adapters of registers share: queries in few words, and hits without repetition."""

import re
from collections.abc import Awaitable, Callable, Sequence
from typing import Final, TypeVar

from deepresearch_mcp.records.sources import Hit
from deepresearch_mcp.search.limits import first_words
from deepresearch_mcp.text.keywords import keywords

FEW: Final = (7, 3)
"""Most search terms of the first try, and of the second. Registers look for records that hold every word."""

_SYNTAX = re.compile(r"[\"“”()\[\]{}:^~*?!|<>=\\]|(?<!\S)-+")
"""Signs with a meaning in queries of some register: fields, ranges, wildcards, negation."""

FoundT = TypeVar("FoundT")


async def in_few_words(text: str, search: Callable[[str], Awaitable[list[FoundT]]]) -> list[FoundT]:
    """Search with the terms that matter most, and once more with fewer of them if nothing was found.

    Raises:
        ProviderError: What `search` raises.
    """
    asked = ""
    for most in FEW:
        words = few_words(text, most)
        if words == asked:
            break
        if found := await search(words):
            return found
        asked = words
    return []


def few_words(text: str, most: int) -> str:
    """Return at most `most` search terms of a query, in its order and without signs of query languages.

    A query of stopwords alone keeps its words.
    """
    return first_words(_SYNTAX.sub(" ", " ".join(keywords(text, most)) or text), 200)


def each_once(hits: Sequence[Hit]) -> list[Hit]:
    """Return the hits in order, of each address the first."""
    unique: dict[str, Hit] = {}
    for one in hits:
        unique.setdefault(one.url, one)
    return list(unique.values())
