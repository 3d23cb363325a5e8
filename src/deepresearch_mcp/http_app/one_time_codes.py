"""Codes with which this machine's own browser signs in, so that no token is typed and no address holds one."""

import hmac
import secrets

from deepresearch_mcp.ports.clock import Clock
from deepresearch_mcp.records.principal import LOCAL_PRINCIPAL, Principal

SECONDS = 120.0
"""In which a code has to be used."""


class OneTimeCodes:
    """Makes codes, exchanges each once for a session, and knows the sessions; all in the memory of this process.

    Other users of the machine may read the command line of the browser that is opened, and so the code. A
    second use of a code proves that it was taken: the session that it gave ends.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._codes: dict[str, float] = {}
        """Code → until when it can be used, by the monotonic clock."""
        self._sessions: dict[str, str] = {}
        """Used code → the session that it gave."""

    def issue(self) -> str:
        """Make a code of 256 bits."""
        code = secrets.token_urlsafe(32)
        self._codes[code] = self._clock.monotonic() + SECONDS
        return code

    def redeem(self, code: str) -> str | None:
        """Return the token of a new session; None if the code is unknown, too old or used. Used: its session ends."""
        if code in self._sessions:
            self._sessions[code] = ""
            return None
        until = self._codes.pop(code, None)
        if until is None or self._clock.monotonic() > until:
            return None
        self._sessions[code] = secrets.token_urlsafe(32)
        return self._sessions[code]

    async def principal(self, token: str, *, host: str = "") -> Principal | None:  # noqa: ARG002 - it asks no others
        """See `context.Authenticator`."""
        shown = token.encode("utf-8", "replace")
        known = [hmac.compare_digest(shown, one.encode()) for one in self._sessions.values() if one]
        return LOCAL_PRINCIPAL if any(known) else None
