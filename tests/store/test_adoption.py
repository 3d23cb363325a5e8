"""Which process resumes a run whose owner is gone."""

from collections.abc import Callable
from typing import Any

import anyio
import pytest

from deepresearch_mcp.exceptions import OwnershipLost
from deepresearch_mcp.ports.journal import Step
from deepresearch_mcp.ports.store import Store
from deepresearch_mcp.records.consent import InputRequest, Reply
from deepresearch_mcp.records.request import ResearchRequest
from deepresearch_mcp.records.run import RunRow

Create = Callable[..., Any]


@pytest.fixture
def orphan(place: Any, create: Create) -> Callable[..., Any]:
    """A run whose owner is gone."""

    async def make(run_id: str = "r1", **fields: Any) -> None:
        async with place() as gone:
            await create(gone, run_id, **fields)

    return make


async def value() -> str:
    return "paid for"


async def take_over(store: Store, now: float = 200.0) -> list[RunRow]:
    """Adopt and claim every orphan of the setup `same`."""
    await store.runs.adopt("same", now, 8)
    rows = [await store.runs.claim(row.run_id, "same", now) for row in await store.runs.waiting("same")]
    return [row for row in rows if row]


async def test_a_run_whose_owner_is_gone_is_taken_over_once_with_a_higher_fence(
    store: Store, other: Store, orphan: Callable[..., Any]
) -> None:
    await orphan(setup="same")
    taken: list[Any] = []

    async def take(by: Store) -> None:
        taken.extend(await take_over(by))

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(take, store)
        tasks.start_soon(take, other)

    [row] = taken
    assert (row.run_id, row.fence, row.status, row.updated) == ("r1", 3, "running", 200.0)


async def test_no_one_takes_what_lives_what_is_to_be_cancelled_or_what_another_setup_began(
    store: Store, other: Store, orphan: Callable[..., Any], create: Create
) -> None:
    await create(store, "lives", setup="same")
    await orphan("foreign", setup="another")
    await orphan("cancelled", setup="same")
    await store.runs.request_cancel("cancelled", 150.0)

    assert await other.runs.adopt("same", 200.0, 8) == []


async def test_the_oldest_come_first_as_far_as_there_is_room_and_of_one_request_alone_where_asked(
    store: Store, orphan: Callable[..., Any]
) -> None:
    for at, name in enumerate(("third", "first", "second")):
        await orphan(name, setup="same", now=100.0 + (at - 1) % 3, fingerprint=name)

    assert [row.run_id for row in await store.runs.adopt("same", 200.0, 1, "second")] == ["second"]
    assert [row.run_id for row in await store.runs.adopt("same", 200.0, 1)] == ["first"]
    assert [row.run_id for row in await store.runs.adopt("same", 200.0, 5)] == ["third"]


async def test_an_owner_wrongly_taken_for_dead_writes_no_step_and_no_state_any_more(
    store: Store, place: Any, create: Create
) -> None:
    async with place() as zombie:
        await create(zombie, setup="same")
        async with zombie.journal("r1") as journal:
            await journal.step(Step("one"), value, kind="search", result=str)
            # As if its lock had been lost: the other takes the run over while this one still works.
            zombie.runs._owners.living = store.runs._owners.living = lambda conn: lambda owner: False  # pyright: ignore[reportPrivateUsage] - no lock can be lost on purpose
            [row] = await take_over(store)
            with pytest.raises(OwnershipLost):
                await journal.step(Step("two"), value, kind="search", result=str)
        assert not await zombie.runs.move("r1", 300.0, status="completed")
    assert row.fence == 3


async def test_the_next_owner_finds_what_was_done_and_what_is_in_doubt(
    store: Store, place: Any, create: Create
) -> None:
    async def dies() -> str:
        raise anyio.get_cancelled_exc_class()

    async def fails() -> str:
        raise OSError("no route")

    async with place() as gone:
        await create(gone, setup="same")
        async with gone.journal("r1") as journal:
            assert journal.left("done") is None
            await journal.step(Step("done"), value, kind="search", result=str)
            with pytest.raises(anyio.get_cancelled_exc_class()):
                await journal.step(Step("lost"), dies, kind="model", result=str)
            with pytest.raises(OSError, match="no route"):
                await journal.step(Step("failed"), fails, kind="search", result=str)

    await take_over(store)
    async with store.journal("r1") as journal:
        assert [journal.left(key) for key in ("done", "lost", "failed", "new")] == ["done", "started", "error", None]


