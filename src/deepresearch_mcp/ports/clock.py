"""The clock port: how the whole program reads time."""

from datetime import date, datetime
from typing import Protocol


class Clock(Protocol):
    """The only source of time, so that tests can set it."""

    def now(self) -> datetime:
        """The current time, in UTC with its time zone."""
        ...

    def today(self) -> date:
        """Today's date in the user's time zone."""
        ...

    def monotonic(self) -> float:
        """Seconds that never go back; only differences have a meaning."""
        ...

    async def sleep(self, seconds: float) -> None:
        """Wait for some seconds; it can be cancelled like any await."""
        ...
