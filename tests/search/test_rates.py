from typing import Any

import anyio
import httpx2
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import SecretStr
from tests.search.scripted_engines import HIT, QUERY, Scripted

from clocks import HandClock
from deepresearch_mcp.breaker import CircuitBreaker
from deepresearch_mcp.budget import Amount, Ledger
from deepresearch_mcp.exceptions import UNREACHABLE, BudgetExceeded, ProviderError, RateLimited
from deepresearch_mcp.records.request import EFFORTS
from deepresearch_mcp.records.sources import Query
from deepresearch_mcp.records.spec_types import EngineSpec, KeySpec, RateSpec
from deepresearch_mcp.search.errors import provider_errors
from deepresearch_mcp.search.metering import LimitedEngine, MeteredEngine
from deepresearch_mcp.search.rates import LONGEST_WAIT, Pace, PacedEngine, rate_of
from deepresearch_mcp.search.wrappers import EngineWithCircuitBreaker
from deepresearch_mcp.settings.schema import SearchSettings

KEYED, KEYLESS = RateSpec(per_second=10), RateSpec(per_minute=20)


class Timed(Scripted):
    """Notes when it is asked."""

    def __init__(self, clock: HandClock, *script: Any) -> None:
        super().__init__(*(script or ([HIT],)))
        self.clock = clock
        self.at: list[float] = []

    async def search(self, query: Query, *, needs: tuple[str, ...] = ()) -> Any:
        self.at.append(round(self.clock.monotonic() - 1000, 3))
        return await super().search(query, needs=needs)


async def ask_all(engines: list[PacedEngine], clock: HandClock, seconds: float) -> None:
    """Put a query to each engine at once and let time pass."""
    async with anyio.create_task_group() as tasks:
        for number, engine in enumerate(engines):
            tasks.start_soon(engine.search, Query(f"ice {number}"))
        for _ in range(int(seconds * 10)):
            await anyio.wait_all_tasks_blocked()
            clock.advance(0.1)


@pytest.mark.parametrize(
    ("rate", "queries", "times"),
    [
        (RateSpec(), 3, [0, 0, 0]),
        (RateSpec(per_second=1), 3, [0, 1, 2]),
        (RateSpec(per_second=0.2), 3, [0, 5, 10]),
        (RateSpec(per_second=1.5), 3, [0, 1, 2]),
        (RateSpec(per_second=2), 5, [0, 0, 1, 1, 2]),
        (RateSpec(per_minute=2), 3, [0, 0, 60]),
        (RateSpec(per_second=1, per_minute=2), 3, [0, 1, 60]),
    ],
)
async def test_runs_together_ask_an_engine_as_often_as_it_allows(
    rate: RateSpec, queries: int, times: list[float]
) -> None:
    clock = HandClock()
    engine = Timed(clock)
    pace = Pace("fake", rate, clock)

    await ask_all([PacedEngine(engine, pace) for _ in range(queries)], clock, times[-1] + 1)

    assert engine.at == pytest.approx(times, abs=0.11)


@given(
    st.lists(st.floats(0, 30), max_size=30),
    st.builds(RateSpec, st.sampled_from([0, 0.3, 1, 1.5, 4]), st.integers(0, 9), st.integers(0, 20)),
)
def test_no_span_holds_more_queries_than_it_may(pauses: list[float], rate: RateSpec) -> None:
    clock, sent = HandClock(), list[float]()
    pace = Pace("fake", rate, clock)
    for pause in pauses:
        clock.advance(pause)
        try:
            taken = pace.take()
        except ProviderError:
            assert len(sent) == rate.per_day
            continue
        if taken is not None:
            sent.append(taken)

    for seconds, most in ((1.0, rate.per_second), (60.0, rate.per_minute), (86_400.0, rate.per_day)):
        for begin in sent if most else ():
            within = sum(begin <= at < begin + seconds for at in sent)
            assert within <= max(1, most)


async def test_a_spent_day_fails_at_once_and_says_when_it_is_over() -> None:
    clock = HandClock(auto=True)
    engine = PacedEngine(Scripted([HIT]), Pace("fake", RateSpec(per_day=2), clock))
    await engine.search(Query("a"))
    clock.advance(3600)
    await engine.search(Query("b"))

    with pytest.raises(ProviderError, match=r"2 queries that it allows in a day are used up.*in 23 hours") as caught:
        await engine.search(QUERY)

    assert (caught.value.retryable, caught.value.retry_after, clock.slept) == (False, 82_800, [])
    clock.advance(82_801)
    assert await engine.search(QUERY) == [HIT]


async def test_what_would_wait_too_long_is_refused_at_once() -> None:
    clock = HandClock()
    engine = PacedEngine(Timed(clock), Pace("fake", RateSpec(per_second=0.05), clock))
    refused: list[str] = []

    async def ask(number: int) -> None:
        try:
            await engine.search(Query(f"ice {number}"))
        except ProviderError as error:
            refused.append(str(error))

    async with anyio.create_task_group() as tasks:
        for number in range(6):
            tasks.start_soon(ask, number)
        await anyio.wait_all_tasks_blocked()
        assert len(refused) == 2
        assert f"within {LONGEST_WAIT:g} s" in refused[0]
        assert "search.rates" in refused[0]
        for _ in range(4):
            clock.advance(20)
            await anyio.wait_all_tasks_blocked()

    assert len(refused) == 2


