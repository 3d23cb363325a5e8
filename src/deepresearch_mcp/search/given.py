"""The request's own pages, as an engine that finds them for every query."""

from collections.abc import Sequence

from typing_extensions import override

from deepresearch_mcp.ports.search import SearchEngine
from deepresearch_mcp.records.sources import Hit, Query

GIVEN = "given"


class GivenPages(SearchEngine):
    """Stands in for the engines of a run that reads the pages of its request and searches nothing."""

    def __init__(self, urls: Sequence[str]) -> None:
        self._urls = tuple(urls)

    @property
    @override
    def name(self) -> str:
        return GIVEN

    @override
    async def search(self, query: Query, *, needs: tuple[str, ...] = ()) -> list[Hit]:
        """Return all pages in their order, whatever the query and its limit."""
        del query, needs
        return [Hit(url=url, engines=(self.name,)) for url in self._urls]
