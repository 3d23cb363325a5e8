"""Masks personal data in what engines return, before it is stored, shown or put into a report."""

from collections.abc import Sequence

from typing_extensions import override

from deepresearch_mcp.ports.masking import Masker
from deepresearch_mcp.ports.search import SearchEngine
from deepresearch_mcp.records.sources import Hit, Query
from deepresearch_mcp.search.metering import EngineWrapper


class RedactingEngine(EngineWrapper):
    """An engine whose hits hold no personal data in titles and snippets."""

    def __init__(self, engine: SearchEngine, masker: Masker) -> None:
        super().__init__(engine)
        self._masker = masker

    @override
    async def search(self, query: Query, *, needs: tuple[str, ...] = ()) -> list[Hit]:
        return list(await redacted_hits(await self._engine.search(query, needs=needs), self._masker))


async def redacted_hits(hits: Sequence[Hit], masker: Masker | None) -> tuple[Hit, ...]:
    """Return the hits with personal data masked in titles and snippets.

    Addresses stay: the pages would not be found under others.
    """
    if masker is None:
        return tuple(hits)
    words = await masker.masked([text for hit in hits for text in (hit.title, hit.snippet)])
    return tuple(
        hit.model_copy(update={"title": title, "snippet": snippet})
        for hit, title, snippet in zip(hits, words[::2], words[1::2], strict=True)
    )
