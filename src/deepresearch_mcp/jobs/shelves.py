"""Searches what is stored, best passages first."""

from collections.abc import Collection

from deepresearch_mcp.ports.documents import Documents, FoundPassage
from deepresearch_mcp.text.ranking import query_coverage

ENOUGH = 0.5
"""A passage with this share of the query's words comes first: full text finds passages with any one word."""
_WIDER = 4
"""Candidates for each passage that is wanted: those with many of the words may rank lower."""


async def look_up(
    documents: Documents, query: str, *, collections: Collection[str] | None = None, limit: int
) -> list[FoundPassage]:
    """Search for the best passages, at most `limit`: those with half of the query's words first, each group as found.

    Those with fewer are kept. An answer may use other forms of the words than the question, above all in languages with
    many endings or without blanks, where this count knows too little.

    `collections` are those to look in; None: all, and every page that a run has read.
    """
    found = await documents.search(query, collections=collections, limit=limit * _WIDER)
    return sorted(found, key=lambda one: query_coverage(query, f"{one.title}\n{one.text}") < ENOUGH)[:limit]
