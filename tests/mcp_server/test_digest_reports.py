"""`auto` without a key: the digest at once, and the full report by the model that asked, if it wants to write it."""

import re
import sys
from collections import Counter
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from mcp import Client, StdioServerParameters

from deepresearch_mcp.jobs.digests import is_digest
from deepresearch_mcp.mcp_server.server import ResearchServer, build_server
from deepresearch_mcp.records.run import Run
from deepresearch_mcp.settings.schema import Settings
from small_web import QUESTION, SmallWeb, said, settings_for
from thinking import Mind

ASK: dict[str, Any] = {"question": QUESTION, "effort": "quick"}
OFFER = "[No language model is configured, so this is a digest"


def keyless(home: Path, base: str, **more: Any) -> Settings:
    """`model.use` as it is by default, and no key."""
    made = settings_for(home, base, wait_seconds=30.0)
    return Settings.model_validate(made.model_dump() | {"model": {"use": "auto"}} | more)


@pytest.fixture
def server(web: SmallWeb, tmp_path: Path) -> ResearchServer:
    return build_server(keyless(tmp_path, web.base))


async def digest(client: Client, **more: Any) -> tuple[str, str]:
    """The id of a digest, and its text."""
    text = said(await client.call_tool("deep_research", ASK | more))
    [run_id] = re.findall(r"\[Run (\w+) · completed", text)
    return run_id, text


async def object_of(client: Client, run_id: str) -> Run:
    text = said(await client.call_tool("get_report", {"run_id": run_id, "format": "json"}))
    return Run.model_validate_json(text)


def planned(run: Run) -> dict[str, Any]:
    """The plan as it was made; how far it got and what it costs are each run's own."""
    assert run.provenance
    assert run.provenance.plan
    plan = {name: value for name, value in run.provenance.plan.items() if name != "estimate"}
    plan["sub_questions"] = [
        {name: value for name, value in part.items() if name != "status"} for part in plan["sub_questions"]
    ]
    return plan


async def test_the_digest_comes_at_once_and_says_how_to_have_more(era: str, server: ResearchServer) -> None:
    async with Client(server, mode=era) as client:
        run_id, text = await digest(client)
        again = said(await client.call_tool("get_report", {"run_id": run_id}))
        run = await object_of(client, run_id)

    assert text.startswith(f"# {QUESTION}")
    assert f'To write the full report yourself: continue_research(run_id="{run_id}")' in text
    assert 'check your text: check_citations(text="…")' in text
    assert again == text
    assert (run.status, is_digest(run)) == ("completed", True)


async def test_the_report_is_written_by_the_client_from_the_plan_and_the_pages_of_the_digest(
    era: str, server: ResearchServer, web: SmallWeb
) -> None:
    mind = Mind()
    async with Client(server, mode=era) as client:
        run_id, _ = await digest(client, effort="standard")
        first, asked, read = await object_of(client, run_id), set(web.asked), Counter(web.read)
        web.asked.clear()
        report = await mind.follow(client, {"run_id": run_id}, tool="continue_research")
        [new] = set(re.findall(r"\[Run (\w+) · completed", report))
        run = await object_of(client, new)

    opening, _, work = mind.rounds[0].partition("\n\n")
    assert opening == f"Run {new} writes the full report of run {run_id}, from its plan and its pages."
    assert work.startswith("This research thinks with your own model. Round 1: ")
    assert "# Task: plan" not in work
    assert "# Task: read" in work
    assert new != run_id
    assert "model: client" in report
    assert OFFER not in report
    assert len(mind.rounds) <= 7
    assert planned(run) == planned(first)
    assert Counter(web.read) == read
    assert not asked & set(web.asked)
    assert {source.url for source in run.sources} >= {source.url for source in first.sources if source.cited}


async def test_a_repeated_call_joins_the_report_that_is_being_written_or_has_been(server: ResearchServer) -> None:
    mind = Mind()
    async with Client(server) as client:
        run_id, _ = await digest(client)
        first = said(await client.call_tool("continue_research", {"run_id": run_id}))
        second = said(await client.call_tool("continue_research", {"run_id": run_id}))
        report = await mind.follow(client, {"run_id": run_id}, tool="continue_research")
        after = said(await client.call_tool("continue_research", {"run_id": run_id}))
        runs = (await client.call_tool("list_runs", {})).structured_content["runs"]

    assert first == second
    assert after.partition("\n\n")[2] == report
    assert len(runs) == 2


