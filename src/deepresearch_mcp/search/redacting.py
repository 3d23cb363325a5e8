"""Masks personal data in what engines return, before it is stored, shown or put into a report."""

from collections.abc import Collection, Sequence

from typing_extensions import override

from deepresearch_mcp.ports.search import SearchEngine
from deepresearch_mcp.records.sources import Hit, Query
from deepresearch_mcp.search.metering import EngineWrapper
from deepresearch_mcp.text.redaction import redacted


class RedactingEngine(EngineWrapper):
    """An engine whose hits hold no personal data of the given kinds in titles and snippets."""

    def __init__(self, engine: SearchEngine, kinds: Collection[str]) -> None:
        super().__init__(engine)
        self._kinds = kinds

    @override
    async def search(self, query: Query, *, needs: tuple[str, ...] = ()) -> list[Hit]:
        return list(redacted_hits(await self._engine.search(query, needs=needs), self._kinds))


def redacted_hits(hits: Sequence[Hit], kinds: Collection[str]) -> tuple[Hit, ...]:
    """Return the hits with personal data of these kinds masked in titles and snippets.

    Addresses stay: the pages would not be found under others.
    """
    if not kinds:
        return tuple(hits)
    return tuple(
        hit.model_copy(update={"title": redacted(hit.title, kinds), "snippet": redacted(hit.snippet, kinds)})
        for hit in hits
    )
