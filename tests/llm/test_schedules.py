"""Ceilings under random schedules: fifty calls at once, against services that count what they are really asked."""

from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import anyio
import anyio.lowlevel
import httpx2
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.clocks import HandClock
from tests.pipeline_fakes import MemoryJournal, page

from deepresearch_mcp.budget import Amount, Ledger
from deepresearch_mcp.exceptions import BudgetExceeded, DeepResearchError, FetchFailed, ProviderError, RateLimited
from deepresearch_mcp.llm.metering import Meter, MeteredModel
from deepresearch_mcp.llm.prices import Prices
from deepresearch_mcp.llm.recorded import RecordedModel, again
from deepresearch_mcp.pipeline import steps
from deepresearch_mcp.ports.journal import Journal
from deepresearch_mcp.ports.model import ModelAnswer, ModelCall, Role, Usage
from deepresearch_mcp.records.request import EFFORTS, ResearchRequest, Shape
from deepresearch_mcp.records.sources import Document, Hit, Query
from deepresearch_mcp.search.metering import MeteredEngine
from deepresearch_mcp.search.wrappers import RecordedEngine
from deepresearch_mcp.settings.schema import ModelPrice
from deepresearch_mcp.store.sqlite import open_sqlite_store
from deepresearch_mcp.tally import Tally, amount_of, tallied
from deepresearch_mcp.text.tokens import upper_bound
from deepresearch_mcp.web.fetching.wrappers import MeteredWeb

NAME = "openai:gpt-6-luna"
PRICES = Prices({NAME: ModelPrice(input=10, output=100)})
CALLS = 50

FATES = ("below", "at the bound", "turned away", "failed there", "timed out", "cancelled")


@dataclass(frozen=True)
class Fate:
    """What becomes of one call."""

    what: str
    share: float
    """Of what it may use."""
    turns: int
    """Of the event loop that it takes."""
    start: int
    max_tokens: int
    length: int
    role: Role


FATE = st.builds(
    Fate,
    what=st.sampled_from(FATES),
    share=st.floats(0, 1),
    turns=st.integers(0, 6),
    start=st.integers(0, 12),
    max_tokens=st.integers(1, 2_000),
    length=st.integers(1, 1_500),
    role=st.sampled_from(["reader", "writer", "verifier", "planner"]),
)
SCHEDULES = st.lists(FATE, min_size=CALLS, max_size=CALLS)
SHAPES = st.builds(
    lambda usd, tokens, searches, pages: EFFORTS["standard"].model_copy(
        update={"max_usd": usd, "max_tokens": tokens, "max_searches": searches, "max_pages": pages}
    ),
    st.floats(0.01, 2),
    st.integers(500, 40_000),
    st.integers(0, 30),
    st.integers(0, 30),
)


def because(error: DeepResearchError, cause: Exception) -> DeepResearchError:
    error.__cause__ = cause
    return error


async def turns(number: int) -> None:
    for _ in range(number):
        await anyio.lowlevel.checkpoint()


class Services:
    """A model, an engine and a web whose calls end as a schedule says; they count what was really used."""

    name = NAME

    def __init__(self, schedule: Sequence[Fate]) -> None:
        self.schedule = schedule
        self.real = Amount()
        self.asked = 0
        self.enough = anyio.Event()
        self.after = CALLS * 9
        """Calls after which the process dies, for whoever waits for it."""

    def fate(self, key: str) -> Fate:
        return self.schedule[int(key.split("/")[1])]

    def count(self, amount: Amount) -> None:
        self.real += amount
        self.asked += 1
        if self.asked >= self.after:
            self.enough.set()

    async def answer(self, call: ModelCall) -> ModelAnswer:
        fate = self.fate(call.key)
        sent, written = upper_bound(call.prompt), call.max_tokens
        if fate.what == "below":
            sent, written = int(sent * fate.share), int(written * fate.share)
        if fate.what == "turned away":
            sent = written = 0
        if fate.what == "failed there":
            written = 0
        usage = Usage(sent, written)
        # It is owed from the moment at which it is sent, whoever waits for the answer.
        self.count(Amount(PRICES.usd(NAME, usage) or 0.0, sent + written))
        await turns(fate.turns)
        if fate.what == "turned away":
            raise RateLimited(NAME, "wait")
        if fate.what == "failed there":
            answer = httpx2.Response(500, request=httpx2.Request("POST", "https://model.example"))
            raise because(
                ProviderError(NAME, "HTTP 500"), httpx2.HTTPStatusError("", request=answer.request, response=answer)
            )
        if fate.what == "timed out":
            raise because(ProviderError(NAME, "late"), httpx2.ReadTimeout(""))
        if fate.what == "cancelled":
            await anyio.sleep_forever()
        return ModelAnswer("ok", NAME, usage)

    async def search(self, query: Query, *, needs: tuple[str, ...] = ()) -> list[Hit]:
        del needs
        fate = self.fate(query.text)
        if fate.what != "turned away":
            self.count(Amount(searches=1))
        await turns(fate.turns)
        if fate.what == "turned away":
            raise because(ProviderError("one", "no way there"), httpx2.ConnectError(""))
        if fate.what in {"failed there", "timed out"}:
            raise ProviderError("one", "HTTP 500")
        if fate.what == "cancelled":
            await anyio.sleep_forever()
        return []

    async def fetch(self, url: str, *, needs: tuple[str, ...] = ()) -> Document:
        del needs
        fate = self.schedule[int(url.rsplit("/", 1)[1])]
        await turns(fate.turns)
        if fate.what == "cancelled":
            await anyio.sleep_forever()
        if fate.what == "turned away":
            raise FetchFailed(url, "not_found", "It is not there.")
        self.count(Amount(pages=1))
        if fate.what == "failed there":
            raise FetchFailed(url, "empty", "Nothing stands on it.")
        return page(url, "Ice floats.")


