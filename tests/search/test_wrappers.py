from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Any

import anyio
import pytest
from pydantic import TypeAdapter
from tests.search.scripted_engines import BUSY, HIT, ODD, QUERY, Scripted, forever

from clocks import HandClock
from deepresearch_mcp.breaker import CircuitBreaker
from deepresearch_mcp.budget import SET_ASIDE, Amount, Ledger, Reservation
from deepresearch_mcp.exceptions import (
    BudgetExceeded,
    DuplicateStep,
    KeyRefused,
    ProviderError,
    RateLimited,
    UnreadableAnswer,
)
from deepresearch_mcp.pipeline import steps
from deepresearch_mcp.ports.journal import Step, StepKind, StepRow, StepStatus, Used
from deepresearch_mcp.records.request import EFFORTS, Filters
from deepresearch_mcp.records.sources import Hit, Query
from deepresearch_mcp.records.spec_types import RateSpec
from deepresearch_mcp.search.errors import engine_key_refused
from deepresearch_mcp.search.rates import Pace
from deepresearch_mcp.search.wrappers import (
    AttendedEngine,
    EngineWithCircuitBreaker,
    EngineWithKeyLockout,
    EngineWithRetryAfter,
    EngineWithTimeout,
    RecordedEngine,
    SharedLimits,
    engine_for_run,
)
from pipeline_fakes import AttendingBroker, FakeEngine, hit


class MemoryJournal:
    """Steps of one run in memory; `reopened` is the same run after a crash."""

    def __init__(self) -> None:
        self.before: dict[str, StepStatus] = {}
        self.done: dict[str, tuple[object, str]] = {}
        self.used: list[tuple[str, tuple[str, ...], str]] = []
        self.begun: list[str] = []
        """Steps written as begun: what a killed run would count."""
        self.costs: list[Used] = []

    def reopened(self) -> "MemoryJournal":
        other = MemoryJournal()
        other.done = self.done
        return other

    async def step(
        self,
        step: Step,
        fn: Callable[[], Awaitable[Any]],
        *,
        kind: StepKind,
        result: Any,
        request: object = None,
        used: Callable[[Any], Used] | None = None,
        hold: Callable[[], Awaitable[Used]] | None = None,
        lost: Callable[[Exception], Used] | None = None,
    ) -> Any:
        if step.key in {key for key, _, _ in self.used}:
            raise DuplicateStep(f"The step {step.key} was asked for twice.")
        self.used.append((step.key, step.depends_on, kind))
        adapter = TypeAdapter[Any](result)
        if step.key in self.done and self.done[step.key][0] == request:
            return adapter.validate_json(self.done[step.key][1])
        if hold:
            await hold()
        self.begun.append(step.key)
        value = await fn()
        if used:
            self.costs.append(used(value))
        self.done[step.key] = (request, adapter.dump_json(value).decode())
        return value

    def left(self, key: str) -> StepStatus | None:
        return "done" if key in self.done else self.before.get(key)

    def recorded(self, key: str) -> str | None:
        return self.done[key][1] if key in self.done else None

    async def rows(self) -> Sequence[StepRow]:
        return []

    @property
    def keys(self) -> list[str]:
        return [key for key, _, _ in self.used]


def dead(clock: Any) -> CircuitBreaker:
    """A breaker that leaves the engine alone."""
    breaker = CircuitBreaker(clock)
    for _ in range(5):
        breaker.failed("fake")
    return breaker


class TestTimely:
    async def test_a_query_that_takes_too_long_is_given_up(self) -> None:
        with pytest.raises(ProviderError, match="no answer within 0 s") as caught:
            await EngineWithTimeout(Scripted(forever), 0).search(QUERY)
        assert caught.value.retryable

    async def test_an_answer_in_time_comes_through(self) -> None:
        assert await EngineWithTimeout(Scripted([HIT]), 5).search(QUERY) == [HIT]


