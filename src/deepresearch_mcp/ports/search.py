"""A search engine, as the rest asks it."""

from typing import Protocol

from deepresearch_mcp.records.sources import Hit, Query


class SearchEngine(Protocol):
    """One engine, or a wrapper around another."""

    @property
    def name(self) -> str:
        """As in settings and in the report."""
        ...

    async def search(self, query: Query, *, needs: tuple[str, ...] = ()) -> list[Hit]:
        """Ask once; best hit first; an empty list means that nothing was found.

        `needs` are keys of the steps the query came from, for the journal.

        Raises:
            ProviderError: The engine could not be asked, or its answer not read.
            BudgetExceeded: (metered) `max_searches` is met.
        """
        ...
