import anyio
import pytest
from tests.search.scripted_engines import BUSY, HIT, QUERY, Scripted, forever

from deepresearch_mcp.budget import Ledger
from deepresearch_mcp.exceptions import BudgetExceeded, ProviderError, UnknownCollection
from deepresearch_mcp.search.errors import engine_key_refused
from deepresearch_mcp.search.metering import LimitedEngine, MeteredEngine


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