class TestRecorded:
    async def test_a_query_is_a_step_named_by_its_subject(self) -> None:
        journal, inner = MemoryJournal(), Scripted([HIT])

        assert await RecordedEngine(inner, journal, steps.search).search(QUERY, needs=("plan",)) == [HIT]

        assert journal.used == [(steps.search(QUERY, "fake"), ("plan",), "search")]
        assert inner.needs == [("plan",)]

    async def test_a_recorded_answer_is_not_asked_for_again(self) -> None:
        journal, inner = MemoryJournal(), Scripted([HIT])
        await RecordedEngine(inner, journal, steps.search).search(QUERY)

        assert await RecordedEngine(inner, journal.reopened(), steps.search).search(QUERY) == [HIT]
        assert inner.asked == 1

    async def test_more_hits_wanted_is_another_request_of_the_same_subject(self) -> None:
        journal, inner = MemoryJournal(), Scripted([HIT])
        await RecordedEngine(inner, journal, steps.search).search(QUERY)

        await RecordedEngine(inner, journal.reopened(), steps.search).search(Query(QUERY.text, limit=3))

        assert inner.asked == 2

    async def test_another_attempt_after_a_failure_has_a_key_of_its_own(self) -> None:
        journal = MemoryJournal()
        engine = RecordedEngine(Scripted(BUSY, BudgetExceeded("max_searches", 2, 2), [HIT]), journal, steps.search)
        first = steps.search(QUERY, "fake")

        with pytest.raises(ProviderError):
            await engine.search(QUERY, needs=("plan",))
        with pytest.raises(BudgetExceeded):
            await engine.search(QUERY, needs=("plan",))
        await engine.search(QUERY, needs=("plan",))

        assert journal.keys == [first, f"{first}/2", f"{first}/3"]
        assert journal.used[2][1] == ("plan", first)

    async def test_a_query_answered_is_not_asked_twice(self) -> None:
        engine = RecordedEngine(Scripted([HIT]), MemoryJournal(), steps.search)
        await engine.search(QUERY)

        with pytest.raises(DuplicateStep):
            await engine.search(QUERY)

    def test_keys_differ_with_text_filters_collections_and_engine_alone(self) -> None:
        queries = [
            QUERY,
            Query("another"),
            Query(QUERY.text, Filters(region="de")),
            Query(QUERY.text, collections=("notes",)),
        ]

        assert len({steps.search(query, "fake") for query in queries} | {steps.search(QUERY, "other")}) == 5
        assert steps.search(QUERY, "fake") == steps.search(Query(QUERY.text, limit=3), "fake")
        assert len(steps.search(QUERY, "fake").split("/")[1]) == 12


