"""What all routes of the HTTP service share, and who calls one."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from deepresearch_mcp.exceptions import NotAuthenticated, NotAuthorized
from deepresearch_mcp.http_app.one_time_codes import OneTimeCodes
from deepresearch_mcp.http_app.pages.live_state import LiveStates
from deepresearch_mcp.records.principal import PRINCIPAL_KEY, Principal, Scope

if TYPE_CHECKING:
    from collections.abc import MutableMapping

    from starlette.requests import Request

    from deepresearch_mcp.mcp_server.server_context import ServerContext
    from deepresearch_mcp.ports.clock import Clock
    from deepresearch_mcp.settings.schema import Settings


class Authenticator(Protocol):
    """Knows the tokens of one kind."""

    async def principal(self, token: str, *, host: str = "") -> Principal | None:
        """Whose token this is; None if this authenticator does not know it, or it is no longer valid.

        `host` is where it came from, for an authenticator that has to ask others: one address may not have it ask
        without end.

        Raises:
            DeepResearchError: It could not be found out now.
        """
        ...


@dataclass(slots=True)
class Stopping:
    """Whether the server has been told to stop: streams, which could last for hours, end then."""

    now: bool = False


@dataclass(frozen=True, slots=True)
class HttpContext:
    """What routes are made of. `server.jobs()` opens the jobs on first use and gives the same ones to `/mcp`."""

    settings: "Settings"
    server: "ServerContext"
    clock: "Clock"
    authenticator: Authenticator | None = None
    """Knows all tokens that are taken; None: no token is asked for."""
    codes: OneTimeCodes | None = None
    """With which this machine's own browser signs in, where a command has opened it."""
    watched: LiveStates = field(default_factory=LiveStates)
    """What the web page shows of runs that go on."""
    stopping: Stopping = field(default_factory=Stopping)


def principal_of(request: "Request", scope: Scope) -> Principal:
    """The principal whom the gate put into the request, if it was granted `scope`.

    Raises:
        NotAuthenticated: No gate stands before this route.
        NotAuthorized: The scope was not granted.
    """
    principal = admitted(request)
    if not principal.may(scope):
        raise NotAuthorized(scope)
    return principal


def admitted(request: "Request") -> Principal:
    """The principal whom the gate put into the request, whatever it may do.

    Raises:
        NotAuthenticated: No gate stands before this route.
    """
    principal = request.scope.get(PRINCIPAL_KEY)
    if not isinstance(principal, Principal):
        raise NotAuthenticated
    return principal


def admit(scope: "MutableMapping[str, Any]", principal: Principal) -> None:
    """Put the principal of a request into its ASGI scope; the gate alone calls this."""
    scope[PRINCIPAL_KEY] = principal
