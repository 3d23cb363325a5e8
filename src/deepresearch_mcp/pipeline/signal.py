"""Waiting with a time limit by the clock port, and waiting for a condition."""

from collections.abc import Awaitable, Callable
from typing import TypeVar, cast

import anyio

from deepresearch_mcp.ports.clock import Clock

Failure = TypeVar("Failure", bound=BaseException)


async def at_most(clock: Clock, seconds: float, fn: Callable[[], Awaitable[object]]) -> bool:
    """Await `fn` for at most `seconds`. True if it ended by itself, False if it was cancelled."""
    ended = False
    async with anyio.create_task_group() as tasks:

        async def expire() -> None:
            await clock.sleep(seconds)
            tasks.cancel_scope.cancel()

        tasks.start_soon(expire)
        await fn()
        ended = True
        tasks.cancel_scope.cancel()
    return ended


def leaf(group: BaseExceptionGroup[Failure]) -> Failure:
    """The first exception of a group, however deep it lies."""
    first = group.exceptions[0]
    return leaf(cast("BaseExceptionGroup[Failure]", first)) if isinstance(first, BaseExceptionGroup) else first


class Signal:
    """A condition variable. Each change makes all waiting tasks check their condition again."""

    def __init__(self) -> None:
        self._event = anyio.Event()

    def notify(self) -> None:
        """Wake all waiting tasks."""
        self._event.set()
        self._event = anyio.Event()

    async def wait_until(self, holds: Callable[[], bool]) -> None:
        """Return once `holds()` is true. It is called now and after each `notify`."""
        while not holds():
            await self._event.wait()
