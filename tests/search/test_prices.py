"""What a query costs, and that no schedule of paid queries passes a ceiling of money."""

from typing import Any
from urllib.parse import urlsplit

import anyio
import anyio.lowlevel
import httpx2
import pytest
from hypothesis import given
from hypothesis import strategies as some

from clocks import HandClock
from deepresearch_mcp.breaker import CircuitBreaker
from deepresearch_mcp.budget import SET_ASIDE, Amount, Ledger
from deepresearch_mcp.exceptions import BudgetExceeded, DeepResearchError, ProviderError, RateLimited
from deepresearch_mcp.pipeline import steps
from deepresearch_mcp.ports.journal import Step
from deepresearch_mcp.records.request import EFFORTS
from deepresearch_mcp.records.sources import Hit, Query
from deepresearch_mcp.records.specs import ENGINE_NAMES
from deepresearch_mcp.search.errors import engine_key_refused
from deepresearch_mcp.search.metering import MeteredEngine
from deepresearch_mcp.search.prices import LISTED, price_of
from deepresearch_mcp.search.wrappers import RecordedEngine, SharedLimits, engine_for_run
from deepresearch_mcp.settings.schema import SearchSettings
from pipeline_fakes import MemoryJournal

KEYED = SearchSettings.model_validate({"tavily_key": "k", "brave_key": "k", "you_key": "k"})


class Scripted:
    """An engine that answers, or fails, as its script says; each query takes some turns of the loop."""

    name = "tavily"

    def __init__(self, *script: Exception | None, turns: int = 1) -> None:
        self.script = list(script)
        self.turns = turns
        self.sent = 0

    async def search(self, query: Query, *, needs: tuple[str, ...] = ()) -> list[Hit]:
        del query, needs
        self.sent += 1
        for _ in range(self.turns):
            await anyio.lowlevel.checkpoint()
        if self.script and (error := self.script.pop(0)):
            raise error
        return []


def books(**ceilings: float) -> Ledger:
    return Ledger(EFFORTS["standard"].model_copy(update=ceilings), HandClock())


def sent_error(error: DeepResearchError, status: int) -> DeepResearchError:
    """An error as adapters make it of an answer of the service."""
    request = httpx2.Request("GET", "https://search.test")
    error.__cause__ = httpx2.HTTPStatusError("no", request=request, response=httpx2.Response(status, request=request))
    return error


def unconnected() -> ProviderError:
    error = ProviderError("tavily", "the connection failed", retryable=True)
    error.__cause__ = httpx2.ConnectError("refused")
    return error


class TestPriceOf:
    def test_engines_that_no_one_sells_cost_nothing_and_paid_ones_their_list_price(self) -> None:
        prices = {name: price_of(name, KEYED) for name in ENGINE_NAMES}

        assert (prices["tavily"], prices["brave"]) == (0.008, 0.005)
        assert {name for name, price in prices.items() if not price} == set(ENGINE_NAMES) - LISTED.keys()

    @pytest.mark.parametrize("engine", ["tavily", "you"])
    def test_an_engine_that_needs_no_key_is_free_without_one(self, engine: str) -> None:
        assert price_of(engine, SearchSettings()) == 0.0

    def test_a_price_of_the_users_own_holds_before_the_list(self) -> None:
        settings = KEYED.model_copy(update={"prices": {"tavily": 0.005, "searxng": 0.001, "brave": 0.0}})
        assert [price_of(name, settings) for name in ("tavily", "searxng", "brave")] == [0.005, 0.001, 0.0]

    @pytest.mark.parametrize("engine", sorted(LISTED))
    def test_every_listed_price_says_where_and_when_it_was_read_and_is_of_an_engine_there_is(self, engine: str) -> None:
        assert urlsplit(LISTED[engine].source).scheme == "https"
        assert LISTED[engine].seen >= "2026-11-22"
        assert engine in ENGINE_NAMES