class Life:
    """One life of a run over these services."""

    def __init__(self, services: Services, ledger: Ledger, journal: Journal, tally: Tally) -> None:
        self.services = services
        self.ledger = ledger
        self.highest = Amount()
        metered = MeteredModel(services, Meter(ledger, PRICES, tally))
        self.journal = journal
        self.model = RecordedModel(metered, journal)
        self.engine = RecordedEngine(MeteredEngine(services, ledger), journal, steps.search)
        self.web = MeteredWeb(services, ledger)

    async def run(self) -> None:
        async with anyio.create_task_group() as tasks:
            for number, fate in enumerate(self.services.schedule):
                tasks.start_soon(self.one, number, fate)

    async def one(self, number: int, fate: Fate) -> None:
        await turns(fate.start)
        key = f"read/{number}"
        if self.journal.left(key) == "error":
            key = again(key, 2)
        call = ModelCall(key, fate.role, "", "x" * fate.length, fate.max_tokens)
        with anyio.CancelScope() as scope:
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(self.cancelled, scope, fate)
                try:
                    await self.tried(call, number)
                finally:
                    tasks.cancel_scope.cancel()

    async def cancelled(self, scope: anyio.CancelScope, fate: Fate) -> None:
        if fate.what == "cancelled":
            # Long enough for a call that waits for its turn to be begun, or not.
            await turns(30 * fate.turns + 5)
            scope.cancel()

    async def tried(self, call: ModelCall, number: int) -> None:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(self.quietly, lambda: self.model.answer(call))
            tasks.start_soon(self.quietly, lambda: self.engine.search(Query(f"ice/{number}")))
            tasks.start_soon(self.quietly, lambda: self.web.fetch(f"https://one.example/{number}"))

    async def quietly(self, ask: Callable[[], Awaitable[object]]) -> None:
        with suppress(ProviderError, FetchFailed, BudgetExceeded):
            await ask()


def within(real: Amount, shape: Shape) -> None:
    assert real.usd <= shape.max_usd + 1e-9
    assert real.tokens <= shape.max_tokens
    assert real.searches <= shape.max_searches
    assert real.pages <= shape.max_pages


def nothing_held(ledger: Ledger) -> None:
    assert (ledger.held.tokens, ledger.held.searches, ledger.held.pages) == (0, 0, 0)
    assert abs(ledger.held.usd) < 1e-9


@given(SHAPES, SCHEDULES)
@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
def test_whatever_becomes_of_fifty_calls_at_once_no_ceiling_is_passed_and_nothing_stays_held(
    shape: Shape, schedule: list[Fate]
) -> None:
    async def run() -> None:
        services, ledger = Services(schedule), Ledger(shape, HandClock())
        await Life(services, ledger, MemoryJournal(), Tally()).run()

        within(services.real, shape)
        within(ledger.used, shape)
        nothing_held(ledger)
        assert services.real.usd <= ledger.used.usd + 1e-9
        assert services.real.tokens <= ledger.used.tokens

    anyio.run(run)


@given(SHAPES, SCHEDULES, st.integers(1, 60))
@settings(max_examples=6, deadline=None, suppress_health_check=list(HealthCheck))
def test_two_lives_of_a_run_together_pass_no_ceiling(shape: Shape, schedule: list[Fate], dies: int) -> None:
    async def life(services: Services, home: Path) -> None:
        clock = HandClock()
        async with open_sqlite_store(home, clock) as store:
            if await store.runs.get("r") is None:
                await store.runs.create("r", "me", ResearchRequest(question="Why?"), "f", 0.0)
            else:
                assert await store.runs.adopt("", 0.0, 1)
                assert await store.runs.claim("r", "", 0.0)
            async with store.journal("r") as journal:
                before = await journal.rows()
                ledger = Ledger(shape, clock, carried=amount_of(before))
                assert services.real.tokens <= ledger.used.tokens
                assert services.real.usd <= ledger.used.usd + 1e-9
                assert services.real.searches <= ledger.used.searches
                async with anyio.create_task_group() as tasks:

                    async def die() -> None:
                        await services.enough.wait()
                        tasks.cancel_scope.cancel()

                    tasks.start_soon(die)
                    await Life(services, ledger, journal, tallied(before)).run()
                    tasks.cancel_scope.cancel()
                nothing_held(ledger)

    async def run(home: Path) -> None:
        services = Services(schedule)
        services.after = dies
        await life(services, home)
        services.enough, services.after = anyio.Event(), CALLS * 9
        # Pages are no steps here: what the first life read stays out of the second's account.
        services.real = Amount(services.real.usd, services.real.tokens, services.real.searches)
        await life(services, home)

        within(services.real, shape)

    with TemporaryDirectory() as home:
        anyio.run(run, Path(home))
