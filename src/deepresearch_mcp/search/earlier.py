"""The pages of an earlier run as a search engine: a follow-up run starts from them."""

from typing_extensions import override

from deepresearch_mcp.ports.documents import Documents
from deepresearch_mcp.ports.search import SearchEngine
from deepresearch_mcp.records.sources import Hit, Query

_MOST_PASSAGES = 60
"""Passages fetched for a query; several of one page make one hit."""
_SNIPPET = 300
"""Characters."""


class Earlier(SearchEngine):
    """Full-text search in the pages that one run has read."""

    def __init__(self, documents: Documents, run_id: str) -> None:
        self._documents = documents
        self._run_id = run_id

    @property
    @override
    def name(self) -> str:
        return "earlier"

    @override
    async def search(self, query: Query, *, needs: tuple[str, ...] = ()) -> list[Hit]:
        """A page ranks by its best passage."""
        del needs
        hits: dict[str, Hit] = {}
        for found in await self._documents.search(query.text, run_id=self._run_id, limit=_MOST_PASSAGES):
            snippet = " ".join(found.text.split())[:_SNIPPET]
            hits.setdefault(
                found.url,
                Hit(url=found.url, title=found.title, snippet=snippet, score=found.score, engines=(self.name,)),
            )
        return list(hits.values())[: query.limit]