class TestMetered:
    async def test_a_paid_query_is_money_in_the_ledger(self) -> None:
        ledger = books()

        await MeteredEngine(Scripted(), ledger, 0.008).search(Query("ice"))

        assert ledger.used == Amount(usd=0.008, searches=1, search_usd=0.008)
        assert ledger.held == Amount()

    async def test_a_query_that_max_usd_does_not_pay_for_is_not_sent(self) -> None:
        engine, ledger = Scripted(), books(max_usd=0.01)

        with pytest.raises(BudgetExceeded, match="max_usd"):
            await MeteredEngine(engine, ledger, 0.008).search(Query("ice"))

        assert (engine.sent, ledger.used) == (0, Amount())

    @pytest.mark.parametrize(
        ("error", "searches", "usd"),
        [
            (unconnected(), 0, 0.0),
            (sent_error(ProviderError("tavily", "HTTP 503", retryable=True), 503), 1, 0.008),
            (sent_error(RateLimited("tavily", "HTTP 429"), 429), 1, 0.008),
            (ProviderError("tavily", "no answer within 15 s", retryable=True), 1, 0.008),
            (sent_error(engine_key_refused("tavily", "HTTP 401: wrong"), 401), 1, 0.0),
        ],
    )
    async def test_a_query_that_fails_costs_its_price_unless_it_surely_was_not_billed(
        self, error: DeepResearchError, searches: int, usd: float
    ) -> None:
        ledger, journal = books(), MemoryJournal()

        with pytest.raises(ProviderError):
            await RecordedEngine(MeteredEngine(Scripted(error), ledger, 0.008), journal, steps.search, 0.008).search(
                Query("ice")
            )

        assert (ledger.used.searches, ledger.used.usd) == (searches, usd)
        [row] = await journal.rows()
        assert row.used
        assert (row.used.searches, row.used.usd) == (searches, usd)

    async def test_an_answer_from_the_record_costs_nothing_again(self) -> None:
        journal = MemoryJournal()

        def asked(ledger: Ledger, engine: Scripted, journal: MemoryJournal) -> Any:
            shared = SharedLimits(anyio.CapacityLimiter(2), CircuitBreaker(HandClock()))
            return engine_for_run(
                engine, shared, journal=journal, key_of=steps.search, ledger=ledger, clock=HandClock(), price=0.008
            )

        await asked(books(), Scripted(), journal).search(Query("ice"))
        again, engine = books(), Scripted()
        await asked(again, engine, journal.next_life()).search(Query("ice"))

        assert (engine.sent, again.used) == (0, Amount())

    async def test_a_query_waits_while_a_call_under_way_holds_the_money(self) -> None:
        ledger, engine = books(max_usd=0.10), Scripted()
        held = ledger.reserve(Amount(usd=0.06, tokens=100))

        async with anyio.create_task_group() as tasks:
            tasks.start_soon(MeteredEngine(engine, ledger, 0.008).search, Query("ice"))
            await anyio.wait_all_tasks_blocked()
            assert engine.sent == 0
            held.settle(Amount(usd=0.01, tokens=20))

        assert engine.sent == 1
        assert ledger.used.usd == pytest.approx(0.018)


FAILURES = some.sampled_from([None, None, None, unconnected(), ProviderError("tavily", "no answer", retryable=True)])


@given(
    some.floats(0.0, 0.1),
    some.integers(0, 30),
    some.lists(some.tuples(FAILURES, some.integers(1, 4), some.sampled_from([0.005, 0.008, 0.0301])), max_size=25),
    some.lists(some.floats(0.001, 0.05), max_size=6),
)
def test_no_schedule_of_paid_queries_beside_models_passes_max_usd(
    max_usd: float, max_searches: int, queries: list[tuple[Exception | None, int, float]], calls: list[float]
) -> None:
    ledger = books(max_usd=max_usd, max_searches=max_searches)
    billed: list[float] = []

    def sound() -> None:
        both = ledger.used + ledger.held
        assert both.usd <= max_usd + 1e-6
        assert both.searches <= max_searches
        assert both.search_usd <= both.usd + 1e-9

    async def query(number: int, error: Exception | None, turns: int, price: float) -> None:
        engine = Scripted(error, turns=turns)
        try:
            await MeteredEngine(engine, ledger, price).search(Query(f"ice {number}"))
        except (BudgetExceeded, ProviderError):
            pass
        finally:
            if engine.sent and not (error and error.__cause__):
                billed.append(price)
            sound()

    async def call(usd: float) -> None:
        try:
            held = await ledger.hold(Amount(usd=usd, tokens=10), "finish")
        except BudgetExceeded:
            return
        await anyio.lowlevel.checkpoint()
        sound()
        held.settle(Amount(usd=usd / 3, tokens=5))

    async def all_at_once() -> None:
        async with anyio.create_task_group() as tasks:
            for usd in calls:
                tasks.start_soon(call, usd)
            for number, one in enumerate(queries):
                tasks.start_soon(query, number, *one)

    anyio.run(all_at_once)

    assert ledger.used.search_usd == pytest.approx(sum(billed))
    assert ledger.used.search_usd <= max_usd * (1 - SET_ASIDE) + 1e-6
    assert abs(ledger.held.usd) < 1e-9


def test_what_earlier_lives_paid_for_queries_counts_on() -> None:
    from deepresearch_mcp.ports.journal import StepRow, Used
    from deepresearch_mcp.tally import amount_of

    at = Step("search/1/tavily")
    row = StepRow(
        at.key, "search", "done", 1, (), "", "[]", None, 0.008, 0.0, 1.0, Used(by="tavily", usd=0.008, searches=1)
    )

    assert amount_of([row]) == Amount(usd=0.008, searches=1, search_usd=0.008)
