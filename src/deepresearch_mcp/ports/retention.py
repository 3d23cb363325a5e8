"""Deletes what is kept for a limited time: pages and judgements that no run holds."""

from typing import Protocol


class Retention(Protocol):
    """Deletes old rows, a few at a time; `moment` is seconds since the epoch."""

    async def drop_pages(self, moment: float, limit: int) -> int:
        """Delete cached pages read before a moment that no run and no collection holds.

        Returns how many, at most `limit`.
        """
        ...

    async def drop_judgements(self, moment: float, limit: int) -> int:
        """Delete judgements kept before a moment. Returns how many, at most `limit`. Steps of runs keep copies."""
        ...

    async def drop_spending(self, moment: float) -> int:
        """Delete what deleted runs used before a moment; returns how many of their steps."""
        ...
