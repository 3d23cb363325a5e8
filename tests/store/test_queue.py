"""Runs that nobody owns yet: their order, who may take them, and that each is taken once."""

from collections.abc import Callable
from typing import Any

import anyio
import pytest
from hypothesis import given
from hypothesis import strategies as some

from clocks import HandClock
from deepresearch_mcp.ports.queue import QueuePosition
from deepresearch_mcp.ports.store import Store
from deepresearch_mcp.records.principal import CallerLimits
from deepresearch_mcp.records.request import ResearchRequest
from deepresearch_mcp.store.runs import SqlRuns
from deepresearch_mcp.store.sqlite import open_sqlite_store

Create = Callable[..., Any]

MORE = ResearchRequest(question="Why does ice float?", max_usd=3)


async def names(store: Store, **given: Any) -> list[str]:
    return [row.run_id for row in await store.runs.waiting("same", **given)]


@pytest.fixture
def queue(create: Create) -> Callable[..., Any]:
    """Puts a run into the queue."""

    async def put(store: Store, run_id: str, caller: str = "me", now: float = 100.0, **fields: Any) -> None:
        row = await create(store, run_id, caller=caller, now=now, queued=True, **{"setup": "same"} | fields)
        assert (row.status, row.owner, row.fence) == ("queued", None, 0)

    return put


async def test_a_queued_run_stays_queued_when_the_server_that_took_it_in_is_gone(
    store: Store, place: Any, queue: Callable[..., Any]
) -> None:
    async with place() as gone:
        await queue(gone, "r1")

    row = await store.runs.get("r1")
    assert row is not None
    assert row.status == "queued"
    assert [one.run_id for one in await store.runs.find(status="queued")] == ["r1"]
    assert await store.runs.find(status="interrupted") == []
    assert await store.runs.adopt("same", 200.0, 8) == []
    assert await names(store) == ["r1"]


class Twice:
    """A database whose connection broke after each commit, before anybody heard of it: all is asked a second time."""

    def __init__(self, inner: Any) -> None:
        self._inner = inner

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    async def write(self, fn: Callable[..., Any]) -> Any:
        await self._inner.write(fn)
        return await self._inner.write(fn)

    async def change(self, sql: str, values: Any) -> int:
        await self._inner.change(sql, values)
        return await self._inner.change(sql, values)


async def test_a_run_is_put_back_and_taken_up_once_though_the_connection_broke_after_the_commit(
    store: Store, create: Create
) -> None:
    runs: Any = store.runs
    hasty = SqlRuns(Twice(runs._database), runs._owners)
    await create(store, setup="same")
    await store.runs.move("r1", 150.0, status="failed")

    again = await hasty.revive("r1", MORE, "same", 200.0)

    assert again is not None
    assert again == await store.runs.get("r1")
    taken = await hasty.claim("r1", "same", 300.0)
    assert taken is not None
    assert (taken.status, taken.fence, taken.request) == ("running", again.fence + 1, MORE)
    assert await store.runs.revive("r1", MORE, "same", 400.0) is None


async def test_of_two_servers_that_want_the_same_run_one_gets_it(
    store: Store, other: Store, queue: Callable[..., Any]
) -> None:
    await queue(store, "r1")
    taken: list[Any] = []

    async def take(by: Store) -> None:
        taken.append(await by.runs.claim("r1", "same", 200.0))

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(take, store)
        tasks.start_soon(take, other)

    [row] = filter(None, taken)
    assert (row.status, row.fence, row.updated) == ("running", 1, 200.0)
    assert await names(store) == []


async def test_a_run_that_is_claimed_can_be_written_to_by_who_claimed_it_alone(
    store: Store, other: Store, queue: Callable[..., Any]
) -> None:
    await queue(store, "r1")
    assert not await store.runs.move("r1", 150.0, stage="planning")
    await other.runs.claim("r1", "same", 200.0)

    assert not await store.runs.move("r1", 300.0, stage="planning")
    assert await other.runs.move("r1", 300.0, stage="planning")


