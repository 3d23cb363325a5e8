"""Faults outside tools; those of tools are in test_server.py."""

from pathlib import Path
from typing import Any

import pytest
from mcp import Client, MCPError, types

from deepresearch_mcp.mcp_server.server import ResearchServer, build_server
from small_web import settings_for


async def test_a_fault_of_ours_outside_a_tool_is_a_sentence_for_the_client_and_a_trace_for_the_log(
    era: str, server: ResearchServer, caplog: pytest.LogCaptureFixture
) -> None:
    @server.prompt()
    def broken() -> str:
        raise RuntimeError("secret inside")

    async with Client(server, mode=era) as client:
        with pytest.raises(MCPError, match=r"^prompts/get failed because of an error in this server") as caught:
            await client.get_prompt("broken")

    assert caught.value.error.code == types.INTERNAL_ERROR
    assert "secret inside" in caplog.text


@pytest.mark.parametrize(
    ("name", "arguments", "sentence"),
    [
        ("nothing", {}, "There is no prompt 'nothing'. There are: research, "),
        ("research", {}, "The prompt research needs the argument 'question'. It takes: question, effort."),
        ("research", {"question": "Why?", "tone": "kind"}, "The prompt research has no argument 'tone'. It takes: "),
    ],
)
async def test_a_wrong_call_of_a_prompt_says_what_to_do(
    era: str, server: ResearchServer, name: str, arguments: dict[str, Any], sentence: str
) -> None:
    async with Client(server, mode=era) as client:
        with pytest.raises(MCPError) as caught:
            await client.get_prompt(name, arguments)

    assert caught.value.error.code == types.INVALID_PARAMS
    assert caught.value.error.message.startswith(sentence)


async def test_a_store_that_cannot_be_used_is_told_by_every_method(era: str, tmp_path: Path) -> None:
    (tmp_path / "home").write_text("in the way")
    template = types.ResourceTemplateReference(type="ref/resource", uri="research://runs/{run_id}")
    async with Client(build_server(settings_for(tmp_path / "home")), mode=era) as client:
        for call in (
            client.list_resources(),
            client.read_resource("research://runs"),
            client.complete(template, {"name": "run_id", "value": ""}),
        ):
            with pytest.raises(MCPError, match="The data directory cannot be used"):
                await call


async def test_half_a_character_is_refused_before_anything_is_started(era: str, server: ResearchServer) -> None:
    async with Client(server, mode=era) as client:
        for name, value in (("model", "\ud800"), ("collections", ["\ud800"])):
            with pytest.raises(MCPError, match="half of a character") as caught:
                await client.call_tool("deep_research", {"question": "Why?", name: value})
        runs = await client.call_tool("list_runs", {})

    assert caught.value.error.code == types.INVALID_PARAMS
    assert (runs.structured_content or {})["runs"] == []
