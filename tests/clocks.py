"""A clock that tests move by hand."""

from datetime import UTC, date, datetime, timedelta

import anyio
import anyio.lowlevel

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)


class HandClock:
    """Implements `ports.clock.Clock`; time passes only when somebody says so.

    By default a sleeper waits until `advance` has moved the clock to its time. With
    `auto` a sleep moves the clock itself by what it was asked for, lets others run once,
    and returns: two tasks that sleep side by side then add up, so use it where one task
    waits at a time.
    """

    def __init__(self, *, start: datetime = NOON, auto: bool = False) -> None:
        self.auto = auto
        self.slept: list[float] = []
        """What was asked for, in order."""
        self._start = start
        self._passed = 0.0
        self._sleepers: list[tuple[float, anyio.Event]] = []

    def now(self) -> datetime:
        return self._start + timedelta(seconds=self._passed)

    def today(self) -> date:
        return self.now().date()

    def monotonic(self) -> float:
        return 1000.0 + self._passed

    @property
    def sleepers(self) -> int:
        """Tasks that wait for the clock now."""
        return len(self._sleepers)

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        if self.auto:
            self._passed += max(0.0, seconds)
        if self.auto or seconds <= 0:
            await anyio.lowlevel.checkpoint()
            return
        sleeper = (self._passed + seconds, anyio.Event())
        self._sleepers.append(sleeper)
        try:
            await sleeper[1].wait()
        finally:
            if sleeper in self._sleepers:
                self._sleepers.remove(sleeper)

    def advance(self, seconds: float) -> None:
        """Let time pass and wake those whose time has come; they run at the caller's next await."""
        self._passed += seconds
        # A tolerance, as sums of floats fall a hair short of what was meant.
        due = [sleeper for sleeper in self._sleepers if sleeper[0] <= self._passed + 1e-9]
        for sleeper in sorted(due, key=lambda one: one[0]):
            self._sleepers.remove(sleeper)
            sleeper[1].set()
