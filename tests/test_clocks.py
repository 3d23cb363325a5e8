from datetime import date, timedelta

import anyio
import pytest
from anyio.lowlevel import checkpoint

from clocks import NOON, HandClock


async def test_a_sleeper_wakes_when_its_time_has_come_and_not_before() -> None:
    clock = HandClock()
    woken: list[str] = []

    async def wait(name: str, seconds: float) -> None:
        await clock.sleep(seconds)
        woken.append(name)

    async with anyio.create_task_group() as group:
        group.start_soon(wait, "late", 3)
        group.start_soon(wait, "early", 1)
        await anyio.wait_all_tasks_blocked()
        assert clock.sleepers == 2
        clock.advance(0.9)
        await checkpoint()
        assert woken == []
        clock.advance(0.1)
        await anyio.wait_all_tasks_blocked()
        assert woken == ["early"]
        clock.advance(2)

    assert woken == ["early", "late"]
    assert clock.slept == [3, 1]
    assert clock.now() == NOON + timedelta(seconds=3)
    assert clock.today() == date(2026, 11, 20)


async def test_a_sleeper_that_is_cancelled_is_forgotten() -> None:
    clock = HandClock()

    async with anyio.create_task_group() as group:
        group.start_soon(clock.sleep, 1)
        await anyio.wait_all_tasks_blocked()
        group.cancel_scope.cancel()

    assert clock.sleepers == 0
    clock.advance(1)


@pytest.mark.parametrize(("seconds", "passed"), [(5, 5), (0, 0), (-1, 0)])
async def test_on_automatic_a_sleep_moves_the_clock_itself(seconds: float, passed: float) -> None:
    clock = HandClock(auto=True)
    before = clock.monotonic()

    await clock.sleep(seconds)

    assert clock.monotonic() - before == passed


async def test_sleeping_for_nothing_only_lets_others_run() -> None:
    clock = HandClock()

    await clock.sleep(0)

    assert clock.now() == NOON
