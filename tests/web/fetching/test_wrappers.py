from collections.abc import Awaitable, Callable
from typing import Any

import anyio
import pytest
from pydantic import TypeAdapter

from clocks import NOON, HandClock
from deepresearch_mcp.budget import Ledger
from deepresearch_mcp.exceptions import BudgetExceeded, FetchFailed, FetchRefused, StoreError, UnreadReason
from deepresearch_mcp.pipeline import steps
from deepresearch_mcp.ports.journal import Step, StepKind, StepStatus, Used
from deepresearch_mcp.records.request import Shape
from deepresearch_mcp.records.sources import Document, Screening
from deepresearch_mcp.web.fetching.wrappers import (
    AttendedWeb,
    FetchOutcome,
    MeteredWeb,
    RecordedWeb,
    ScreenedWeb,
    web_for_run,
)
from deepresearch_mcp.web.parsed_page import ParsedPage
from deepresearch_mcp.web.snapshot import document_of
from pipeline_fakes import AttendingBroker, FakeWeb, page

URL = "https://example.org/ice"


class ScriptedWeb:
    """Reads every page alike, or fails with what it was given."""

    def __init__(self, failure: Exception | None = None) -> None:
        self.failure = failure
        self.asked: list[str] = []

    async def fetch(self, url: str, *, needs: tuple[str, ...] = ()) -> Document:
        self.asked.append(url)
        await anyio.lowlevel.checkpoint()
        if self.failure:
            raise self.failure
        return document_of(
            ParsedPage("html", f"Text of {url}."), url=url, requested_url=url, site="example.org", read_at=NOON
        )


class MemoryJournal:
    """Keeps results as JSON, as the real one does; `rows` can be handed to another life of the run."""

    def __init__(self, rows: dict[str, tuple[str, object]] | None = None) -> None:
        self.before: dict[str, StepStatus] = {}
        self.done = {} if rows is None else rows
        self.steps: list[Step] = []

    async def step(
        self,
        step: Step,
        fn: Callable[[], Awaitable[Any]],
        *,
        kind: StepKind,
        result: Any,
        request: object = None,
        used: Callable[[Any], Used] | None = None,
    ) -> Any:
        assert kind == "fetch"
        self.steps.append(step)
        adapter = TypeAdapter[Any](result)
        if step.key in self.done and self.done[step.key][1] == request:
            return adapter.validate_json(self.done[step.key][0])
        value = await fn()
        self.done[step.key] = (adapter.dump_json(value).decode(), request)
        return value

    def left(self, key: str) -> StepStatus | None:
        return "done" if key in self.done else self.before.get(key)

    def recorded(self, key: str) -> str | None:
        return self.done[key][0] if key in self.done else None

    async def rows(self) -> list[Any]:
        return []


@pytest.fixture
def ledger() -> Ledger:
    return Ledger(
        Shape(breadth=2, depth=1, max_usd=1, max_tokens=1000, max_searches=5, max_pages=2, max_minutes=5), HandClock()
    )


async def test_each_page_read_counts_and_the_ceiling_holds(ledger: Ledger) -> None:
    web = MeteredWeb(ScriptedWeb(), ledger)
    await web.fetch(URL)
    await web.fetch(URL)

    with pytest.raises(BudgetExceeded):
        await web.fetch(URL)
    assert (ledger.used.pages, ledger.held.pages) == (2, 0)


@pytest.mark.parametrize(
    ("failure", "pages"),
    [
        *(
            (FetchFailed(URL, reason, "?"), 1)
            for reason in ("too_large", "unparsable", "empty", "encrypted", "unsupported_type")
        ),
        *(
            (FetchFailed(URL, reason, "?"), 0)
            for reason in ("not_found", "unreachable", "timed_out", "blocked", "server_error")
        ),
        *((FetchRefused(URL, reason, "?"), 0) for reason in ("robots", "address_refused", "circuit_open")),
        (RuntimeError("a fault"), 0),
    ],
)
async def test_only_pages_that_arrived_count(ledger: Ledger, failure: Exception, pages: int) -> None:
    with pytest.raises(type(failure)):
        await MeteredWeb(ScriptedWeb(failure), ledger).fetch(URL)

    assert (ledger.used.pages, ledger.held.pages) == (pages, 0)


async def test_a_cancelled_page_is_given_back(ledger: Ledger) -> None:
    class Forever:
        async def fetch(self, url: str, *, needs: tuple[str, ...] = ()) -> Document:
            await anyio.sleep_forever()
            raise AssertionError

    with anyio.move_on_after(0):
        await MeteredWeb(Forever(), ledger).fetch(URL)

    assert (ledger.used.pages, ledger.held.pages) == (0, 0)


async def test_a_page_is_a_step_named_after_its_address(documents: Any) -> None:
    journal, web = MemoryJournal(), ScriptedWeb()

    document = await RecordedWeb(web, journal, steps.fetch, documents, "run1").fetch(f"{URL}#part", needs=("search/a",))

    assert document.text == f"Text of {URL}#part."
    assert journal.steps == [Step(steps.fetch(URL), ("search/a",))]
    assert steps.fetch(URL).startswith("fetch/")
    assert len(steps.fetch(URL)) == 18
    assert documents.saved == [(f"{URL}#part", "run1")]
    assert document.text not in journal.done[steps.fetch(URL)][0]