class TestWaitingForMoney:
    """A run that could pay for a query only once a call of its own in flight has settled."""

    PRICE = 0.005

    @asynccontextmanager
    async def waiting(
        self, clock: Any, limiter: anyio.CapacityLimiter, breaker: CircuitBreaker, journal: MemoryJournal
    ) -> AsyncGenerator[Reservation]:
        books = self.books(clock)
        in_flight = books.reserve(Amount(usd=0.25 * (1 - SET_ASIDE), tokens=1))
        engine = self.engine(books, limiter, breaker, journal, clock)
        async with anyio.create_task_group() as group:
            group.start_soon(engine.search, QUERY)
            await anyio.wait_all_tasks_blocked()
            yield in_flight
            group.cancel_scope.cancel()

    def books(self, clock: Any) -> Ledger:
        return Ledger(EFFORTS["quick"].model_copy(update={"max_usd": 0.25}), clock)

    def engine(
        self, books: Ledger, limiter: anyio.CapacityLimiter, breaker: CircuitBreaker, journal: MemoryJournal, clock: Any
    ) -> Any:
        shared = SharedLimits(limiter, breaker)
        return engine_for_run(
            Scripted([HIT]), shared, journal=journal, key_of=steps.search, ledger=books, clock=clock, price=self.PRICE
        )

    async def test_it_keeps_neither_turn_nor_circuit_from_another_run(self, clock: Any) -> None:
        limiter, breaker = anyio.CapacityLimiter(1), dead(clock)
        await clock.sleep(31)  # The next query is the one that may try.

        async with self.waiting(clock, limiter, breaker, MemoryJournal()):
            other = self.engine(self.books(clock), limiter, breaker, MemoryJournal(), clock)
            with anyio.fail_after(5):
                assert await other.search(QUERY) == [HIT]

    async def test_it_is_not_written_as_begun_and_gives_its_turn_back(self, clock: Any) -> None:
        limiter, journal = anyio.CapacityLimiter(1), MemoryJournal()

        async with self.waiting(clock, limiter, CircuitBreaker(clock), journal) as in_flight:
            assert (journal.begun, limiter.borrowed_tokens) == ([], 0)
            in_flight.settle(Amount(usd=0.01))
            await anyio.wait_all_tasks_blocked()

        assert journal.begun == [steps.search(QUERY, "fake")]
        assert limiter.borrowed_tokens == 0

    async def test_a_query_cancelled_while_it_waits_for_its_turn_gives_its_money_back(self, clock: Any) -> None:
        limiter, books, journal = anyio.CapacityLimiter(1), self.books(clock), MemoryJournal()

        async with limiter, anyio.create_task_group() as group:
            group.start_soon(self.engine(books, limiter, CircuitBreaker(clock), journal, clock).search, QUERY)
            await anyio.wait_all_tasks_blocked()
            assert (books.held.searches, journal.begun) == (1, [])
            group.cancel_scope.cancel()

        assert (books.held, books.used) == (Amount(), Amount())

    async def test_a_query_refused_as_a_duplicate_takes_nothing_from_the_one_under_way(self, clock: Any) -> None:
        limiter, books = anyio.CapacityLimiter(1), self.books(clock)
        shared = SharedLimits(limiter, CircuitBreaker(clock))
        engine = engine_for_run(
            Scripted(forever),
            shared,
            journal=MemoryJournal(),
            key_of=steps.search,
            ledger=books,
            clock=clock,
            price=0.005,
        )

        async with anyio.create_task_group() as group:
            group.start_soon(engine.search, QUERY)
            await anyio.wait_all_tasks_blocked()
            with pytest.raises(DuplicateStep):
                await engine.search(QUERY)
            assert (limiter.borrowed_tokens, books.held.searches) == (1, 1)
            group.cancel_scope.cancel()

        assert (limiter.borrowed_tokens, books.used.searches) == (0, 1)

    async def test_an_attempt_behind_one_that_a_ceiling_refused_is_replayed(self, clock: Any) -> None:
        journal = MemoryJournal()
        engine = RecordedEngine(Scripted(BudgetExceeded("max_usd", 1, 1), [HIT]), journal, steps.search)
        with pytest.raises(BudgetExceeded):
            await engine.search(QUERY)
        await engine.search(QUERY)
        inner = Scripted(BUSY)

        assert await RecordedEngine(inner, journal.reopened(), steps.search).search(QUERY) == [HIT]
        assert inner.asked == 0


class TestPatient:
    async def test_a_retryable_failure_is_followed_by_three_more_tries(self, clock: Any) -> None:
        inner = Scripted(BUSY, BUSY, BUSY, [HIT])

        assert await EngineWithRetryAfter(inner, clock).search(QUERY) == [HIT]
        assert (inner.asked, clock.slept) == (4, [0.5, 1.0, 2.0])

    async def test_the_wait_asked_for_is_kept_to(self, clock: Any) -> None:
        await EngineWithRetryAfter(Scripted(RateLimited("fake", "busy", retry_after=20), [HIT]), clock).search(QUERY)

        assert clock.slept == [20]

    @pytest.mark.parametrize("error", [ODD, RateLimited("fake", "busy", retry_after=21), KeyRefused("fake", "no")])
    async def test_what_cannot_help_or_takes_too_long_is_not_tried(self, clock: Any, error: ProviderError) -> None:
        inner = Scripted(error)

        with pytest.raises(ProviderError):
            await EngineWithRetryAfter(inner, clock).search(QUERY)
        assert (inner.asked, clock.slept) == (1, [])

    async def test_the_last_failure_stands(self, clock: Any) -> None:
        inner = Scripted(BUSY)

        with pytest.raises(ProviderError, match="503"):
            await EngineWithRetryAfter(inner, clock).search(QUERY)
        assert inner.asked == 4

    async def test_an_engine_that_lets_us_wait_is_asked_only_twice(self, clock: Any) -> None:
        async def silent() -> list[Hit]:
            await clock.sleep(15)
            raise ProviderError("fake", "no answer within 15 s", retryable=True)

        inner = Scripted(silent)

        with pytest.raises(ProviderError, match="no answer"):
            await EngineWithRetryAfter(inner, clock).search(QUERY)
        assert inner.asked == 2

    async def test_why_an_attempt_failed_is_known_while_it_is_made_again(self) -> None:
        clock = HandClock(auto=True)
        engine = EngineWithKeyLockout(EngineWithRetryAfter(Scripted(BUSY, forever), clock))
        assert engine.failure(QUERY) == ""

        async with anyio.create_task_group() as group:
            group.start_soon(engine.search, QUERY)
            await anyio.wait_all_tasks_blocked()
            group.cancel_scope.cancel()

        assert (engine.failure(QUERY), engine.failure(Query("ice"))) == ("HTTP 503", "")


