"""The port of tokens: what callers over HTTP show, and what each allows."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Protocol

from deepresearch_mcp.records.principal import NO_LIMITS, CallerLimits, Scope

NOTED = 600.0
"""Seconds in which a further use of a token is not written down."""


@dataclass(frozen=True, slots=True)
class TokenRow:
    """A token as it is stored: all of it but the token itself."""

    token_id: str
    """Eight hexadecimal digits; no secret."""
    name: str
    caller: str
    """What its runs belong to: `token:ID` of the first token of this caller."""
    scopes: frozenset[Scope]
    created: float
    """Seconds since the epoch, as the following."""
    expires: float | None = None
    """None: never."""
    used: float | None = None
    """Within `NOTED` seconds of its last use; None: never used."""
    revoked: float | None = None
    limits: CallerLimits = NO_LIMITS

    def valid(self, now: float) -> bool:
        """Whether it still opens anything."""
        return self.revoked is None and (self.expires is None or now < self.expires)


class Tokens(Protocol):
    """Tokens of callers. Only hashes of them are stored, so no reader of the store can use one."""

    async def create(
        self,
        name: str,
        scopes: Collection[Scope],
        now: float,
        *,
        expires: float | None = None,
        same_as: str = "",
        limits: CallerLimits | None = None,
    ) -> tuple[str, TokenRow]:
        """Make a token and return it, with its row; it cannot be read again.

        With `same_as`, the id of an earlier token, it opens what that one's runs belong to: so a token is renewed. It
        has that one's limits then, unless `limits` are given.

        Raises:
            InvalidRequest: There is no token `same_as`.
        """
        ...

    async def find(self, token: str, now: float) -> TokenRow | None:
        """Return a token's row and note its use; None if it is unknown, expired or revoked."""
        ...

    async def state(self) -> tuple[int, int]:
        """Return a value that changes when a token is made or revoked: until then, what was found still holds."""
        ...

    async def all(self) -> list[TokenRow]:
        """Return every token, also expired and revoked ones, oldest first."""
        ...

    async def limits(self) -> Mapping[str, CallerLimits]:
        """Return what single callers may use: the newest token of a caller that is not revoked says it for all."""
        ...

    async def any_valid(self, now: float) -> bool:
        """Whether there is a token that opens anything."""
        ...

    async def revoke(self, token_id: str, now: float) -> bool:
        """End a token; a later `state` tells it, in every process. False if there is no such token or it is revoked."""
        ...
