"""What a calling model may say to a run that waits for its work; what it may say of plans is in test_attaching.py."""

import re
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any

import pytest
from mcp import Client

from deepresearch_mcp.mcp_server.server import build_server
from small_web import QUESTION, SmallWeb, said, settings_for
from thinking import Mind

ASK = {"question": QUESTION, "model": "client", "effort": "quick"}


@pytest.fixture
async def client(web: SmallWeb, tmp_path: Path) -> AsyncGenerator[Client]:
    async with Client(build_server(settings_for(tmp_path, web.base, wait_seconds=30.0))) as client:
        yield client


async def asked(client: Client) -> tuple[str, str]:
    """The run, and the text with its first work."""
    text = said(await client.call_tool("deep_research", ASK))
    [run_id] = set(re.findall(r'run_id="(\w+)"', text))
    return run_id, text


async def say(client: Client, run_id: str, **given: Any) -> str:
    return said(await client.call_tool("continue_research", {"run_id": run_id, **given}))


async def test_who_says_nothing_is_given_the_work_once_more(client: Client) -> None:
    run_id, text = await asked(client)

    assert "1.1" in text
    assert await say(client, run_id) == text
    assert said(await client.call_tool("get_report", {"run_id": run_id})) == text
    assert said(await client.call_tool("deep_research", ASK)) == text


async def test_an_answer_of_no_use_is_told_at_once_and_only_it_is_asked_for_again(client: Client) -> None:
    run_id, _ = await asked(client)

    text = await say(client, run_id, work={"1.1": "No.", "1.2": {"claims": []}, "9.9": "?"})

    assert "- 1.1: there is no JSON in it that can be read" in text
    assert text.endswith(f'Next: continue_research(run_id="{run_id}", work={{"1.1": {{…}}}})')
    assert len(text) < 300


async def test_part_of_the_answers_leaves_the_others_open(client: Client) -> None:
    run_id, plan = await asked(client)
    reading = await say(client, run_id, work=Mind().work_in(plan))

    text = await say(client, run_id, work={"2.2": {"claims": []}})

    assert "## Packet 2.2" in reading
    assert "## Packet 2.1" in text
    assert "## Packet 2.2" not in text


async def test_who_wants_no_more_work_gets_the_report_without_a_model(client: Client) -> None:
    run_id, _ = await asked(client)

    report = await say(client, run_id, approve=True)

    assert report.startswith("A part was done without the language model: the report says which part and why.")
    assert f"# {QUESTION}" in report
    assert "**Done without the model.** client could not " in report
    assert "(it no longer answers" in report


async def test_the_run_can_be_ended_in_the_place_of_an_answer(client: Client) -> None:
    run_id, _ = await asked(client)

    report = await say(client, run_id, approve=False)

    assert report.startswith("Cancelled before it was done: this is what was found until then.")
    assert f"# {QUESTION}" in report


async def test_words_for_a_plan_are_no_work(client: Client) -> None:
    run_id, _ = await asked(client)

    assert "waits for its model's answers, not for its user" in await say(client, run_id, note="Only in winter.")
