from typing import Any

import pytest

from calls import call_of
from deepresearch_mcp.mcp_server.callers import gives_name, most_bytes, nameless, reads_structure, times_rounds
from deepresearch_mcp.settings.schema import Settings


def turn(model: object) -> dict[str, Any]:
    """What Codex says with each call."""
    return {"x-codex-turn-metadata": {"session_id": "s", "model": model, "codex_version": "0.169.0"}}


@pytest.mark.parametrize(
    ("name", "meta", "most"),
    [
        ("claude-code", {}, 40_000),
        ("codex-mcp-client", {}, 30_000),
        ("codex-mcp-client", turn("gpt-6-sol"), 30_000),
        ("codex-mcp-client", turn("openai/GPT-5.5"), 30_000),
        ("codex-mcp-client", turn("qwen3-coder"), 9_000),
        ("codex-mcp-client", turn("gpt-5"), 9_000),
        ("codex-mcp-client", turn(None), 30_000),
        ("codex-mcp-client", {"x-codex-turn-metadata": "gpt-6"}, 30_000),
        ("claude-code", turn("qwen3-coder"), 40_000),
        (None, {}, 40_000),
    ],
)
def test_a_result_is_as_long_as_its_client_hands_on_whole(name: str | None, meta: dict[str, Any], most: int) -> None:
    assert most_bytes(call_of(name, meta=meta), Settings()) == most


def test_a_shorter_limit_that_was_set_holds_for_every_client() -> None:
    settings = Settings.model_validate({"server": {"result_chars": 5_000}})

    assert most_bytes(call_of("codex-mcp-client", meta=turn("qwen3-coder")), settings) == 5_000


def test_only_a_caller_without_name_and_progress_is_unknown() -> None:
    assert nameless(call_of("mcp", hears=False))
    assert not nameless(call_of("mcp"))
    assert not nameless(call_of("claude-code", hears=False))
    assert gives_name(call_of("claude-code").session)
    assert not gives_name(call_of("mcp").session)


def test_what_is_known_of_one_client_is_not_assumed_of_others() -> None:
    assert [reads_structure(call_of(name)) for name in ("codex-mcp-client", "claude-code", "mcp")] == [
        True,
        False,
        False,
    ]
    assert [times_rounds(call_of(name)) for name in ("codex-mcp-client", "claude-code", "mcp")] == [False, True, False]
