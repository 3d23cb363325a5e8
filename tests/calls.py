"""Requests as the server sees them: from a client of some name, with what it says beside."""

from types import SimpleNamespace
from typing import Any

from mcp import types


def call_of(
    name: str | None,
    *,
    hears: bool = True,
    request_id: int | None = 1,
    meta: dict[str, Any] | None = None,
    headers: dict[str, str] | None = None,
) -> Any:
    """The context of a request; without a name its client has not said any yet, without `headers` it uses a pipe."""
    info = types.Implementation(name=name or "", version="1")
    params = types.InitializeRequestParams(
        protocol_version="2025-11-25", capabilities=types.ClientCapabilities(), client_info=info
    )
    session = SimpleNamespace(client_params=params if name is not None else None)
    said = {**(meta or {}), **({"progress_token": 1} if hears else {})}
    request = SimpleNamespace(headers=headers) if headers is not None else None
    return SimpleNamespace(session=session, meta=said or None, request_id=request_id, request=request)
