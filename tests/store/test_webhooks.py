"""Deliveries outlive the process that makes them, and only one process has each."""

from typing import Any

from deepresearch_mcp.ports.store import Store
from store.conftest import Place

URL = "https://example.org/hook?token=abcdefghijklmnopqrstuvwx"


async def ended_run(store: Store, create: Any) -> None:
    await create(store)
    await store.webhooks.expect("r1", URL)
    await store.webhooks.expect("r1", URL)
    await store.runs.move("r1", 200.0, status="completed", stage="ended")


async def test_nothing_is_due_before_the_run_has_ended(store: Store, create: Any) -> None:
    await create(store)
    await store.webhooks.expect("r1", URL)

    assert await store.webhooks.take(1000.0, 1060.0, 9) == []
    [shown] = await store.webhooks.of("r1")
    assert (shown.state, shown.url) == ("waiting", "https://example.org/hook")


async def test_a_delivery_is_taken_once_and_given_to_another_if_its_process_dies(
    store: Store, other: Store, create: Any
) -> None:
    await ended_run(store, create)

    [taken] = await store.webhooks.take(1000.0, 1060.0, 9)
    assert await other.webhooks.take(1001.0, 1061.0, 9) == []
    [again] = await other.webhooks.take(1060.0, 1120.0, 9)
    await store.webhooks.settle(taken)  # it was not dead after all, but too late
    [shown] = await store.webhooks.of("r1")

    assert (taken.caller, taken.url, taken.ended, taken.attempt, again.attempt) == ("me", URL, 200.0, 1, 2)
    assert shown.state == "pending"
    await other.webhooks.settle(again)
    assert [one.state for one in await store.webhooks.of("r1")] == ["delivered"]
    assert await store.webhooks.take(9000.0, 9060.0, 9) == []


async def test_a_failed_attempt_waits_for_its_time(store: Store, create: Any) -> None:
    await ended_run(store, create)
    [taken] = await store.webhooks.take(1000.0, 1060.0, 9)

    await store.webhooks.settle(taken, reason="HTTP 500", again_at=1005.0)

    [shown] = await store.webhooks.of("r1")
    assert (shown.state, shown.next_attempt, shown.reason) == ("pending", 1005.0, "HTTP 500")
    assert await store.webhooks.take(1004.0, 1064.0, 9) == []
    [taken] = await store.webhooks.take(1005.0, 1065.0, 9)
    await store.webhooks.settle(taken, reason="HTTP 410")
    assert [(one.state, one.attempts) for one in await store.webhooks.of("r1")] == [("failed", 2)]


async def test_the_end_of_a_resumed_run_is_told_again(store: Store, create: Any) -> None:
    await ended_run(store, create)
    [taken] = await store.webhooks.take(1000.0, 1060.0, 9)
    await store.webhooks.settle(taken)

    assert await store.webhooks.begin("r1") == 1

    assert len(await store.webhooks.take(2000.0, 2060.0, 9)) == 1


async def test_a_deleted_run_tells_nobody(place: Place, create: Any) -> None:
    async with place() as store:
        await ended_run(store, create)
        await store.runs.delete("r1", 300.0)

    assert place.execute("SELECT * FROM webhooks") == []
