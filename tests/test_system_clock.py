from datetime import UTC, timedelta

import anyio
import pytest

from deepresearch_mcp.ports.clock import Clock
from deepresearch_mcp.system_clock import SystemClock


def test_the_clock_of_the_machine_tells_utc_and_never_goes_back() -> None:
    clock: Clock = SystemClock()
    first, before = clock.now(), clock.monotonic()

    assert first.tzinfo is UTC
    assert timedelta(0) <= clock.now() - first < timedelta(minutes=1)
    assert clock.monotonic() >= before
    assert abs(clock.today() - first.date()) <= timedelta(days=1)


async def test_sleeping_lets_others_run_and_ends_with_a_cancellation() -> None:
    clock = SystemClock()
    ran: list[str] = []

    async def other() -> None:
        ran.append("other")

    async with anyio.create_task_group() as group:
        group.start_soon(other)
        await clock.sleep(0)
        group.start_soon(clock.sleep, 3600)
        await anyio.wait_all_tasks_blocked()
        group.cancel_scope.cancel()

    assert ran == ["other"]


async def test_a_sleep_that_is_cut_short_says_so() -> None:
    with pytest.raises(TimeoutError):
        with anyio.fail_after(0):
            await SystemClock().sleep(3600)
