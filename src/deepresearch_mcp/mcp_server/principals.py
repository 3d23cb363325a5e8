"""Whose call this is: what runs are kept under, and what a call may do."""

from typing import TYPE_CHECKING, Any

from mcp.server.context import ServerRequestContext

from deepresearch_mcp.exceptions import NotAuthenticated, NotAuthorized
from deepresearch_mcp.records.principal import LOCAL_PRINCIPAL, PRINCIPAL_KEY, Principal

if TYPE_CHECKING:
    from collections.abc import Mapping

    from deepresearch_mcp.records.principal import Scope


def principal_of(ctx: ServerRequestContext[Any, Any]) -> Principal:
    """The principal of a request: the one that the gate admitted, or over a pipe this machine's user.

    Raises:
        NotAuthenticated: It came over HTTP past no gate.
    """
    if ctx.request is None:
        return LOCAL_PRINCIPAL
    scope: Mapping[str, object] = getattr(ctx.request, "scope", {})
    principal = scope.get(PRINCIPAL_KEY)
    if not isinstance(principal, Principal):
        raise NotAuthenticated
    return principal


def caller_of(ctx: ServerRequestContext[Any, Any], scope: "Scope" = "runs:read") -> str:
    """What the store keeps beside all that this request may see or makes.

    Raises:
        NotAuthenticated: It came over HTTP past no gate.
        NotAuthorized: `scope` was not granted.
    """
    principal = principal_of(ctx)
    if not principal.may(scope):
        raise NotAuthorized(scope)
    return principal.caller
