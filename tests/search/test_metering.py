from collections.abc import Collection

import anyio
import pytest
from tests.search.scripted_engines import BUSY, HIT, QUERY, Scripted, forever

from clocks import HandClock
from deepresearch_mcp.budget import Ledger
from deepresearch_mcp.exceptions import BudgetExceeded, DayCeilingMet, ProviderError, UnknownCollection
from deepresearch_mcp.ports.journal import StepRow
from deepresearch_mcp.ports.spending import SpentRow
from deepresearch_mcp.quotas import DAY, Quotas
from deepresearch_mcp.search.errors import engine_key_refused
from deepresearch_mcp.search.metering import DayMeteredEngine, LimitedEngine, MeteredEngine
from deepresearch_mcp.settings.bounds import LimitSettings


class NothingSpent:
    """Implements `ports.spending.Spending`, for a store that nobody else has used."""

    outside = ("outside runs", 0)

    def __init__(self) -> None:
        self.kept: dict[str, float] = {}

    async def since(self, moment: float, *, without: Collection[tuple[str, int]] = ()) -> list[SpentRow]:
        return []

    async def begin(self, caller: str, usd: float, at: float) -> str:
        key = f"{caller}/{len(self.kept)}"
        self.kept[key] = usd
        return key

    async def correct(self, key: str, usd: float) -> None:
        self.kept[key] = usd

    async def steps(self, run_id: str) -> list[StepRow]:
        return []


class TestMetered:
    async def test_an_answer_is_one_search_used(self, ledger: Ledger) -> None:
        assert await MeteredEngine(Scripted([HIT]), ledger).search(QUERY) == [HIT]

        assert (ledger.used.searches, ledger.held.searches) == (1, 0)

    async def test_a_failure_after_sending_is_one_too(self, ledger: Ledger) -> None:
        with pytest.raises(ProviderError):
            await MeteredEngine(Scripted(BUSY), ledger).search(QUERY)

        assert (ledger.used.searches, ledger.held.searches) == (1, 0)

    @pytest.mark.parametrize("error", [engine_key_refused("brave", "empty"), UnknownCollection("There is none.")])
    async def test_what_was_never_sent_is_none(self, ledger: Ledger, error: Exception) -> None:
        with pytest.raises(type(error)):
            await MeteredEngine(Scripted(error), ledger).search(QUERY)

        assert (ledger.used.searches, ledger.held.searches) == (0, 0)

    async def test_the_ceiling_stops_a_query_before_it_is_asked(self, ledger: Ledger) -> None:
        inner = Scripted([HIT])
        engine = MeteredEngine(inner, ledger)
        await engine.search(QUERY)
        await engine.search(QUERY)

        with pytest.raises(BudgetExceeded):
            await engine.search(QUERY)
        assert inner.asked == 2

    async def test_a_query_under_way_is_held_and_a_cancelled_one_counts(self, ledger: Ledger) -> None:
        async with anyio.create_task_group() as group:
            group.start_soon(MeteredEngine(Scripted(forever), ledger).search, QUERY)
            await anyio.wait_all_tasks_blocked()
            assert (ledger.used.searches, ledger.held.searches) == (0, 1)
            group.cancel_scope.cancel()

        assert (ledger.used.searches, ledger.held.searches) == (1, 0)


class TestOfTheDay:
    """Queries that belong to no run."""

    async def test_what_a_query_costs_is_taken_from_the_day_and_no_more_is(self) -> None:
        clock = HandClock()
        quotas = Quotas(LimitSettings(usd_per_day=0.012), NothingSpent(), clock)
        inner = Scripted([HIT], BUSY, [HIT])
        engine = DayMeteredEngine(inner, quotas.outside_runs("me"), 0.005)

        assert await engine.search(QUERY) == [HIT]
        with pytest.raises(ProviderError):
            await engine.search(QUERY)
        with pytest.raises(DayCeilingMet, match="usd_per_day"):
            await engine.search(QUERY)

        assert inner.asked == 2
        assert await quotas.left("you") == {"limits.usd_per_day": pytest.approx(0.002)}
        clock.advance(DAY + 1)
        assert await engine.search(QUERY) == [HIT]

    async def test_a_query_that_was_not_sent_and_a_free_one_cost_nothing(self) -> None:
        spending = NothingSpent()
        quotas = Quotas(LimitSettings(usd_per_day=0.01), spending, HandClock())
        share = quotas.outside_runs("me")
        with pytest.raises(ProviderError):
            await DayMeteredEngine(Scripted(engine_key_refused("brave", "empty")), share, 0.01).search(QUERY)

        assert await DayMeteredEngine(Scripted([HIT]), share, 0.0).search(QUERY) == [HIT]
        assert await quotas.left("me") == {"limits.usd_per_day": pytest.approx(0.01)}
        assert sum(spending.kept.values()) == 0.0

    async def test_the_price_is_kept_before_a_query_is_sent_and_stays_if_that_is_cancelled(self) -> None:
        spending = NothingSpent()
        share = Quotas(LimitSettings(), spending, HandClock()).outside_runs("me")
        async with anyio.create_task_group() as group:
            group.start_soon(DayMeteredEngine(Scripted(forever), share, 0.005).search, QUERY)
            await anyio.wait_all_tasks_blocked()
            assert list(spending.kept.values()) == [0.005]
            group.cancel_scope.cancel()

        assert list(spending.kept.values()) == [0.005]


class TestLimited:
    async def test_a_query_waits_for_its_turn(self) -> None:
        inner = Scripted(forever)
        engine = LimitedEngine(inner, anyio.CapacityLimiter(2))

        async with anyio.create_task_group() as group:
            for _ in range(3):
                group.start_soon(engine.search, QUERY)
            await anyio.wait_all_tasks_blocked()
            assert inner.asked == 2
            group.cancel_scope.cancel()
