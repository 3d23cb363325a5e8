from typing import Any

import pytest
from starlette.requests import Request

from deepresearch_mcp.exceptions import NotAuthenticated, NotAuthorized
from deepresearch_mcp.http_app.context import admit, principal_of
from deepresearch_mcp.records.principal import Principal


def test_a_route_is_served_to_the_principal_that_the_gate_admitted_and_only_within_its_scopes() -> None:
    scope: dict[str, Any] = {"type": "http"}
    reader = Principal("token:1", frozenset({"runs:read"}))
    with pytest.raises(NotAuthenticated):
        principal_of(Request(scope), "runs:read")
    admit(scope, reader)

    assert principal_of(Request(scope), "runs:read") is reader
    with pytest.raises(NotAuthorized, match="runs:write"):
        principal_of(Request(scope), "runs:write")