async def test_work_for_the_digest_itself_is_told_where_it_belongs(server: ResearchServer) -> None:
    async with Client(server) as client:
        run_id, _ = await digest(client)
        none = said(await client.call_tool("continue_research", {"run_id": run_id, "work": {"1.1": {}}}))
        text = said(await client.call_tool("continue_research", {"run_id": run_id}))
        [new] = set(re.findall(r'continue_research\(run_id="(\w+)"', text))
        some = said(await client.call_tool("continue_research", {"run_id": run_id, "work": {"1.1": {}}}))

    assert "waits for no work: it is completed" in none
    assert f"Its report is written by run {new}." in some
    assert f'continue_research(run_id="{new}", work={{…}})' in some


async def test_sampling_writes_the_report_of_a_digest_within_one_call(era: str, server: ResearchServer) -> None:
    mind = Mind()
    async with Client(server, mode=era, sampling_callback=mind.sample) as client:
        run_id, _ = await digest(client)
        report = said(await client.call_tool("continue_research", {"run_id": run_id}))

    assert f"writes the full report of run {run_id}" in report.partition("\n\n")[0]
    assert "model: client" in report
    assert mind.requests > 3


async def test_who_asks_for_a_digest_alone_is_offered_nothing(server: ResearchServer) -> None:
    mind = Mind()
    async with Client(server) as client:
        run_id, text = await digest(client, model="extractive")
        report = await mind.follow(client, {"run_id": run_id}, tool="continue_research")

    assert OFFER not in text
    assert "continue_research" not in text
    # It is no reason to refuse it.
    assert "model: client" in report


@pytest.mark.parametrize(
    ("more", "offers", "checks"),
    [
        ({}, True, True),
        ({"model": {"use": "extractive"}}, False, False),
        ({"server": {"toolsets": ("research",), "wait_seconds": 30}}, True, False),
    ],
    ids=["by default", "a digest by setting", "without the tool that checks"],
)
async def test_only_tools_that_are_there_are_offered(
    tmp_path: Path, web: SmallWeb, more: dict[str, Any], offers: bool, checks: bool
) -> None:
    async with Client(build_server(keyless(tmp_path, web.base, **more))) as client:
        _, text = await digest(client)

    assert (OFFER in text, "check_citations(" in text) == (offers, checks)


async def test_a_long_digest_makes_its_offer_on_the_first_page(tmp_path: Path, web: SmallWeb) -> None:
    settings = keyless(tmp_path, web.base, server={"result_chars": 3_000, "wait_seconds": 30})
    async with Client(build_server(settings)) as client:
        result = await client.call_tool("deep_research", ASK)
        first = said(result)
        [offset] = re.findall(r"offset=(\d+)\)\]", first)
        [run_id] = set(re.findall(r'run_id="(\w+)"', first))
        second = said(await client.call_tool("get_report", {"run_id": run_id, "offset": int(offset)}))

    assert OFFER in first
    assert sum(len(block.model_dump_json().encode()) for block in result.content[1:]) + len(first.encode()) <= 3_000
    assert OFFER not in second


async def test_each_packet_text_keeps_to_what_the_client_passes_on(tmp_path: Path, web: SmallWeb) -> None:
    settings = keyless(tmp_path, web.base, server={"result_chars": 6_000, "wait_seconds": 30})
    async with Client(build_server(settings)) as client:
        [run_id] = set(re.findall(r'run_id="(\w+)"', said(await client.call_tool("deep_research", ASK))))
        first = said(await client.call_tool("continue_research", {"run_id": run_id}))
        [new] = set(re.findall(r"continue_research\(run_id=\"(\w+)\"", first))

    assert first.startswith(f"Run {new} writes the full report of run {run_id}")
    assert "# Task: read" in first
    assert len(first.encode()) <= 6_000


async def test_a_process_over_stdio_takes_both_ways(child_env: dict[str, str], web: SmallWeb) -> None:
    env = child_env | {
        "DEEPRESEARCH_SEARCH__ENGINES": "searxng",
        "SEARXNG_URL": web.base,
        "DEEPRESEARCH_WEB__ALLOW_PRIVATE": urlsplit(web.base).netloc,
        "DEEPRESEARCH_WEB__WORKERS": "1",
        "DEEPRESEARCH_RESEARCH__STOP_SCORE": "1",
    }
    command = StdioServerParameters(command=sys.executable, args=["-m", "deepresearch_mcp", "serve"], env=env)
    mind = Mind()
    async with Client(command) as client:
        run_id, text = await digest(client, wait_seconds=60)
        read = Counter(web.read)
        report = await mind.follow(client, {"run_id": run_id}, tool="continue_research")

    assert OFFER in text
    assert "model: client" in report
    assert Counter(web.read) == read
