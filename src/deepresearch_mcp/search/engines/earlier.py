"""Searches the pages of an earlier run, from which a follow-up run starts."""

from typing_extensions import override

from deepresearch_mcp.ports.documents import Documents
from deepresearch_mcp.ports.search import SearchEngine
from deepresearch_mcp.records.sources import Hit, Query

_MOST_PASSAGES = 60
"""Passages fetched per query; all passages of a page make one hit."""
_SNIPPET = 300
"""Most characters of a snippet."""


class Earlier(SearchEngine):
    """Full-text search in the pages that one earlier run has read."""

    def __init__(self, documents: Documents, run_id: str) -> None:
        self._documents = documents
        self._run_id = run_id

    @property
    @override
    def name(self) -> str:
        return "earlier"

    @override
    async def search(self, query: Query, *, needs: tuple[str, ...] = ()) -> list[Hit]:
        """Return one hit per page, ranked by its best passage."""
        del needs
        hits: dict[str, Hit] = {}
        for found in await self._documents.search_run(self._run_id, query.text, limit=_MOST_PASSAGES):
            snippet = " ".join(found.text.split())[:_SNIPPET]
            hits.setdefault(
                found.url,
                Hit(url=found.url, title=found.title, snippet=snippet, score=found.score, engines=(self.name,)),
            )
        return list(hits.values())[: query.limit]