class TestBreaking:
    async def fail(self, engine: EngineWithCircuitBreaker, times: int) -> None:
        for _ in range(times):
            with pytest.raises(ProviderError):
                await engine.search(QUERY)

    @pytest.mark.parametrize("error", [BUSY, UnreadableAnswer("fake", "html")])
    async def test_after_five_failures_in_a_row_no_one_is_asked(self, clock: Any, error: Exception) -> None:
        inner = Scripted(error)
        engine = EngineWithCircuitBreaker(inner, CircuitBreaker(clock))
        await self.fail(engine, 5)

        with pytest.raises(ProviderError, match="left alone after 5 failures") as caught:
            await engine.search(QUERY)

        assert str(error).removeprefix("fake: ").rstrip(".") in caught.value.reason
        assert inner.asked == 5
        assert (caught.value.retryable, caught.value.retry_after) == (False, 30)

    @pytest.mark.parametrize("error", [ODD, KeyRefused("fake", "no"), RateLimited("fake", "slow down")])
    async def test_what_the_engine_merely_refuses_says_nothing_of_its_health(
        self, clock: Any, error: Exception
    ) -> None:
        inner = Scripted(error)

        await self.fail(EngineWithCircuitBreaker(inner, CircuitBreaker(clock)), 9)

        assert inner.asked == 9

    async def test_other_runs_see_the_same_health(self, clock: Any) -> None:
        breaker, other = CircuitBreaker(clock), Scripted([HIT])
        await self.fail(EngineWithCircuitBreaker(Scripted(BUSY), breaker), 5)

        await self.fail(EngineWithCircuitBreaker(other, breaker), 1)

        assert other.asked == 0

    async def test_after_half_a_minute_an_answer_brings_it_back(self, clock: Any) -> None:
        engine = EngineWithCircuitBreaker(Scripted(*[BUSY] * 5, [HIT]), CircuitBreaker(clock))
        await self.fail(engine, 6)
        await clock.sleep(30)

        assert await engine.search(QUERY) == [HIT]

    async def test_a_rate_limit_that_stands_after_waiting_is_a_failure(self, clock: Any) -> None:
        breaker, inner = CircuitBreaker(clock), Scripted(RateLimited("fake", "slow down", retry_after=3))
        engine = EngineWithRetryAfter(EngineWithCircuitBreaker(inner, breaker), clock, breaker=breaker)
        for _ in range(5):
            with pytest.raises(RateLimited):
                await engine.search(QUERY)

        with pytest.raises(ProviderError, match="left alone"):
            await engine.search(QUERY)
        assert inner.asked == 20


class TestLocked:
    async def test_an_engine_that_refused_its_key_is_not_asked_again_in_the_run(self) -> None:
        inner = Scripted(engine_key_refused("brave", "HTTP 401"), [HIT])
        engine = EngineWithKeyLockout(inner)
        for _ in range(3):
            with pytest.raises(KeyRefused, match="Set BRAVE_API_KEY"):
                await engine.search(QUERY)

        assert inner.asked == 1

    async def test_other_failures_lock_nothing(self) -> None:
        engine = EngineWithKeyLockout(Scripted(BUSY, [HIT]))
        with pytest.raises(ProviderError):
            await engine.search(QUERY)

        assert await engine.search(QUERY) == [HIT]


