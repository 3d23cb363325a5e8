from types import SimpleNamespace
from typing import Any

import pytest

from deepresearch_mcp.exceptions import NotAuthenticated, NotAuthorized
from deepresearch_mcp.mcp_server.principals import caller_of, principal_of
from deepresearch_mcp.mcp_server.toolbox import TOOLS, scope_of
from deepresearch_mcp.records.principal import LOCAL_PRINCIPAL, PRINCIPAL_KEY, Principal

READER = Principal("token:1", frozenset({"runs:read"}))


def asked(scope: dict[str, Any] | None) -> Any:
    return SimpleNamespace(request=None if scope is None else SimpleNamespace(scope=scope))


def test_over_a_pipe_the_caller_is_this_machines_user() -> None:
    assert principal_of(asked(None)) is LOCAL_PRINCIPAL


@pytest.mark.parametrize("scope", [{}, {PRINCIPAL_KEY: "local"}])
def test_past_no_gate_nobody_is_served_over_http(scope: dict[str, Any]) -> None:
    with pytest.raises(NotAuthenticated):
        caller_of(asked(scope))


def test_a_caller_may_do_what_it_was_granted_and_no_more() -> None:
    assert caller_of(asked({PRINCIPAL_KEY: READER})) == "token:1"
    with pytest.raises(NotAuthorized, match="runs:write"):
        caller_of(asked({PRINCIPAL_KEY: READER}), "runs:write")


def test_each_tool_that_changes_or_spends_needs_the_scope_to_write() -> None:
    needs = {spec.function.__name__: scope_of(spec.function.__name__) for spec in TOOLS}

    assert {name for name, scope in needs.items() if scope == "runs:read"} == {
        *("get_report", "list_runs", "search_library")
    }
    assert (scope_of("show_report"), scope_of("a tool of another package")) == ("runs:read", "runs:write")
