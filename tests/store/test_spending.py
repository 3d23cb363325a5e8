from collections.abc import Callable
from typing import Any

import anyio
import pytest

from clocks import HandClock
from deepresearch_mcp.ports.journal import Step, Used
from deepresearch_mcp.ports.store import Store

Create = Callable[..., Any]


def paid(usd: float | None, tokens: int = 10) -> Used:
    return Used(by="openai:x", role="reader", usd=usd, input_tokens=tokens)


async def step(store: Store, run_id: str, key: str, used: Used | None = None, held: Used | None = None) -> None:
    async def one() -> str:
        if used is None:
            raise ValueError("no")
        return "ok"

    async def hold() -> Used:
        assert held
        return held

    async with store.journal(run_id) as journal:
        await journal.step(
            Step(key),
            one,
            kind="model",
            result=str,
            used=(lambda _: used) if used else None,
            hold=hold if held else None,
            lost=(lambda _: held) if held else None,
        )


async def test_what_steps_used_is_summed_by_caller_and_forgotten_after_the_moment(
    store: Store, create: Create, clock: HandClock
) -> None:
    now = clock.now().timestamp()
    await create(store, "a", now=now)
    await create(store, "b", now=now, caller="you")
    await step(store, "a", "read/1", paid(0.5))
    await step(store, "a", "read/2", paid(0.25))
    await step(store, "b", "read/1", paid(None, 7))

    found = {row.caller: (row.usd, row.tokens) for row in await store.spending.since(now - 1)}

    assert found == {"me": (0.75, 20), "you": (0.0, 7)}
    assert list(await store.spending.since(now + 1)) == []


async def test_own_lives_are_left_out_but_what_came_before_them_counts(
    store: Store, create: Create, clock: HandClock
) -> None:
    now = clock.now().timestamp()
    await create(store, "a", now=now)
    await step(store, "a", "read/1", paid(0.5))

    assert list(await store.spending.since(now - 1, without=[("a", 1)])) == []
    assert len(await store.spending.since(now - 1, without=[("a", 2), ("b", 1)])) == 1


async def test_a_call_that_failed_or_is_under_way_counts_at_its_bound_and_is_not_forgotten_when_it_is_made_again(
    store: Store, create: Create, clock: HandClock
) -> None:
    now = clock.now().timestamp()
    await create(store, "a", now=now)
    with pytest.raises(ValueError, match="no"):
        await step(store, "a", "read/1", held=paid(0.5))
    [failed] = await store.spending.since(now - 1)

    await step(store, "a", "read/1", paid(0.25))
    [again] = await store.spending.since(now - 1)
    [row] = await store.spending.steps("a")

    assert (failed.usd, failed.tokens) == (0.5, 10)
    assert (again.usd, again.tokens) == (0.75, 20)
    assert row.used == Used("openai:x", "reader", 0.25, 10, earlier_usd=0.5, earlier_tokens=10)
    [theirs] = await store.spending.since(now - 1, without=[("a", 1)])
    assert theirs.usd == 0.5


async def test_a_cancelled_call_stands_at_its_bound(store: Store, create: Create, clock: HandClock) -> None:
    now = clock.now().timestamp()
    await create(store, "a", now=now)

    async def hold() -> Used:
        return paid(0.5)

    async with store.journal("a") as journal, anyio.create_task_group() as tasks:
        begun = anyio.Event()

        async def never() -> str:
            begun.set()
            await anyio.sleep_forever()
            return ""

        async def ask() -> None:
            await journal.step(Step("k"), never, kind="model", result=str, hold=hold)

        tasks.start_soon(ask)
        await begun.wait()
        tasks.cancel_scope.cancel()

    [row] = await store.spending.since(now - 1)
    assert (row.usd, row.tokens) == (0.5, 10)


async def test_queries_outside_runs_count_for_every_process_but_the_one_that_counts_them_itself(
    store: Store, other: Store, clock: HandClock
) -> None:
    now = clock.now().timestamp()
    first = await store.spending.begin("me", 0.005, now)
    await store.spending.begin("you", 0.005, now)
    await store.spending.correct(first, 0.0)
    await other.spending.correct(first, 9.0)  # another process's query is not its to correct

    assert [(row.caller, row.usd) for row in await other.spending.since(now - 1)] == [("you", 0.005)]
    assert await other.spending.since(now - 1, without=[store.spending.outside]) == []
    assert await store.spending.since(now + 1) == []
