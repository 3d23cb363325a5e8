"""Webhooks: what is stored of them, and the way out."""

from collections.abc import Mapping
from typing import Protocol

from deepresearch_mcp.records.deliveries import Delivery, DueDelivery


class Webhooks(Protocol):
    """Deliveries of all runs, over all processes."""

    async def expect(self, run_id: str, url: str) -> None:
        """Tell this address when the run ends; one address is told once, however often it is named."""
        ...

    async def begin(self, run_id: str) -> int:
        """Note a new attempt at a run: its end will be told again. Return how many addresses wait for it."""
        ...

    async def take(self, now: float, until: float, limit: int) -> list[DueDelivery]:
        """Take deliveries of ended runs that are due; no other process gets them before `until`.

        Taking counts as an attempt, so that a delivery that kills its process does not do so without end.
        """
        ...

    async def settle(self, taken: DueDelivery, *, reason: str = "", again_at: float | None = None) -> None:
        """Store the outcome of an attempt: delivered without a reason, failed with one, or tried again `again_at`."""
        ...

    async def of(self, run_id: str) -> list[Delivery]:
        """Return the deliveries of a run."""
        ...


class Poster(Protocol):
    """Posts to addresses that callers named."""

    def check(self, url: str) -> None:
        """Refuse an address that can be seen to be wrong or private.

        Raises:
            FetchRefused: It is.
        """
        ...

    async def post(self, url: str, body: bytes, headers: Mapping[str, str]) -> int:
        """Post once and return the status; a redirect is not followed, and the answer is not read.

        Raises:
            FetchRefused: The address is private, or not one that may be asked.
            FetchFailed: It could not be reached.
        """
        ...
