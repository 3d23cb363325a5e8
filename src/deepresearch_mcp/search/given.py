"""An engine over the pages that a request names itself."""

from collections.abc import Mapping, Sequence

from typing_extensions import override

from deepresearch_mcp.ports.search import SearchEngine
from deepresearch_mcp.records.sources import Hit, Query
from deepresearch_mcp.search.rows import hit


class GivenPages(SearchEngine):
    """Answers every query with the pages of the request, in the request's order: the user has chosen them.

    Those whose titles share words with the query come first. It asks nobody and costs nothing.
    """

    def __init__(self, urls: Sequence[str], titles: Mapping[str, str] | None = None) -> None:
        """`titles` are those that are known, by address."""
        known = titles or {}
        self._hits = [hit(self.name, url, known.get(url, ""), "") for url in dict.fromkeys(urls)]

    @property
    @override
    def name(self) -> str:
        return "given"

    @override
    async def search(self, query: Query, *, needs: tuple[str, ...] = ()) -> list[Hit]:
        """Return all pages, on the first page of hits alone, whatever the limit."""
        del needs
        if query.page > 1:
            return []
        words = set(query.text.casefold().split())
        return sorted(self._hits, key=lambda one: -len(words & set(one.title.casefold().split())))
