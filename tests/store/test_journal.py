import random
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import anyio
import pytest
from anyio.lowlevel import checkpoint
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel

from clocks import HandClock
from deepresearch_mcp.exceptions import DuplicateStep, JournalError, OwnershipLost, UnknownRun
from deepresearch_mcp.ports.journal import Journal, Step, Used
from deepresearch_mcp.ports.store import Store
from deepresearch_mcp.records.request import ResearchRequest
from deepresearch_mcp.store.sqlite import open_sqlite_store

Create = Callable[..., Any]


class Answer(BaseModel):
    text: str
    usd: float = 0.0


@dataclass(frozen=True)
class Asked:
    query: str
    domains: frozenset[str] = frozenset()


class Calls:
    """A service that counts what it is asked."""

    def __init__(self, result: Any = "ice") -> None:
        self.count = 0
        self.result = result

    async def __call__(self) -> Any:
        self.count += 1
        await checkpoint()
        if isinstance(self.result, Exception):
            raise self.result
        return self.result


async def test_a_step_returns_its_result_and_leaves_a_whole_row(store: Store, create: Create, clock: HandClock) -> None:
    await create(store)
    answer = Answer(text="because", usd=0.01)

    def spent(answer: Answer) -> Used:
        return Used(by="test:one", role="reader", usd=answer.usd, input_tokens=7)

    async def ask() -> Answer:
        clock.advance(2.5)
        return answer

    async with store.journal("r1") as journal:
        at = Step("read/q1/3f9c", depends_on=("fetch/a", "fetch/b"))
        given_back = await journal.step(at, ask, kind="model", result=Answer, request=Asked("q"), used=spent)
        [row] = await journal.rows()

    assert given_back is answer
    assert (row.key, row.kind, row.status, row.attempt) == ("read/q1/3f9c", "model", "done", 1)
    assert row.needs == ("fetch/a", "fetch/b")
    assert row.result == '{"text":"because","usd":0.01}'
    assert (row.cost, row.error) == (0.01, None)
    assert row.used == Used(by="test:one", role="reader", usd=0.01, input_tokens=7)
    assert row.ended is not None
    assert row.ended - row.started == 2.5
    assert len(row.request) == 32


async def test_the_row_says_started_while_the_call_is_under_way(store: Store, create: Create) -> None:
    await create(store)
    async with store.journal("r1") as journal:

        async def look() -> str:
            [row] = await journal.rows()
            return row.status

        assert await journal.step(Step("k"), look, kind="fetch", result=str) == "started"


async def test_a_key_is_used_once_in_a_life(store: Store, create: Create) -> None:
    await create(store)
    call = Calls()
    async with store.journal("r1") as journal:
        await journal.step(Step("k"), call, kind="search", result=str)

        with pytest.raises(DuplicateStep, match="'k'"):
            await journal.step(Step("k"), call, kind="search", result=str)

    assert call.count == 1


async def test_the_next_life_replays_what_is_done_without_calling(store: Store, create: Create) -> None:
    await create(store)
    request = Asked("q", frozenset({"a.org", "b.org"}))
    async with store.journal("r1") as journal:
        first = await journal.step(
            Step("k"), Calls([Answer(text="x")]), kind="model", result=list[Answer], request=request
        )

    again = Calls([Answer(text="other")])
    async with store.journal("r1") as journal:
        replayed = await journal.step(Step("k"), again, kind="model", result=list[Answer], request=request)
        rows = await journal.rows()

    assert replayed == first
    assert again.count == 0
    assert [row.attempt for row in rows] == [1]


async def test_another_request_under_the_same_key_is_asked_anew(store: Store, create: Create) -> None:
    await create(store)
    async with store.journal("r1") as journal:
        await journal.step(Step("k"), Calls("old"), kind="model", result=str, request={"q": 1})

    async with store.journal("r1") as journal:
        assert await journal.step(Step("k"), Calls("new"), kind="model", result=str, request={"q": 2}) == "new"
        [row] = await journal.rows()

    assert (row.attempt, row.result, row.status) == (2, '"new"', "done")


async def test_a_record_that_cannot_be_read_any_more_is_made_again(store: Store, create: Create) -> None:
    await create(store)
    async with store.journal("r1") as journal:
        await journal.step(Step("k"), Calls("words"), kind="model", result=str)

    async with store.journal("r1") as journal:
        assert await journal.step(Step("k"), Calls(7), kind="model", result=int) == 7


async def test_an_error_is_written_down_and_raised_and_tried_again_in_the_next_life(
    store: Store, create: Create
) -> None:
    await create(store)
    async with store.journal("r1") as journal:
        with pytest.raises(ValueError, match="no answer"):
            await journal.step(Step("k"), Calls(ValueError("no answer \ud800")), kind="model", result=str)
        [row] = await journal.rows()

    assert (row.status, row.error, row.result) == ("error", "ValueError: no answer ?", None)
    async with store.journal("r1") as journal:
        assert await journal.step(Step("k"), Calls("now"), kind="model", result=str) == "now"
        [row] = await journal.rows()
    assert (row.status, row.error, row.attempt) == ("done", None, 2)


async def test_a_result_of_the_wrong_type_is_our_fault_and_says_which_step(store: Store, create: Create) -> None:
    await create(store)
    async with store.journal("r1") as journal:
        with pytest.raises(JournalError, match=r"'k' returned a str"):
            await journal.step(Step("k"), Calls("seven"), kind="decision", result=int)
        [row] = await journal.rows()

    assert row.status == "error"


