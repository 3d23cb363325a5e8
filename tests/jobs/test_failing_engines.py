"""Every web engine and data source as users reach it, in `web_search` and in a run, while it fails in each of six ways.

One instance of SearXNG works meanwhile: what it finds must come out, and every other service must be told with what it
did.
"""

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

import pytest
from tests.search.loopback_service import Fault, LoopbackService, loopback_service
from tests.search.recorded_answers import KEY_REFUSED, QUOTA_SPENT, Said

from deepresearch_mcp.jobs.lookups import search_web
from deepresearch_mcp.records.specs import ENGINES
from deepresearch_mcp.settings.services import address_name
from small_web import PAGES, SmallWeb, small_web
from whole_runs import checked, opened, researched

FAILING = {spec.name: spec for spec in ENGINES if spec.web and spec.address and spec.name != "searxng"}
"""All whose address is a setting: neither DuckDuckGo nor Wikipedia."""
SECRET = "s3cret-of-a-user"
QUERY = "Apple revenue, and the package anyio"
"""Whatever a source looks for before it asks, there is something of it."""
IN_RUNS = FAILING.keys() - {"pypi"}
"""The question of the run names no package, without which PyPI is not asked."""


class Way(NamedTuple):
    """One way to fail, and the words that tell it."""

    told: str
    answers: Mapping[str, Said] = MappingProxyType({})
    """What single services answer; the others answer `other`."""
    other: Said = Said(200, {})
    fault: Fault = ""


WAYS = {
    "the key is refused": Way("the key is missing or wrong|refuses", KEY_REFUSED, Said(401, {"error": "Who is it?"})),
    "the quota is spent": Way("quota|HTTP 402", QUOTA_SPENT, Said(402, {"error": "Pay first."})),
    "too many queries": Way("too many queries", other=Said(429, {"error": "Too many requests"})),
    "a fault of the service": Way("HTTP 502", other=Said(502, {"error": "Bad gateway"})),
    "a page in place of an answer": Way("unexpected shape|is not (?:XML|JSON)", other=Said(200, "<html>Welcome")),
    "the connection breaks": Way("the connection broke", fault="break"),
    "no answer in time": Way("no answer within", fault="hang"),
}


@pytest.fixture
def services() -> Iterator[LoopbackService]:
    with loopback_service() as service:
        yield service


def failing(services: LoopbackService, way: Way) -> None:
    """Let every service fail in this way."""
    services.says({}, fault=way.fault)
    said = {name: way.answers.get(name, way.other) for name in FAILING}
    services.routes = {name: (one.status, json.dumps(one.body).encode()) for name, one in said.items()}


def settings(services: LoopbackService, web: SmallWeb) -> dict[str, Any]:
    """A key and an address on loopback for everything that fails, and a SearXNG that works."""
    search: dict[str, Any] = {
        "engines": [*FAILING, "searxng"],
        "google_engine_id": "our-engine",
        "searxng_url": web.base,
        "timeout": 2,
        "rates": dict.fromkeys(FAILING, 0),
    }
    for name, spec in FAILING.items():
        search[address_name(spec)] = f"{services.base}/{name}"
        if spec.key:
            search[f"{name}_key"] = SECRET
    return {"search": search, "web": {"contact": "me@example.org"}}


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
async def test_web_search_finds_what_one_engine_finds_and_tells_how_each_other_failed(
    tmp_path: Path, services: LoopbackService, way: Way
) -> None:
    failing(services, way)

    async with small_web() as web, opened(tmp_path, web, more=settings(services, web)) as jobs:
        found = await search_web(jobs.runtime, QUERY)

    told = {failure.engine: failure.reason for failure in found.failures}
    assert len(found.hits) == len(PAGES)
    assert [name for name in FAILING if not re.search(way.told, told.get(name, ""))] == []
    assert SECRET not in str(told)


# A run does not wait for an engine that is late, so whether that fails before the run ends is a matter of time.
@pytest.mark.parametrize("way", [way for way in WAYS.values() if way.fault != "hang"])
async def test_a_run_reports_what_one_engine_finds_and_tells_how_each_other_failed(
    tmp_path: Path, services: LoopbackService, way: Way
) -> None:
    failing(services, way)

    async with small_web() as web, opened(tmp_path, web, more=settings(services, web)) as jobs:
        run = await researched(jobs, max_usd=50, max_searches=900)
        await checked(jobs, run)

    told = {name: " ".join(one for one in run.warnings if one.startswith(f"{name} did not")) for name in IN_RUNS}
    assert run.status == "completed", run.error
    assert [name for name, warning in told.items() if not re.search(way.told, warning)] == []
    assert all(f"{name} answered 0 of " in run.report for name in IN_RUNS)
    assert SECRET not in run.model_dump_json()
