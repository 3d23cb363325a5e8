"""Who makes a request: what runs, documents and collections belong to."""

from dataclasses import dataclass
from typing import Literal

Scope = Literal["runs:read", "runs:write", "library:write", "admin"]
"""`runs:read` sees runs and their reports, `runs:write` starts, answers, cancels and deletes them (it spends money),
`library:write` changes collections, `admin` sees figures and settings of the whole service and makes tokens."""

SCOPES: tuple[Scope, ...] = ("runs:read", "runs:write", "library:write", "admin")

LOCAL_CALLER = "local"
"""The caller of everything that this machine's own user does: standard input, command line, library."""


@dataclass(frozen=True, slots=True)
class CallerLimits:
    """What one caller may use; None: what the settings say of every caller."""

    runs_at_once: int | None = None
    requests_a_minute: int | None = None
    """Of one server."""
    usd_per_day: float | None = None


NO_LIMITS = CallerLimits()
"""Of a caller without limits of its own."""


@dataclass(frozen=True, slots=True)
class Principal:
    """One authenticated caller.

    `caller` is what the store keeps beside all that it owns: `local`, `token:ID`, or `oidc:` and a hash of issuer and
    subject. It is no secret, and it never changes when a token is renewed.
    """

    caller: str
    scopes: frozenset[Scope]
    name: str = ""
    """For people and logs; may be empty."""
    limits: CallerLimits = NO_LIMITS

    def may(self, scope: Scope) -> bool:
        """Whether a scope was granted; `admin` includes no other one."""
        return scope in self.scopes


LOCAL_PRINCIPAL = Principal(LOCAL_CALLER, frozenset(SCOPES), "local user")
"""Of a server that asks for no token, on loopback alone."""

PRINCIPAL_KEY = "deepresearch_principal"
"""Where the gate puts the principal of a request in its ASGI scope; other surfaces only read it there."""
