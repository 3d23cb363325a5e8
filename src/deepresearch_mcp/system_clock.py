"""The clock of the machine: the one place that looks at it."""

import time
from datetime import UTC, date, datetime

import anyio


class SystemClock:
    """Real time; see `ports.clock.Clock`."""

    def now(self) -> datetime:
        """See `Clock.now`."""
        return datetime.now(UTC)

    def today(self) -> date:
        """See `Clock.today`."""
        return self.now().astimezone().date()

    def monotonic(self) -> float:
        """See `Clock.monotonic`."""
        return time.monotonic()

    async def sleep(self, seconds: float) -> None:
        """See `Clock.sleep`."""
        await anyio.sleep(seconds)
