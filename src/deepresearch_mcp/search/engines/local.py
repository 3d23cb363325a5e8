"""Searches collections of local documents."""

from typing import Self

from typing_extensions import override

from deepresearch_mcp.ports.documents import Collections
from deepresearch_mcp.ports.search import SearchEngine
from deepresearch_mcp.records.conditions import condition_in
from deepresearch_mcp.records.sources import Hit, Query
from deepresearch_mcp.search.parts import EngineParts


class Local(SearchEngine):
    """Full-text search in the collections that a query names, and no others."""

    def __init__(self, collections: Collections) -> None:
        self._collections = collections

    @classmethod
    def from_parts(cls, parts: EngineParts) -> Self:
        """Make the engine from the registry's parts."""
        return cls(parts.collections)

    @property
    @override
    def name(self) -> str:
        return "local"

    @override
    async def search(self, query: Query, *, needs: tuple[str, ...] = ()) -> list[Hit]:
        """Return an empty list for a query that names no collection.

        Raises:
            UnknownCollection: A named collection does not exist.
        """
        del needs
        if not query.collections:
            return []
        where = [one for written in query.where if (one := condition_in(written))]
        hits = await self._collections.search(query.collections, query.text, query.limit, where)
        return [found.model_copy(update={"engines": (self.name,)}) for found in hits]
