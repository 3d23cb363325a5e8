"""Time, as the whole program reads it."""

from datetime import date, datetime
from typing import Protocol


class Clock(Protocol):
    """The only source of time: tests move it by hand."""

    def now(self) -> datetime:
        """The wall clock, in UTC with its zone."""
        ...

    def today(self) -> date:
        """The date where the user is."""
        ...

    def monotonic(self) -> float:
        """Seconds that never go back; only differences mean anything."""
        ...

    async def sleep(self, seconds: float) -> None:
        """Wait; cancelled like any await."""
        ...