async def test_a_call_cancelled_under_way_stays_in_doubt(store: Store, create: Create) -> None:
    await create(store)
    async with store.journal("r1") as journal:
        under_way = anyio.Event()

        async def hang() -> str:
            under_way.set()
            await anyio.sleep_forever()
            return ""

        async with anyio.create_task_group() as tasks:
            tasks.start_soon(lambda: journal.step(Step("k"), hang, kind="model", result=str))
            await under_way.wait()
            tasks.cancel_scope.cancel()
        [row] = await journal.rows()

    assert (row.status, row.ended) == ("started", None)
    async with store.journal("r1") as journal:
        assert await journal.step(Step("k"), Calls("now"), kind="model", result=str) == "now"
        [row] = await journal.rows()
    assert row.attempt == 2


async def test_a_cancellation_right_after_the_call_still_records_what_was_paid_for(
    store: Store, create: Create
) -> None:
    await create(store)
    returned: list[str] = []
    async with store.journal("r1") as journal:
        with anyio.CancelScope() as scope:

            async def answer_and_cancel() -> str:
                scope.cancel()
                return "paid"

            returned.append(await journal.step(Step("k"), answer_and_cancel, kind="model", result=str))
            await checkpoint()
            returned.append("not cancelled")
        [row] = await journal.rows()

    assert returned == ["paid"]
    assert (row.status, row.result) == ("done", '"paid"')


async def test_a_step_that_is_cancelled_before_it_starts_leaves_nothing(store: Store, create: Create) -> None:
    await create(store)
    call = Calls()
    async with store.journal("r1") as journal:
        with anyio.CancelScope() as scope:
            scope.cancel()
            await journal.step(Step("k"), call, kind="model", result=str)
        assert await journal.rows() == []
    assert call.count == 0


async def test_a_run_taken_over_refuses_the_old_owners_next_write(store: Store, other: Store, create: Create) -> None:
    await create(store)
    with pytest.raises(OwnershipLost, match="belongs to another process"):
        async with other.journal("r1"):
            pass
    with pytest.raises(UnknownRun):
        async with store.journal("none"):
            pass


async def test_an_owner_wrongly_taken_for_dead_cannot_write_on(place: Any, create: Create) -> None:
    async with place() as store, place() as other:
        await create(store)
        async with store.journal("r1") as journal:

            async def lose() -> str:
                other.runs._owners.living = lambda conn: lambda owner: False  # pyright: ignore[reportPrivateUsage] - no lock can be lost on purpose
                await other.runs.request_cancel("r1", 101.0)
                return "too late"

            with pytest.raises(OwnershipLost):
                await journal.step(Step("k"), lose, kind="model", result=str)
            with pytest.raises(OwnershipLost):
                await journal.step(Step("l"), Calls(), kind="model", result=str)
            assert [(row.key, row.status) for row in await journal.rows()] == [("k", "started")]
        assert not await store.runs.move("r1", 102.0, stage="planning")


async def test_rows_come_in_the_order_in_which_they_started(store: Store, create: Create, clock: HandClock) -> None:
    await create(store)
    async with store.journal("r1") as journal:
        for key in ("z", "y", "x"):
            await journal.step(Step(key), Calls(), kind="search", result=str)
        assert [row.key for row in await journal.rows()] == ["z", "y", "x"]
    clock.advance(1)
    async with store.journal("r1") as journal:
        await journal.step(Step("y"), Calls(), kind="search", result=str, request="new")
        assert [row.key for row in await journal.rows()] == ["z", "x", "y"]


async def _two_steps(journal: Journal, branch: int, yields: list[int], called: list[str]) -> tuple[str, str]:
    async def ask(what: str) -> str:
        called.append(what)
        for _ in range(yields[branch % len(yields)]):
            await checkpoint()
        return what

    first = await journal.step(
        Step(f"a/{branch}"), lambda: ask(f"a{branch}"), kind="search", result=str, request=branch
    )
    second = await journal.step(Step(f"b/{branch}"), lambda: ask(f"b{branch}"), kind="model", result=str, request=first)
    return first, second


@settings(max_examples=12)
@given(st.lists(st.integers(0, 6), min_size=1, max_size=8), st.integers(0, 30))
async def test_branches_side_by_side_keep_their_own_results_through_a_cancellation_and_a_resume(
    yields: list[int], patience: int
) -> None:
    with TemporaryDirectory() as folder:
        async with open_sqlite_store(Path(folder), HandClock()) as store:
            await store.runs.create("r1", "me", ResearchRequest(question="q"), "f", 1.0)
            called: list[str] = []
            async with store.journal("r1") as journal:
                async with anyio.create_task_group() as tasks:
                    for branch in range(8):
                        tasks.start_soon(_two_steps, journal, branch, yields, called)
                    for _ in range(patience):
                        await checkpoint()
                    tasks.cancel_scope.cancel()
                recorded = {row.result for row in await journal.rows() if row.status == "done"}

            results: dict[int, tuple[str, str]] = {}
            again: list[str] = []
            order = list(range(8))
            random.Random(patience).shuffle(order)
            async with store.journal("r1") as journal, anyio.create_task_group() as tasks:

                async def keep(branch: int) -> None:
                    results[branch] = await _two_steps(journal, branch, yields, again)

                for branch in order:
                    tasks.start_soon(keep, branch)

            assert results == {branch: (f"a{branch}", f"b{branch}") for branch in range(8)}
            assert not {f'"{what}"' for what in again} & recorded
