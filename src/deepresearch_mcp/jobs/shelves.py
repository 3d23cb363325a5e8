"""Looking a query up in what is stored: passages that hold enough of its words, best first."""

from collections.abc import Collection

from deepresearch_mcp.ports.documents import Documents, FoundPassage
from deepresearch_mcp.text.ranking import coverage

ENOUGH = 0.5
"""Share of a query's words that a passage must hold: full text finds any passage with any of them."""
_WIDER = 4
"""Passages looked at for each that is wanted: those with few of the words are passed over."""


async def look_up(
    documents: Documents, query: str, *, collections: Collection[str] | None = None, limit: int
) -> list[FoundPassage]:
    """The best passages for a query, at most `limit`; none where nothing stored holds half of its words.

    `collections` are those to look in; None: all, and every page that a run has read.
    """
    found = await documents.search(query, collections=collections, limit=limit * _WIDER)
    return [one for one in found if coverage(query, f"{one.title}\n{one.text}") >= ENOUGH][:limit]