async def test_the_oldest_comes_first_and_only_what_may_be_taken_is_offered(
    store: Store, create: Create, queue: Callable[..., Any]
) -> None:
    for name, now in (("third", 300.0), ("first", 100.0), ("second", 200.0)):
        await queue(store, name, now=now)
    await queue(store, "foreign", setup="another")
    await queue(store, "cancelled")
    await store.runs.request_cancel("cancelled", 150.0)
    await create(store, "owned", setup="same")

    assert await names(store) == ["first", "second", "third"]
    assert await names(store, limit=1) == ["first"]
    assert await names(store, of={"third", "owned"}) == ["third"]
    assert await names(store, of=()) == []
    for name in ("foreign", "cancelled", "owned", "unknown"):
        assert await store.runs.claim(name, "same", 200.0) is None


async def test_a_caller_with_all_places_taken_holds_up_no_one_else(
    store: Store, other: Store, create: Create, queue: Callable[..., Any]
) -> None:
    await create(other, "working", caller="greedy", setup="another")
    for number in range(5):
        await queue(store, f"g{number}", "greedy", 100.0 + number)
    await queue(store, "m1", "modest", 200.0)

    assert await names(store, per_caller=1) == ["m1"]
    assert await names(store, per_caller=2) == ["m1", "g0"]
    assert await names(store, per_caller=2, limit=1) == ["m1"]
    assert await store.runs.claim("g0", "same", 300.0, per_caller=1) is None
    assert await store.runs.claim("m1", "same", 300.0, per_caller=1) is not None
    assert await store.runs.claim("g0", "same", 300.0) is not None


async def test_callers_take_turns_whatever_one_of_them_has_queued_before(
    store: Store, other: Store, create: Create, queue: Callable[..., Any]
) -> None:
    await create(other, "working", caller="busy", setup="another")
    for number in range(4):
        await queue(store, f"g{number}", "greedy", 100.0 + number)
    await queue(store, "b1", "busy", 150.0)
    await queue(store, "m1", "modest", 200.0)
    await queue(store, "m2", "modest", 201.0)

    assert await names(store) == ["g0", "m1", "g1", "b1", "m2", "g2", "g3"]
    assert await names(store, limit=2) == ["g0", "m1"]
    places = [(await store.runs.position(row)).place for row in await store.runs.waiting("same")]
    assert places == [*range(1, 8)]
    assert await store.runs.claim("g0", "same", 300.0) is not None
    # Now a run of another caller is next, also for a process with one place.
    assert await names(store, limit=1) == ["m1"]
    assert [await store.runs.waiting_of(one) for one in ("greedy", "modest", "nobody")] == [3, 2, 0]


async def test_a_token_may_say_how_many_runs_its_caller_has_at_once(store: Store, queue: Callable[..., Any]) -> None:
    _, row = await store.tokens.create("ci", ["runs:write"], 100.0, limits=CallerLimits(runs_at_once=1))
    for number in range(3):
        await queue(store, f"o{number}", row.caller, 100.0 + number)
    await queue(store, "m1", "modest", 200.0)

    assert await names(store) == ["o0", "m1"]
    assert await store.runs.claim("o0", "same", 300.0) is not None
    assert await names(store) == ["m1"]
    assert await store.runs.claim("o1", "same", 300.0) is None


async def test_what_a_dead_server_left_takes_no_callers_place(
    store: Store, place: Any, create: Create, queue: Callable[..., Any]
) -> None:
    async with place() as gone:
        await create(gone, "orphan", setup="same")
    await queue(store, "r1")

    assert await names(store, per_caller=1) == ["r1"]
    assert await store.runs.claim("r1", "same", 200.0, per_caller=1) is not None


