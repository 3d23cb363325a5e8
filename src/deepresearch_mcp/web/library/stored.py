"""Implements the web port with stored pages."""

from typing_extensions import override

from deepresearch_mcp.exceptions import FetchRefused
from deepresearch_mcp.ports.clock import Clock
from deepresearch_mcp.ports.documents import Documents
from deepresearch_mcp.ports.web import Web
from deepresearch_mcp.records.checks import AnyRequest, CheckRequest
from deepresearch_mcp.records.sources import Document, DocumentCard
from deepresearch_mcp.text.urls import normalise_url


class StoredWeb(Web):
    """Returns the latest stored copy of an address, however old, if the caller may see it; fetches nothing."""

    def __init__(self, documents: Documents, caller: str) -> None:
        self._documents = documents
        self._caller = caller

    @override
    async def fetch(self, url: str, *, needs: tuple[str, ...] = ()) -> Document:
        """Raises `FetchRefused` with the reason `off_limits` for an address without a stored copy."""
        del needs
        found = await self._documents.cached(normalise_url(url))
        # All callers share the cache. What others had read must not show that they asked.
        if found and not await self._documents.is_seen(self._caller, found[0].snapshot):
            found = None
        document = await self._documents.load(found[0]) if found else None
        if document is None:
            raise FetchRefused(url, "off_limits", "The page was not read before, and this run fetches nothing.")
        return document


FRESH_DAYS = 7.0
"""Days after which a copy is fetched again, because the page may have changed."""


class EarlierWeb(Web):
    """Returns the pages of an earlier run while they are fresh, and fetches all others."""

    def __init__(self, web: Web, documents: Documents, run_id: str, clock: Clock) -> None:
        self._web = web
        self._documents = documents
        self._run_id = run_id
        self._clock = clock
        self._cards: dict[str, DocumentCard] | None = None

    @override
    async def fetch(self, url: str, *, needs: tuple[str, ...] = ()) -> Document:
        """A copy keeps its original `read_at`."""
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


def web_for(request: AnyRequest, caller: str, web: Web, documents: Documents, clock: Clock) -> Web:
    """The web of a run: a check without the web reads stored pages alone, a follow-up those of its first run first."""
    if isinstance(request, CheckRequest):
        return web if request.web else StoredWeb(documents, caller)
    before = request.follow_up_of
    return EarlierWeb(web, documents, before, clock) if before else web
