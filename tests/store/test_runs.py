from collections.abc import Callable
from typing import Any

import pytest

from deepresearch_mcp.exceptions import StoreError
from deepresearch_mcp.ports.sessions import SessionRow, SessionTaken
from deepresearch_mcp.ports.store import Store
from deepresearch_mcp.records.request import ResearchRequest
from deepresearch_mcp.records.run import RunStatus

Create = Callable[..., Any]


async def test_a_new_run_is_ours_and_running_and_read_back_whole(store: Store) -> None:
    request = ResearchRequest(question="Why does ice float?", include_domains=("example.org",), max_usd=0.2)

    made = await store.runs.create("r1", "me", request, "f", 100.0)

    assert made == await store.runs.get("r1")
    assert (made.status, made.stage, made.fence, made.cancel) == ("running", "created", 1, False)
    assert made.owner
    assert made.request == request
    assert await store.runs.get("r2") is None


async def test_an_id_is_given_once(store: Store, create: Create) -> None:
    await create(store)

    with pytest.raises(StoreError, match="There is a run 'r1' already"):
        await create(store, question="Another?")

    row = await store.runs.get("r1")
    assert row
    assert row.request.question == "Why does ice float?"


async def test_a_run_moves_and_what_is_not_named_stays(store: Store, create: Create) -> None:
    await create(store)

    assert await store.runs.move("r1", 101.0, stage="planning", progress={"read": 1})
    assert await store.runs.move("r1", 102.0, stage="researching")

    row = await store.runs.get("r1")
    assert row
    assert (row.status, row.stage, row.progress, row.updated, row.ended) == (
        "running",
        "researching",
        {"read": 1},
        102.0,
        None,
    )


async def test_a_run_that_ended_stays_as_it_is(store: Store, create: Create) -> None:
    await create(store)
    error = {"code": "E1", "name": "N", "message": "m", "action": "a"}

    assert await store.runs.move("r1", 101.0, status="failed", error=error)
    assert not await store.runs.move("r1", 102.0, status="running")
    assert not await store.runs.move("r1", 103.0, stage="planning")

    row = await store.runs.get("r1")
    assert row
    assert (row.status, row.stage, row.ended, row.error, row.updated) == ("failed", "ended", 101.0, error, 101.0)


async def test_no_one_moves_a_run_of_another_owner(store: Store, other: Store, create: Create) -> None:
    await create(store)

    assert not await other.runs.move("r1", 101.0, status="completed")
    assert not await store.runs.move("unknown", 101.0, status="completed")


async def test_pages_of_runs_miss_and_repeat_nothing(store: Store, create: Create) -> None:
    for number in range(7):
        await create(store, f"r{number}", now=float(number // 3))

    seen: list[str] = []
    before: tuple[float, str] | None = None
    while page := await store.runs.find(limit=2, before=before):
        seen += [row.run_id for row in page]
        before = (page[-1].created, page[-1].run_id)

    assert seen == ["r6", "r5", "r4", "r3", "r2", "r1", "r0"]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("100%", ["r1"]),
        ("%", ["r1"]),
        ("_", ["r2"]),
        ("!", ["r2"]),
        ("ÜBER", ["r3"]),
        ("strasse", ["r3"]),
        ("", ["r3", "r2", "r1"]),
        ("'; DROP TABLE runs", []),
        ("x" * 60_000, []),
        ("\0", []),
        ("ice\0", []),
    ],
)
async def test_text_is_looked_for_as_it_stands_whatever_its_case(
    store: Store, create: Create, text: str, found: list[str]
) -> None:
    for number, question in enumerate(["Is it 100% ice?", "snake_case!", "Über die Straße"], 1):
        await create(store, f"r{number}", question, now=float(number))

    assert [row.run_id for row in await store.runs.find(text=text)] == found


async def test_a_run_for_a_session_that_has_one_is_not_made(store: Store, other: Store, create: Create) -> None:
    await store.sessions.create(SessionRow("s1", "me", "{}", 100.0), 0.0)
    await create(store, "r1", session="s1", queued=True)
    for session in ("s1", "gone"):
        with pytest.raises(SessionTaken):
            await create(other, "r2", session=session, queued=True)

    session = await other.sessions.get("s1")
    assert session is not None
    assert session.run_id == "r1"
    assert [row.run_id for row in await store.runs.find()] == ["r1"]


async def test_runs_of_a_caller_are_found_alone(store: Store, create: Create) -> None:
    await create(store, "r1", caller="me")
    await create(store, "r2", caller="you")

    assert [row.run_id for row in await store.runs.find(caller="you")] == ["r2"]


async def test_a_live_run_is_joined_before_a_completed_one(store: Store, other: Store, create: Create) -> None:
    await create(store, "old", now=1.0)
    await store.runs.move("old", 50.0, status="completed")
    await create(other, "live", now=2.0)

    joined = await store.runs.joinable("me", "f", since=10.0)

    assert joined
    assert joined.run_id == "live"


async def test_only_well_ended_recent_runs_of_the_same_caller_and_request_are_joined(
    store: Store, create: Create
) -> None:
    ends: dict[str, RunStatus] = {"a": "failed", "b": "partial", "c": "cancelled", "d": "completed"}
    for run_id, status in ends.items():
        await create(store, run_id)
        await store.runs.move(run_id, 200.0, status=status)

    joined = await store.runs.joinable("me", "f", since=199.0)

    assert joined
    assert joined.run_id == "d"
    assert await store.runs.joinable("me", "f", since=200.0) is None
    assert await store.runs.joinable("you", "f", since=0.0) is None
    assert await store.runs.joinable("me", "g", since=0.0) is None


async def test_an_interrupted_run_is_never_joined(store: Store, create: Create, place: Any) -> None:
    async with place() as dying:
        await create(dying)
        assert await store.runs.joinable("me", "f", since=0.0)

    assert await store.runs.joinable("me", "f", since=0.0) is None


async def test_a_run_that_is_being_cancelled_is_not_joined(store: Store, create: Create) -> None:
    await create(store)
    await store.runs.request_cancel("r1", 101.0)

    assert await store.runs.joinable("me", "f", since=0.0) is None


async def test_cancelling_a_living_run_only_tells_its_owner(store: Store, other: Store, create: Create) -> None:
    await create(store, "r1")
    await create(store, "r2")

    assert await other.runs.request_cancel("r1", 101.0)

    assert await store.runs.cancel_requested(["r1", "r2", "r3"]) == {"r1"}
    row = await store.runs.get("r1")
    assert row
    assert (row.status, row.cancel) == ("running", True)


async def test_cancelling_a_run_whose_owner_is_gone_ends_it(store: Store, create: Create, place: Any) -> None:
    async with place() as dying:
        await create(dying)

    assert await store.runs.request_cancel("r1", 101.0)

    row = await store.runs.get("r1")
    assert row
    assert (row.status, row.stage, row.ended) == ("cancelled", "ended", 101.0)
    assert [(event.kind, event.data["report"]) for event in await store.events.of("r1")] == [("ended", False)]
    assert not await store.runs.request_cancel("r1", 102.0)
    assert not await store.runs.request_cancel("unknown", 102.0)


async def test_runs_are_found_by_the_beginning_of_their_id(store: Store, create: Create) -> None:
    for name in ("abc1", "abc2", "abd", "a%c"):
        await create(store, name)

    assert set(await store.runs.beginning("abc", "me", 9)) == {"abc1", "abc2"}
    assert await store.runs.beginning("a%", "me", 9) == ["a%c"]
    assert len(await store.runs.beginning("a", "me", 2)) == 2
    assert await store.runs.beginning("abc", "other", 9) == []