@given(
    callers=some.lists(some.sampled_from("abc"), max_size=12),
    per_caller=some.integers(1, 4),
    room=some.integers(1, 8),
)
async def test_a_claim_of_what_is_offered_never_gives_a_caller_more_than_their_places(
    callers: list[str], per_caller: int, room: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    clock = HandClock()
    async with open_sqlite_store(tmp_path_factory.mktemp("queue"), clock) as store:
        for number, caller in enumerate(callers):
            name, at = f"r{number:02}", float(number)
            await store.runs.create(name, caller, MORE, "f", at, setup="same", queued=True)
        offered = await store.runs.waiting("same", per_caller=per_caller, limit=room)
        taken = [await store.runs.claim(row.run_id, "same", 50.0, per_caller=per_caller) for row in offered]

        at_work = [row.caller for row in taken if row]
        # All that is offered can be taken, and where room is left every caller has all places or no run left.
        assert len(at_work) == len(offered)
        assert all(at_work.count(caller) <= per_caller for caller in callers)
        if len(offered) < room:
            assert all(at_work.count(caller) == min(per_caller, callers.count(caller)) for caller in callers)
        for caller in set(callers):
            mine = [row.run_id for row in offered if row.caller == caller]
            assert mine == [f"r{n:02}" for n, one in enumerate(callers) if one == caller][: len(mine)]


async def test_the_place_in_the_queue_counts_what_the_same_servers_may_take(
    store: Store, other: Store, create: Create, queue: Callable[..., Any]
) -> None:
    await create(other, "working")
    for number in range(3):
        await queue(store, f"r{number}", now=100.0)
    await queue(store, "foreign", setup="another", now=50.0)

    async def standing(run_id: str) -> QueuePosition:
        row = await store.runs.get(run_id)
        assert row is not None
        return await store.runs.position(row)

    assert await standing("r0") == QueuePosition(1, 3, 1)
    assert await standing("r2") == QueuePosition(3, 3, 1)
    assert await standing("foreign") == QueuePosition(1, 1, 1)
    await store.runs.claim("r0", "same", 200.0)
    assert await standing("r2") == QueuePosition(2, 2, 2)
    assert (await standing("r0")).place == 0


async def test_a_run_that_lost_its_server_is_put_back_into_the_queue_once(
    store: Store, place: Any, create: Create
) -> None:
    async with place() as gone:
        await create(gone, "r1", setup="same")
        await gone.runs.move("r1", 150.0, stage="planning", progress={"seconds": 7.0})

    [row] = await store.runs.adopt("same", 200.0, 8)
    assert row == await store.runs.get("r1")
    assert (row.status, row.stage, row.owner, row.fence) == ("queued", "created", None, 2)
    assert row.progress == {"seconds": 7.0}
    assert await store.runs.adopt("same", 200.0, 8) == []


async def test_an_ended_run_is_gone_on_with_through_the_queue(store: Store, create: Create) -> None:
    await create(store)
    await store.runs.move("r1", 150.0, status="completed", progress={"seconds": 7.0})
    assert await store.runs.revive("r1", MORE, "same", 200.0) is None

    row = await store.runs.revive("r1", MORE, "same", 200.0, complete=True)

    assert row == await store.runs.get("r1")
    assert row is not None
    assert (row.status, row.ended, row.progress, row.request) == ("queued", None, None, MORE)
    assert await names(store) == ["r1"]
    # As long as it waits, its ceilings and its setup can be changed again.
    assert await store.runs.revive("r1", MORE, "another", 300.0) is not None
    assert await names(store) == []


async def test_a_queued_run_is_joined_cancelled_and_deleted_like_any_other(
    store: Store, other: Store, queue: Callable[..., Any]
) -> None:
    for name in ("r1", "r2"):
        await queue(store, name, fingerprint=name)
    joined = await other.runs.joinable("me", "r1", 0.0)
    assert joined is not None
    assert joined.run_id == "r1"

    assert await other.runs.request_cancel("r1", 200.0)
    cancelled = await store.runs.get("r1")
    assert cancelled is not None
    assert (cancelled.status, cancelled.ended) == ("cancelled", 200.0)
    assert await other.runs.delete("r2", 400.0) is not None
    assert await names(store) == []
