"""Wraps a web for one run: budget, screening and journal."""

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

_PAID = frozenset(
    {"too_large", "unsupported_type", "unparsable", "empty", "encrypted", "scanned", "missing_extra", "paywalled"}
)
"""Failures of pages that arrived but could not be read. They count as pages."""


class MeteredWeb(Web):
    """Reserves one page of the budget before a fetch and releases it if no page arrived."""

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
            reservation.release()  # does nothing after settle; also runs on cancellation
        return document


class ScreenedWeb(Web):
    """Screens the text of documents that another version screened or stored unscreened."""

    def __init__(self, web: Web, screener: Screener) -> None:
        self._web = web
        self._screener = screener

    @override
    async def fetch(self, url: str, *, needs: tuple[str, ...] = ()) -> Document:
        return await self._screener.screened(await self._web.fetch(url, needs=needs))


class AttendedWeb(Web):
    """A web that tells the broker while a fetch is running."""

    def __init__(self, web: Web, broker: Broker) -> None:
        self._web = web
        self._broker = broker

    @override
    async def fetch(self, url: str, *, needs: tuple[str, ...] = ()) -> Document:
        with self._broker.elsewhere():
            return await self._web.fetch(url, needs=needs)


FetchKeyOf = Callable[[str], str]
"""Returns the key of the step that fetches an address, the same for all spellings of the address."""


def web_for_run(
    web: Web,
    screener: Screener,
    journal: Journal,
    key_of: FetchKeyOf,
    documents: Documents,
    run_id: str,
    ledger: Ledger,
) -> Web:
    """Return the web of one run.

    Metering is inside the journal, so that a replayed page costs nothing. Screening is inside and outside, because an
    older version may have cached a page, or recorded it in this run, without screening it.
    """
    metered = MeteredWeb(ScreenedWeb(web, screener), ledger)
    return ScreenedWeb(RecordedWeb(metered, journal, key_of, documents, run_id), screener)


class FetchOutcome(BaseModel):
    """The journal's record of a fetch: either a card or a failure."""

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
    """Records each fetch as a step of the run. The text is stored as a document; the step holds its card.

    A run reads an address once. `BudgetExceeded` is not recorded as a result, because it says nothing about the page.
    """

    def __init__(self, web: Web, journal: Journal, key_of: FetchKeyOf, documents: Documents, run_id: str) -> None:
        self._web = web
        self._journal = journal
        self._key_of = key_of
        self._documents = documents
        self._run_id = run_id

    @override
    async def fetch(self, url: str, *, needs: tuple[str, ...] = ()) -> Document:
        """Fetch a page as a step of the run.

        Raises:
            DuplicateStep: The run has already requested this address.
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
