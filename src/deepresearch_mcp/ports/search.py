"""The port of a search engine."""

from typing import Protocol, runtime_checkable

from deepresearch_mcp.records.sources import Hit, Query


class SearchEngine(Protocol):
    """One engine, or a wrapper around another."""

    @property
    def name(self) -> str:
        """The name as in the settings and in the report."""
        ...

    async def search(self, query: Query, *, needs: tuple[str, ...] = ()) -> list[Hit]:
        """Ask once; return the hits, best first. An empty list means that the engine found nothing.

        `needs` are the journal keys of the steps that the query came from.

        Raises:
            ProviderError: The engine could not be asked, or its answer could not be read.
            BudgetExceeded: (metered) `max_searches` is met.
        """
        ...


@runtime_checkable
class AsksAgain(Protocol):
    """An engine that makes a failed attempt at a query again."""

    def failure(self, query: Query) -> str:
        """Return why the last attempt at a query failed that is being made again; "" if none failed."""
        ...
