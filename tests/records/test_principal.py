import pytest

from deepresearch_mcp.records.principal import LOCAL_PRINCIPAL, SCOPES, Principal, Scope


@pytest.mark.parametrize("scope", SCOPES)
def test_a_principal_may_what_it_was_granted_and_nothing_else(scope: Scope) -> None:
    granted = Principal("token:1", frozenset({scope}))

    assert [one for one in SCOPES if granted.may(one)] == [scope]


def test_the_local_user_may_everything() -> None:
    assert all(LOCAL_PRINCIPAL.may(scope) for scope in SCOPES)