async def test_a_query_that_waits_for_its_turn_holds_no_money_and_no_place() -> None:
    clock = HandClock()
    ledger, limiter = Ledger(EFFORTS["quick"], clock), anyio.CapacityLimiter(2)
    pace = Pace("fake", RateSpec(per_second=1), clock)

    def engine() -> PacedEngine:
        return PacedEngine(LimitedEngine(MeteredEngine(Scripted([HIT]), ledger, 0.005), limiter), pace)

    await engine().search(Query("first"))
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(engine().search, QUERY)
        await anyio.wait_all_tasks_blocked()
        assert (ledger.held, limiter.borrowed_tokens, clock.sleepers) == (Amount(), 0, 1)
        clock.advance(1)

    assert ledger.used.searches == 2


async def test_a_turn_that_another_took_meanwhile_is_waited_for_again_without_money() -> None:
    clock = HandClock()
    ledger, limiter = Ledger(EFFORTS["quick"], clock), anyio.CapacityLimiter(1)
    inner = Timed(clock)
    pace = Pace("fake", RateSpec(per_second=1), clock)
    engine = PacedEngine(LimitedEngine(MeteredEngine(inner, ledger, 0.005), limiter), pace)

    async with anyio.create_task_group() as tasks:
        async with limiter:
            tasks.start_soon(engine.search, QUERY)
            await anyio.wait_all_tasks_blocked()
            assert pace.take() is not None
        await anyio.wait_all_tasks_blocked()
        assert (inner.asked, ledger.held, limiter.borrowed_tokens) == (0, Amount(), 0)
        clock.advance(1)

    assert inner.at == [1]


async def test_a_refusal_by_a_ceiling_takes_no_turn() -> None:
    clock = HandClock()
    ledger = Ledger(EFFORTS["quick"].model_copy(update={"max_searches": 0}), clock)
    pace = Pace("fake", RateSpec(per_second=1), clock)

    with pytest.raises(BudgetExceeded):
        await PacedEngine(MeteredEngine(Scripted([HIT]), ledger), pace).search(QUERY)

    assert pace.take() is not None


async def test_a_query_that_was_not_sent_gives_its_turn_back() -> None:
    clock = HandClock()
    pace = Pace("fake", RateSpec(per_second=1), clock)
    with pytest.raises(ProviderError, match=UNREACHABLE), provider_errors("fake"):
        await PacedEngine(Scripted(_unconnected()), pace).search(QUERY)

    assert pace.take() is not None


def _unconnected() -> ProviderError:
    error = ProviderError("fake", UNREACHABLE, retryable=True)
    error.__cause__ = httpx2.ConnectError("refused")
    return error


async def test_a_service_that_asks_for_patience_is_left_alone_by_all_runs() -> None:
    clock = HandClock()
    pace = Pace("fake", RateSpec(per_second=5), clock)
    with pytest.raises(RateLimited):
        await PacedEngine(Scripted(RateLimited("fake", "busy", retry_after=7)), pace).search(QUERY)
    other = Timed(clock)

    await ask_all([PacedEngine(other, pace)], clock, 8)

    assert other.at == pytest.approx([7], abs=0.11)


@pytest.mark.parametrize(
    ("settings", "rate"),
    [
        (SearchSettings(), KEYLESS),
        (SearchSettings(tavily_key=SecretStr("k")), KEYED),
        (SearchSettings(rates={"tavily": 7}), RateSpec(per_minute=7)),
        (SearchSettings(rates={"tavily": 0}), RateSpec()),
        (SearchSettings(day_rates={"tavily": 9}), KEYLESS._replace(per_day=9)),
        (SearchSettings(rates={"tavily": 7}, day_rates={"tavily": 9}), RateSpec(per_minute=7, per_day=9)),
        (SearchSettings(tavily_key=SecretStr("k"), day_rates={"tavily": 0}), KEYED._replace(per_day=0)),
    ],
)
def test_the_rate_follows_the_key_and_users_override_it(settings: SearchSettings, rate: RateSpec) -> None:
    spec = EngineSpec(
        "tavily", "", "", key=KeySpec("", ("TAVILY_API_KEY",), optional=True), rate=KEYED, keyless_rate=KEYLESS
    )

    assert rate_of(spec, settings) == rate
    assert rate_of(EngineSpec("tavily", "", ""), SearchSettings()) == RateSpec()


async def test_an_open_circuit_is_told_without_waiting_for_an_unused_turn() -> None:
    clock = HandClock()
    breaker = CircuitBreaker(clock)
    for _ in range(5):
        breaker.failed("fake")
    engine = PacedEngine(
        EngineWithCircuitBreaker(Scripted([HIT]), breaker), Pace("fake", RateSpec(per_second=0.2), clock)
    )

    for text in ("a", "b", "c"):
        with pytest.raises(ProviderError, match="left alone"):
            await engine.search(Query(text))

    assert clock.slept == []
