"""The engines that are one request, answered by rows."""

from abc import abstractmethod
from dataclasses import replace

from typing_extensions import override

from deepresearch_mcp.records.sources import Hit, Query
from deepresearch_mcp.search.errors import provider_errors
from deepresearch_mcp.search.http_engine import ApiRequest, HttpEngine, NothingFound


class ApiEngine(HttpEngine):
    """A service that is asked once for a page of hits. A subclass translates the query, and the answer to hits."""

    @override
    async def search(self, query: Query, *, needs: tuple[str, ...] = ()) -> list[Hit]:
        """Return no hit, without a request, if the service cannot be asked for this page of hits."""
        del needs
        asked = self._request(query)
        if asked is None:
            return []
        try:
            body = await self._answer(replace(asked, headers={"Accept": "application/json", **asked.headers}))
        except NothingFound:
            return []
        with provider_errors(self.name):
            return self._hits(query, body)[: query.limit]

    @abstractmethod
    def _request(self, query: Query) -> ApiRequest | None:
        """Return the request; None if the service has no such page of hits, or if the filters exclude its site."""
        ...

    @abstractmethod
    def _hits(self, query: Query, body: bytes) -> list[Hit]:
        """Read an answer; see `provider_errors` for what may be raised."""
        ...
