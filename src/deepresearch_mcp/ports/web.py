"""The port of the web."""

from typing import Protocol

from deepresearch_mcp.records.sources import Document


class Screener(Protocol):
    """Screens whole texts for injected instructions, in a process that can be killed."""

    async def screened(self, document: Document) -> Document:
        """Screen a document; return it unchanged if this version has already screened it.

        Raises:
            FetchFailed: Screening the text takes too long; the document must not be read.
        """
        ...


class Web(Protocol):
    """Fetches and reads one page or file at a time."""

    async def fetch(self, url: str, *, needs: tuple[str, ...] = ()) -> Document:
        """Read the page or file at `url`: its main text, as Markdown.

        `needs` are the journal keys of the steps that the address came from.

        Raises:
            FetchRefused: The guard, robots.txt or an open circuit forbids the fetch.
            FetchFailed: The page could not be fetched or parsed; `reason` says why.
            BudgetExceeded: (metered) `max_pages` is met.
        """
        ...
