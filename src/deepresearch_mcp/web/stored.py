"""The web as far as it was read before."""

from typing_extensions import override

from deepresearch_mcp.exceptions import FetchRefused
from deepresearch_mcp.ports.clock import Clock
from deepresearch_mcp.ports.documents import Documents
from deepresearch_mcp.ports.web import Web
from deepresearch_mcp.records.sources import Document, DocumentCard
from deepresearch_mcp.text.urls import normalise_url


class StoredWeb(Web):
    """Implements `ports.web.Web` from the latest stored reading of each address, however old it is."""

    def __init__(self, documents: Documents) -> None:
        self._documents = documents

    @override
    async def fetch(self, url: str, *, needs: tuple[str, ...] = ()) -> Document:
        """An address that was never read is `off_limits`."""
        del needs
        found = await self._documents.cached(normalise_url(url))
        document = await self._documents.load(found[0]) if found else None
        if document is None:
            raise FetchRefused(url, "off_limits", "It was not read before, and nothing was to be fetched.")
        return document


FRESH_DAYS = 7.0
"""A page that an earlier run read longer ago is fetched again: it may say something else by now."""


class EarlierWeb(Web):
    """Implements `ports.web.Web` with the pages that an earlier run has read, where they are fresh; else it fetches."""

    def __init__(self, web: Web, documents: Documents, run_id: str, clock: Clock) -> None:
        self._web = web
        self._documents = documents
        self._run_id = run_id
        self._clock = clock
        self._cards: dict[str, DocumentCard] | None = None

    @override
    async def fetch(self, url: str, *, needs: tuple[str, ...] = ()) -> Document:
        """A copy keeps the day on which it was read."""
        if self._cards is None:
            cards = await self._documents.cards(self._run_id)
            by_url = {normalise_url(address): card for card in cards for address in (card.requested_url, card.url)}
            self._cards = by_url
        card = self._cards.get(normalise_url(url))
        if card and (self._clock.now() - card.read_at).total_seconds() < FRESH_DAYS * 86_400:
            document = await self._documents.load(card)
            if document is not None:
                return document
        return await self._web.fetch(url, needs=needs)
