"""Deletes data that is kept for a limited time: pages and judgements that no run holds."""

from typing import Protocol


class Retention(Protocol):
    """Deletes old rows in small batches; `moment` is in seconds since the epoch."""

    async def drop_pages(self, moment: float, limit: int) -> int:
        """Delete cached pages that were read before `moment` and that no run and no collection holds.

        Returns their number, at most `limit`.
        """
        ...

    async def drop_judgements(self, moment: float, limit: int) -> int:
        """Delete judgements stored before `moment`; return their number, at most `limit`. Steps of runs hold copies."""
        ...

    async def drop_spending(self, moment: float) -> int:
        """Delete the use of deleted runs before `moment`; return the number of deleted steps."""
        ...