@pytest.mark.parametrize("status", ["partial", "failed", "cancelled"])
async def test_a_run_that_ended_before_it_was_complete_can_be_gone_on_with(
    store: Store, create: Create, status: Any
) -> None:
    await create(store)
    await store.runs.move("r1", 150.0, status=status, error={"code": "E", "message": "why"})
    more = ResearchRequest(question="Why does ice float?", max_usd=3)

    row = await store.runs.revive("r1", more, "now", 200.0)

    assert row is not None
    assert (row.status, row.stage, row.ended, row.error, row.fence) == ("queued", "created", None, None, 2)
    assert (row.request, row.setup) == (more, "now")
    assert await store.runs.claim("r1", "now", 250.0)
    assert await store.runs.move("r1", 300.0, stage="planning")


async def test_no_one_goes_on_with_what_is_complete_what_lives_or_what_is_not_there(
    store: Store, other: Store, create: Create
) -> None:
    request = ResearchRequest(question="Why does ice float?")
    await create(store, "lives")
    await create(store, "complete")
    await store.runs.move("complete", 150.0, status="completed")

    for name in ("lives", "complete", "unknown"):
        assert await other.runs.revive(name, request, "", 200.0) is None


WHY = {"code": "E1405", "name": "SERVERS_DIED", "message": "They died.", "action": "Resume it."}


@pytest.fixture
def lives(place: Any) -> Callable[..., Any]:
    """Take a run over as often as is said and die over it; `fill` is done in each life."""

    async def live(times: int, fill: Callable[[Store, int], Any] | None = None, pause: float = 15.0) -> list[str]:
        statuses: list[str] = []
        for number in range(times):
            async with place() as owner:
                for row in await owner.runs.adopt("same", 200.0 + pause * number, 8, hopeless=lambda _: WHY):
                    statuses.append(row.status)
                    if row.status == "queued":
                        assert await owner.runs.claim(row.run_id, "same", 200.0 + pause * number)
                        if fill:
                            await fill(owner, number)
        return statuses

    return live


async def test_a_run_over_which_three_servers_died_without_a_step_is_failed_and_not_taken_over_again(
    store: Store, orphan: Callable[..., Any], lives: Callable[..., Any]
) -> None:
    await orphan(setup="same")

    assert await lives(5) == ["queued", "queued", "failed"]

    row = await store.runs.get("r1")
    assert row is not None
    assert (row.status, row.stage, row.error, row.deaths, row.ended) == ("failed", "ended", WHY, 3, 230.0)
    last = (await store.events.of("r1"))[-1]
    assert (last.kind, last.data["status"], "They died." in last.data.values()) == ("ended", "failed", True)


async def test_a_run_that_is_killed_too_fast_to_finish_a_step_is_given_up_much_later(
    orphan: Callable[..., Any], lives: Callable[..., Any]
) -> None:
    await orphan(setup="same")

    assert await lives(12, pause=1.0) == ["queued"] * 9 + ["failed"]


async def test_an_attempt_that_finishes_a_step_is_no_death_however_often_a_run_is_killed(
    orphan: Callable[..., Any], lives: Callable[..., Any]
) -> None:
    async def advance(owner: Store, number: int) -> None:
        if number % 2:
            async with owner.journal("r1") as journal:
                await journal.step(Step(f"step/{number}"), value, kind="search", result=str)

    await orphan(setup="same")

    assert await lives(12, advance) == ["queued"] * 12


async def test_steps_that_are_only_read_from_the_record_are_no_progress(
    orphan: Callable[..., Any], lives: Callable[..., Any]
) -> None:
    async def replay(owner: Store, number: int) -> None:
        del number
        async with owner.journal("r1") as journal:
            await journal.step(Step("one"), value, kind="search", result=str)

    await orphan(setup="same")

    assert await lives(6, replay) == ["queued"] * 4 + ["failed"]


