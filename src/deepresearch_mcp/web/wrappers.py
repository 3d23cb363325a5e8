"""What a run adds to reading a page: its budget, and its record."""

from collections.abc import Callable

from pydantic import BaseModel, ConfigDict
from typing_extensions import override

from deepresearch_mcp.budget import Amount, Ledger
from deepresearch_mcp.exceptions import FetchFailed, FetchRefused, StoreError, UnreadReason
from deepresearch_mcp.ports.documents import Documents
from deepresearch_mcp.ports.journal import Journal, Step, Used
from deepresearch_mcp.ports.web import Screener, Web
from deepresearch_mcp.ports.work import Broker
from deepresearch_mcp.records.sources import Document, DocumentCard
from deepresearch_mcp.text.urls import site_of

ONE_PAGE = Amount(pages=1)

_PAID = frozenset({"too_large", "unsupported_type", "unparsable", "empty", "encrypted", "paywalled"})
"""Reasons of pages that did arrive: they count, though nothing could be read in them."""


class MeteredWeb(Web):
    """Reserves one page before it is fetched; gives it back when none arrived."""

    def __init__(self, web: Web, ledger: Ledger) -> None:
        self._web = web
        self._ledger = ledger

    @override
    async def fetch(self, url: str, *, needs: tuple[str, ...] = ()) -> Document:
        reservation = self._ledger.reserve(ONE_PAGE)
        try:
            document = await self._web.fetch(url, needs=needs)
            reservation.settle(ONE_PAGE)
        except FetchFailed as error:
            if error.reason in _PAID and not isinstance(error, FetchRefused):
                reservation.settle(ONE_PAGE)
            raise
        finally:
            reservation.release()  # where nothing was settled, by a cancellation too
        return document


class ScreenedWeb(Web):
    """Screens the text of documents that older versions stored without screening."""

    def __init__(self, web: Web, screener: Screener) -> None:
        self._web = web
        self._screener = screener

    @override
    async def fetch(self, url: str, *, needs: tuple[str, ...] = ()) -> Document:
        return await self._screener.screened(await self._web.fetch(url, needs=needs))


class AttendedWeb(Web):
    """A web whose fetches the broker waits for."""

    def __init__(self, web: Web, broker: Broker) -> None:
        self._web = web
        self._broker = broker

    @override
    async def fetch(self, url: str, *, needs: tuple[str, ...] = ()) -> Document:
        with self._broker.elsewhere():
            return await self._web.fetch(url, needs=needs)


FetchKeyOf = Callable[[str], str]
"""The key of the step that fetches an address, the same however the address is written."""


def web_for_run(
    web: Web,
    screener: Screener,
    journal: Journal,
    key_of: FetchKeyOf,
    documents: Documents,
    run_id: str,
    ledger: Ledger,
) -> Web:
    """The web as one run sees it: metered inside, so that what is read from the record costs nothing again.

    Screened inside and outside: neither what an older version stored nor what it recorded of this run was screened.
    """
    metered = MeteredWeb(ScreenedWeb(web, screener), ledger)
    return ScreenedWeb(RecordedWeb(metered, journal, key_of, documents, run_id), screener)


class FetchOutcome(BaseModel):
    """What a journal keeps of a fetch: exactly one of the two."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    card: DocumentCard | None = None
    failure: "RecordedFailure | None" = None


class RecordedFailure(BaseModel):
    """A page that could not be read; when replayed, it fails the same way."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    reason: UnreadReason
    refused: bool
    message: str
    action: str = ""


class RecordedWeb(Web):
    """Makes each fetch a step of the run; the text is saved among the documents, the step holds its card.

    One run reads an address once. BudgetExceeded passes and is not recorded as a result: it tells nothing of the page.
    """

    def __init__(self, web: Web, journal: Journal, key_of: FetchKeyOf, documents: Documents, run_id: str) -> None:
        self._web = web
        self._journal = journal
        self._key_of = key_of
        self._documents = documents
        self._run_id = run_id

    @override
    async def fetch(self, url: str, *, needs: tuple[str, ...] = ()) -> Document:
        """Make a step of it.

        Raises:
            DuplicateStep: The run has already asked for this address.
            StoreError: The step is recorded but its text is gone.
        """
        read: list[Document] = []

        async def run() -> FetchOutcome:
            try:
                document = await self._web.fetch(url, needs=needs)
            except FetchFailed as error:
                refused = isinstance(error, FetchRefused)
                failure = RecordedFailure(
                    reason=error.reason, refused=refused, message=error.message, action=error.action
                )
                return FetchOutcome(failure=failure)
            await self._documents.save(document, self._run_id)
            read.append(document)
            return FetchOutcome(card=document.card())

        at = Step(self._key_of(url), needs)
        outcome = await self._journal.step(at, run, kind="fetch", result=FetchOutcome, request=url, used=_used)
        if outcome.card is None:
            raise _failure(url, outcome.failure)
        document = read[0] if read else await self._documents.load(outcome.card)
        if document is None:
            raise StoreError(
                "The text of a page that this run has read is no longer stored.", "Start the research again."
            )
        return document


def _used(outcome: FetchOutcome) -> Used:
    failure = outcome.failure
    paid = failure is None or (failure.reason in _PAID and not failure.refused)
    return Used(by=site_of(outcome.card.url) if outcome.card else "", pages=int(paid))


def _failure(url: str, failure: RecordedFailure | None) -> FetchFailed:
    if failure is None:
        return FetchFailed(url, "unparsable", "The record of this page is empty.")
    kind = FetchRefused if failure.refused else FetchFailed
    return kind(url, failure.reason, failure.message, failure.action)
