"""The clock of the machine: the only module that reads it."""

import time
from datetime import UTC, date, datetime

import anyio
from typing_extensions import override

from deepresearch_mcp.ports.clock import Clock


class SystemClock(Clock):
    """Real time; see `ports.clock.Clock`."""

    @override
    def now(self) -> datetime:
        return datetime.now(UTC)

    @override
    def today(self) -> date:
        return self.now().astimezone().date()

    @override
    def monotonic(self) -> float:
        return time.monotonic()

    @override
    async def sleep(self, seconds: float) -> None:
        await anyio.sleep(seconds)