async def test_a_resumed_run_reads_the_page_from_the_record(documents: Any, ledger: Ledger) -> None:
    first, web = MemoryJournal(), ScriptedWeb()
    document = await web_for_run(web, Search(), first, steps.fetch, documents, "run1", ledger).fetch(URL)

    again = await web_for_run(web, Search(), MemoryJournal(first.done), steps.fetch, documents, "run1", ledger).fetch(
        URL
    )

    assert again == document
    assert web.asked == [URL]
    assert ledger.used.pages == 1


async def test_a_run_screens_what_is_stored_or_was_recorded_without_screening(documents: Any, ledger: Ledger) -> None:
    journal, web = MemoryJournal(), ScriptedWeb()
    fresh = await web_for_run(web, Search(), journal, steps.fetch, documents, "run1", ledger).fetch(URL)
    older = MemoryJournal()
    unscreened = await RecordedWeb(web, older, steps.fetch, documents, "run2").fetch(f"{URL}/2")

    replayed = await web_for_run(
        web, Search(), MemoryJournal(older.done), steps.fetch, documents, "run2", ledger
    ).fetch(f"{URL}/2")

    assert unscreened.screening is None
    assert fresh.screening == replayed.screening == Screening(version="1")
    assert await documents.load(fresh.card()) == fresh


async def test_a_page_whose_screening_fails_is_recorded_as_unread(documents: Any, ledger: Ledger) -> None:
    journal = MemoryJournal()
    slow = FetchFailed(URL, "timed_out", "Screening the page's text took too long.")
    web = web_for_run(ScriptedWeb(), Search(slow), journal, steps.fetch, documents, "run1", ledger)

    with pytest.raises(FetchFailed):
        await web.fetch(URL)

    assert steps.fetch(URL) in journal.done
    assert documents.saved == []


@pytest.mark.parametrize("kind", [FetchFailed, FetchRefused])
@pytest.mark.parametrize("reason", ["robots", "timed_out"])
async def test_a_failure_is_recorded_and_fails_alike(
    documents: Any, kind: type[FetchFailed], reason: UnreadReason
) -> None:
    journal, web = MemoryJournal(), ScriptedWeb(kind(URL, reason, "It did not work.", "Try later."))
    heard: list[FetchFailed] = []
    for life in (journal, MemoryJournal(journal.done)):
        with pytest.raises(FetchFailed) as caught:
            await RecordedWeb(web, life, steps.fetch, documents, "run1").fetch(URL)
        heard.append(caught.value)

    first, second = heard
    assert web.asked == [URL]
    assert type(first) is type(second) is kind
    assert (
        (first.url, first.reason, str(first))
        == (second.url, second.reason, str(second))
        == (URL, reason, "It did not work. Try later.")
    )


async def test_a_ceiling_says_nothing_about_the_page_and_is_not_recorded(documents: Any) -> None:
    journal = MemoryJournal()

    with pytest.raises(BudgetExceeded):
        await RecordedWeb(
            ScriptedWeb(BudgetExceeded("max_pages", 2, 2)), journal, steps.fetch, documents, "run1"
        ).fetch(URL)

    assert journal.done == {}


async def test_a_recorded_page_whose_text_is_gone_is_a_fault_of_the_store(documents: Any) -> None:
    journal, web = MemoryJournal(), ScriptedWeb()
    await RecordedWeb(web, journal, steps.fetch, documents, "run1").fetch(URL)
    documents.texts.clear()

    with pytest.raises(StoreError):
        await RecordedWeb(web, MemoryJournal(journal.done), steps.fetch, documents, "run1").fetch(URL)


async def test_an_empty_record_is_a_failure(documents: Any) -> None:
    journal = MemoryJournal({steps.fetch(URL): (FetchOutcome().model_dump_json(), URL)})

    with pytest.raises(FetchFailed):
        await RecordedWeb(ScriptedWeb(), journal, steps.fetch, documents, "run1").fetch(URL)


class Search:
    """Screens what it is given, or says that this takes too long."""

    def __init__(self, failure: Exception | None = None) -> None:
        self.failure = failure

    async def screened(self, document: Document) -> Document:
        if self.failure:
            raise self.failure
        return document.model_copy(update={"screening": Screening(version="1")})


async def test_no_document_passes_without_its_screening() -> None:
    document = await ScreenedWeb(ScriptedWeb(), Search()).fetch(URL)

    assert document.screening == Screening(version="1")


async def test_a_document_that_cannot_be_screened_is_not_read() -> None:
    slow = FetchFailed(URL, "timed_out", "Screening the page's text took too long.")

    with pytest.raises(FetchFailed) as caught:
        await ScreenedWeb(ScriptedWeb(), Search(slow)).fetch(URL)

    assert caught.value is slow


async def test_a_fetch_is_known_to_the_broker_while_it_lasts() -> None:
    broker: Any = AttendingBroker()
    there = page("https://a.example/1", "Ice floats on water.")

    assert await AttendedWeb(FakeWeb([there]), broker).fetch(there.url) == there

    assert broker.seen == ["begun", "ended"]