class TestAllTogether:
    def dressed(
        self, inner: Scripted, journal: MemoryJournal, ledger: Ledger, clock: Any, breaker: CircuitBreaker
    ) -> Any:
        shared = SharedLimits(anyio.CapacityLimiter(2), breaker)
        return engine_for_run(inner, shared, journal=journal, key_of=steps.search, ledger=ledger, clock=clock)

    async def test_every_attempt_is_one_metered_step(self, ledger: Ledger, clock: Any) -> None:
        journal = MemoryJournal()
        engine = self.dressed(Scripted(BUSY, [HIT]), journal, ledger, clock, CircuitBreaker(clock))

        assert engine.name == "fake"
        assert await engine.search(QUERY) == [HIT]

        first = steps.search(QUERY, "fake")
        assert journal.keys == [first, f"{first}/2"]
        assert (ledger.used.searches, ledger.held.searches) == (2, 0)

    async def test_an_open_circuit_costs_nothing_and_is_recorded(self, ledger: Ledger, clock: Any) -> None:
        journal, inner = MemoryJournal(), Scripted([HIT])
        engine = self.dressed(inner, journal, ledger, clock, dead(clock))

        with pytest.raises(ProviderError, match="left alone"):
            await engine.search(QUERY)

        assert (inner.asked, ledger.used.searches, clock.slept) == (0, 0, [])
        assert journal.keys == [steps.search(QUERY, "fake")]

    async def test_a_recorded_answer_is_replayed_though_the_circuit_is_open(self, ledger: Ledger, clock: Any) -> None:
        journal = MemoryJournal()
        await self.dressed(Scripted([HIT]), journal, ledger, clock, CircuitBreaker(clock)).search(QUERY)
        inner = Scripted(BUSY)
        again = self.dressed(inner, journal.reopened(), ledger, clock, dead(clock))

        assert await again.search(QUERY) == [HIT]
        assert inner.asked == 0

    async def test_an_answer_of_a_moment_ago_costs_no_search_and_is_recorded(self, ledger: Ledger, clock: Any) -> None:
        journal, inner = MemoryJournal(), Scripted([])
        asked: list[tuple[Query, str]] = []

        async def recent(query: Query, engine: str) -> list[Hit]:
            asked.append((query, engine))
            return [HIT]

        def engine(journal: MemoryJournal) -> Any:
            return engine_for_run(
                inner,
                SharedLimits(anyio.CapacityLimiter(1), dead(clock), Pace("fake", RateSpec(per_day=1), clock)),
                journal=journal,
                key_of=steps.search,
                ledger=ledger,
                clock=clock,
                price=0.005,
                recent=recent,
            )

        assert await engine(journal).search(QUERY) == [HIT]
        assert await engine(journal.reopened()).search(QUERY) == [HIT]

        assert asked == [(QUERY, "fake")]
        assert (inner.asked, ledger.used, ledger.held) == (0, Amount(), Amount())
        assert journal.keys == [steps.search(QUERY, "fake")]
        assert journal.costs == [Used(by="fake")]

    async def test_waiting_to_ask_again_takes_no_ones_turn(self, ledger: Ledger, clock: Any) -> None:
        limiter = anyio.CapacityLimiter(1)
        borrowed: list[float] = []

        class Watching(type(clock)):
            async def sleep(self, seconds: float) -> None:
                borrowed.append(limiter.borrowed_tokens)

        shared = SharedLimits(limiter, CircuitBreaker(clock))
        engine = engine_for_run(
            Scripted(BUSY, [HIT]), shared, journal=MemoryJournal(), key_of=steps.search, ledger=ledger, clock=Watching()
        )
        await engine.search(QUERY)

        assert borrowed == [0]


async def test_a_search_is_known_to_the_broker_while_it_lasts_however_it_ends() -> None:
    broker: Any = AttendingBroker()
    answers = {"ice": [hit("https://a.example/1")], "snow": ProviderError("one", "down")}
    engine = AttendedEngine(FakeEngine(answers), broker)

    assert [one.url for one in await engine.search(Query("ice"))] == ["https://a.example/1"]
    with pytest.raises(ProviderError):
        await engine.search(Query("snow"))

    assert engine.name == "one"
    assert broker.seen == ["begun", "ended"] * 2
