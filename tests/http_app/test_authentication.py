import pytest

from deepresearch_mcp.http_app.authentication import FirstOf, LocalToken
from deepresearch_mcp.records.principal import LOCAL_PRINCIPAL


@pytest.mark.parametrize("wrong", ["", "on", "one ", "\ud800"])
async def test_only_the_very_token_is_this_machines_user(wrong: str) -> None:
    assert await LocalToken("one").principal("one") == LOCAL_PRINCIPAL
    assert await LocalToken("one").principal(wrong) is None


async def test_several_kinds_of_tokens_are_asked_in_turn() -> None:
    either = FirstOf([LocalToken("one"), LocalToken("two")])

    assert await either.principal("two") == LOCAL_PRINCIPAL
    assert await either.principal("three") is None
