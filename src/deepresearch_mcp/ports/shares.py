"""The port of shared runs: links that show one run to who has no token."""

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class ShareRow:
    """A link as it is stored: all of it but what opens it."""

    share_id: str
    """Eight hexadecimal digits; no secret."""
    run_id: str
    created: float
    """Seconds since the epoch, as the following."""
    expires: float
    revoked: float | None = None

    def valid(self, now: float) -> bool:
        """Whether it still opens its run."""
        return self.revoked is None and now < self.expires


class Shares(Protocol):
    """Links to single runs. Only hashes of their secrets are stored."""

    async def create(self, run_id: str, now: float, expires: float) -> tuple[str, ShareRow]:
        """Make a link; return its secret, which cannot be read again, and its row."""
        ...

    async def find(self, secret: str, now: float) -> ShareRow | None:
        """Return the link of a secret; None if there is none, or it is expired or revoked."""
        ...

    async def of(self, run_id: str) -> list[ShareRow]:
        """Return all links of a run, also expired and revoked ones, oldest first."""
        ...

    async def revoke(self, run_id: str, share_id: str, now: float) -> bool:
        """End a link of this run. False if it has no such link, or one that is revoked."""
        ...
