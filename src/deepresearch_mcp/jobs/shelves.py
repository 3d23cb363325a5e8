"""Looking a query up in what is stored: passages that hold many of its words first."""

from collections.abc import Collection

from deepresearch_mcp.ports.documents import Documents, FoundPassage
from deepresearch_mcp.text.ranking import query_coverage

ENOUGH = 0.5
"""Share of a query's words from which on a passage comes before those with fewer: full text finds any with any word."""
_WIDER = 4
"""Passages looked at for each that is wanted: those with many of the words may stand further down."""


async def look_up(
    documents: Documents, query: str, *, collections: Collection[str] | None = None, limit: int
) -> list[FoundPassage]:
    """The best passages for a query, at most `limit`: those with half of its words first, each group as it was found.

    Those with fewer are kept. An answer may use other forms of the words than the question, above all in languages
    with many endings or without blanks, where this count knows too little.

    `collections` are those to look in; None: all, and every page that a run has read.
    """
    found = await documents.search(query, collections=collections, limit=limit * _WIDER)
    return sorted(found, key=lambda one: query_coverage(query, f"{one.title}\n{one.text}") < ENOUGH)[:limit]
