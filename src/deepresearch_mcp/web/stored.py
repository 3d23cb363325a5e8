"""The web as far as it was read before: nothing is fetched."""

from deepresearch_mcp.exceptions import FetchRefused
from deepresearch_mcp.ports.documents import Documents
from deepresearch_mcp.records.sources import Document
from deepresearch_mcp.text.urls import normalise_url


class Stored:
    """Implements `ports.web.Web` from the latest stored reading of each address, however old it is."""

    def __init__(self, documents: Documents) -> None:
        self._documents = documents

    async def fetch(self, url: str, *, needs: tuple[str, ...] = ()) -> Document:
        """See `Web.fetch`; an address that was never read is `off_limits`."""
        del needs
        found = await self._documents.cached(normalise_url(url))
        document = await self._documents.load(found[0]) if found else None
        if document is None:
            raise FetchRefused(url, "off_limits", "It was not read before, and nothing was to be fetched.")
        return document
