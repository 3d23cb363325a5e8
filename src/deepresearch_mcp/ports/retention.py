"""What is kept for a while only: pages and judgements that no run holds."""

from typing import Protocol


class Retention(Protocol):
    """Forgets what is old, a little at a time; `moment` is seconds since the epoch."""

    async def drop_pages(self, moment: float, limit: int) -> int:
        """Forget cached pages read before a moment that no run and no collection holds; how many, at most `limit`."""
        ...

    async def drop_judgements(self, moment: float, limit: int) -> int:
        """Forget judgements kept before a moment; how many, at most `limit`. What a run was told stays in its steps."""
        ...

    async def drop_spending(self, moment: float) -> int:
        """Forget what deleted runs used before a moment; how many of their steps."""
        ...