async def test_a_run_that_asked_its_user_counts_its_servers_deaths_from_none_again(
    store: Store, orphan: Callable[..., Any], lives: Callable[..., Any]
) -> None:
    asked = InputRequest(inquiry_id="plan/approve/1", kind="approval", text="So?")
    request = ResearchRequest(question="Why does ice float?")

    async def advance_and_ask(owner: Store, number: int) -> None:
        if number == 1:
            async with owner.journal("r1") as journal:
                await journal.step(Step("plan"), value, kind="model", result=str)
            assert await owner.inquiries.put("r1", asked, 215.0, {})

    await orphan(setup="same")
    # Two servers die over it; the second attempt plans, and is suspended with its question.
    assert await lives(2, advance_and_ask) == ["queued", "queued"]
    assert await store.inquiries.reply("r1", asked.inquiry_id, Reply(decision="approve"), request, 220.0)
    assert await take_over(store, 230.0)
    row = await store.runs.get("r1")

    assert row is not None
    assert (row.deaths, row.dying) == (0, None)


async def test_a_run_that_kills_its_servers_takes_no_innocent_run_with_it(
    store: Store, place: Any, orphan: Callable[..., Any]
) -> None:
    names = ("first", "poison", "last")
    for at, name in enumerate(names):
        await orphan(name, setup="same", now=100.0 + at)

    for number in range(12):
        async with place() as server:
            now = 200.0 + 15 * number
            await server.runs.adopt("same", now, 8, hopeless=lambda _: WHY)
            while True:
                claimed: list[str] = []
                # A server claims all it may before the first of them has finished a step.
                while rows := await server.runs.waiting("same"):
                    for row in rows:
                        assert await server.runs.claim(row.run_id, "same", now)
                        claimed.append(row.run_id)
                if not claimed or "poison" in claimed:
                    break  # The poison hangs the server, and with it every run that was claimed beside it.
                for run_id in claimed:
                    async with server.journal(run_id) as journal:
                        await journal.step(Step("one"), value, kind="search", result=str)
                    assert await server.runs.move(run_id, now, status="completed")

    ended = {name: (row.status, row.deaths) for name in names if (row := await store.runs.get(name))}
    assert ended["poison"] == ("failed", 3)
    assert ended["first"][0] == ended["last"][0] == "completed"


async def test_a_run_under_suspicion_waits_for_another_and_hides_no_other_behind_it(
    store: Store, place: Any, create: Create, orphan: Callable[..., Any]
) -> None:
    for at, name in enumerate(("one", "two")):
        await orphan(name, setup="same", now=100.0 + at)
    await create(store, "new", setup="same", now=110.0, queued=True)

    async with place() as server:
        await server.runs.adopt("same", 200.0, 8)
        assert [row.run_id for row in await server.runs.waiting("same")] == ["one", "new"]
        assert [row.run_id for row in await store.runs.waiting("same", limit=1)] == ["one"]

        assert await server.runs.claim("one", "same", 200.0)
        assert [row.run_id for row in await server.runs.waiting("same", limit=1)] == ["new"]
        assert await server.runs.claim("two", "same", 200.0) is None
        assert [row.run_id for row in await store.runs.waiting("same", limit=1)] == ["two"]

        async with server.journal("one") as journal:
            await journal.step(Step("one"), value, kind="search", result=str)
        assert await server.runs.claim("two", "same", 200.0)


async def test_a_server_that_stops_in_order_has_not_died_of_its_runs(
    orphan: Callable[..., Any], lives: Callable[..., Any]
) -> None:
    async def stop(owner: Store, number: int) -> None:
        del number
        await owner.runs.hand_over("r1")

    await orphan(setup="same")

    assert await lives(8, stop) == ["queued"] * 8


async def test_a_run_that_was_failed_for_its_servers_may_be_resumed_and_counts_from_none_again(
    store: Store, orphan: Callable[..., Any], lives: Callable[..., Any]
) -> None:
    await orphan(setup="same")
    await lives(3)

    row = await store.runs.revive("r1", ResearchRequest(question="Why does ice float?"), "same", 300.0)

    assert row is not None
    assert (row.status, row.deaths, row.error) == ("queued", 0, None)


async def test_what_another_process_owns_cannot_be_handed_over(store: Store, other: Store, create: Create) -> None:
    await create(store, setup="same")

    await other.runs.hand_over("r1")

    row = await store.runs.get("r1")
    assert row is not None
    assert not row.handed
