"""The web, as the rest reads it."""

from typing import Protocol

from deepresearch_mcp.records.sources import Document


class Screener(Protocol):
    """Screens whole texts in a process that can be killed."""

    async def screened(self, document: Document) -> Document:
        """Screen a document; one that this version has screened is returned unchanged.

        Raises:
            FetchFailed: Its text takes too long to search; it is not to be read.
        """
        ...


class Web(Protocol):
    """Fetches and reads one page or file at a time."""

    async def fetch(self, url: str, *, needs: tuple[str, ...] = ()) -> Document:
        """Read what stands at `url`: its main text, as Markdown.

        `needs` are keys of the steps the address came from, for the journal.

        Raises:
            FetchRefused: By the guard, robots.txt, an open circuit.
            FetchFailed: It could not be fetched or parsed; `reason` says why.
            BudgetExceeded: (metered) `max_pages` is met.
        """
        ...
