"""`[defaults]`: what holds where a caller leaves an argument out, on every surface."""

from pathlib import Path
from typing import Any

import pytest
from mcp import Client
from pydantic import ValidationError

from deepresearch_mcp import DeepResearch
from deepresearch_mcp.jobs.asking import checked_request
from deepresearch_mcp.mcp_server.server import build_server
from deepresearch_mcp.records.request import EFFORTS, ResearchRequest
from deepresearch_mcp.settings.defaults import DefaultSettings
from deepresearch_mcp.settings.reading import read_settings
from rest_world import served_rest
from small_web import QUESTION, settings_for

MINE = DefaultSettings(
    effort="quick",
    max_pages=7,
    exclude_domains=("www.Evil.example",),
    profile="medical",
    language="de",
    template="timeline",
)


def test_defaults_are_arguments_of_a_research_within_the_same_bounds() -> None:
    assert DefaultSettings.model_fields.keys() <= ResearchRequest.model_fields.keys()
    assert checked_request({"question": "Why?"}) == ResearchRequest(question="Why?")
    for wrong in ({"effort": "huge"}, {"max_usd": -1}, {"depth": 9}, {"include_domains": ["a b"]}, {"colour": 1}):
        with pytest.raises(ValidationError):
            DefaultSettings.model_validate(wrong)


def test_an_argument_wins_over_its_default_alone() -> None:
    bare = checked_request({"question": "Why?", "effort": None}, defaults=MINE)
    given = checked_request(
        {"question": "Why?", "effort": "deep", "exclude_domains": [], "language": ""}, defaults=MINE
    )

    assert (bare.effort, bare.profile, bare.language, bare.template) == ("quick", "medical", "de", "timeline")
    assert (bare.shape.max_pages, bare.shape.max_tokens) == (7, EFFORTS["quick"].max_tokens)
    assert bare.exclude_domains == ("www.evil.example",)
    assert (given.effort, given.exclude_domains, given.language) == ("deep", (), "")
    assert (given.shape.max_pages, given.profile) == (7, "medical")


def test_they_are_read_from_the_file_and_the_environment(tmp_path: Path) -> None:
    (tmp_path / "config.toml").write_text('[defaults]\neffort = "deep"\nmax_usd = 0.5\nlanguage = "fr"\n')

    read = read_settings(
        env={"DEEPRESEARCH_DEFAULTS__LANGUAGE": "de", "DEEPRESEARCH_DEFAULTS__MAX_PAGES": "9"}, config_dir=tmp_path
    )

    found = read.settings.defaults
    assert (found.effort, found.max_usd, found.language, found.max_pages) == ("deep", 0.5, "de", 9)


def with_mine(home: Path, **given: Any) -> Any:
    return settings_for(home).model_copy(update={"defaults": MINE, **given})


async def test_they_hold_over_mcp(tmp_path: Path) -> None:
    server = build_server(with_mine(tmp_path))
    async with Client(server) as client:
        await client.call_tool("deep_research", {"question": QUESTION, "wait_seconds": 0})
        await client.call_tool("deep_research", {"question": QUESTION, "effort": "deep", "wait_seconds": 0})
        async with server.shared_context() as shared:
            deep, quick = [row.request for row in await (await shared.jobs()).find()]

    assert isinstance(quick, ResearchRequest)
    assert isinstance(deep, ResearchRequest)
    assert (quick.effort, quick.template, quick.max_pages) == ("quick", "timeline", 7)
    assert (deep.effort, deep.template) == ("deep", "timeline")


async def test_they_hold_over_rest_and_its_sessions(tmp_path: Path) -> None:
    async with served_rest(tmp_path, settings=with_mine(tmp_path)) as world:
        bare = (await world.call("POST", "/research/estimate", {"question": QUESTION})).json()["estimate"]
        given = (await world.call("POST", "/research/estimate", {"question": QUESTION, "max_pages": 3})).json()
        session = (await world.call("POST", "/research/sessions", {"config": {}})).headers["location"]
        executed = (await world.call("POST", f"{session}/execute", {"query": QUESTION})).json()["run_id"]
        await world.call("POST", f"/research/runs/{executed}/cancel")
        run = (await world.call("GET", f"/research/runs/{executed}?wait_seconds=20")).json()

    assert (bare["ceilings"]["max_pages"], bare["ceilings"]["depth"]) == (7, 1)
    assert given["estimate"]["ceilings"]["max_pages"] == 3
    assert run["provenance"]["request"]["profile"] == "medical"


async def test_they_hold_in_the_library(tmp_path: Path) -> None:
    async with DeepResearch(with_mine(tmp_path)) as research:
        bare, given = await research.estimate(QUESTION), await research.estimate(QUESTION, effort="deep")

    assert bare.ceilings
    assert given.ceilings
    assert (bare.ceilings.depth, given.ceilings.depth) == (1, 4)
