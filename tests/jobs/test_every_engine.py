"""All web engines at once, in `web_search` and in a run, against loopback services of their documented shapes."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.search.loopback_service import LoopbackService, loopback_service
from tests.search.recorded_answers import FOUND, ICE, KEY_REFUSED, OTHER, QUOTA_SPENT

from deepresearch_mcp.jobs.lookups import search_web
from deepresearch_mcp.records.engine_specs import WEB_ENGINES
from deepresearch_mcp.search.prices import LISTED
from deepresearch_mcp.settings.services import address_name
from small_web import small_web
from whole_runs import checked, opened, researched

SPECS = {spec.name: spec for spec in WEB_ENGINES if spec.address}
NAMES = list(SPECS)
FAILING: dict[str, tuple[int, bytes]] = {
    "exa": (KEY_REFUSED["exa"].status, json.dumps(KEY_REFUSED["exa"].body).encode()),
    "serper": (QUOTA_SPENT["serper"].status, json.dumps(QUOTA_SPENT["serper"].body).encode()),
    "kagi": (429, b"{}"),
    "linkup": (502, b"busy"),
    "jina": (200, b"<html>"),
    "perplexity": (200, b'{"error": "odd"}'),
}
"""One service for each way to fail that an answer can have."""


@pytest.fixture
def services() -> Iterator[LoopbackService]:
    with loopback_service() as service:
        yield service


def settings(services: LoopbackService) -> dict[str, Any]:
    """A key and an address on loopback for every engine."""
    search: dict[str, Any] = {"engines": NAMES, "google_engine_id": "our-engine"}
    for name, spec in SPECS.items():
        search[address_name(spec)] = f"{services.base}/{name}"
        if spec.key:
            search[f"{name}_key"] = "k"
    return {"search": search}


def finding(ice: str, other: str) -> dict[str, tuple[int, bytes]]:
    """Every service finds these two pages."""
    return {name: (200, json.dumps(FOUND[name]).replace(ICE, ice).replace(OTHER, other).encode()) for name in NAMES}


async def test_web_search_fuses_the_hits_of_all_and_names_those_that_fail(
    tmp_path: Path, services: LoopbackService
) -> None:
    services.routes = finding(ICE, OTHER) | FAILING

    async with small_web() as web, opened(tmp_path, web, more=settings(services)) as jobs:
        found = await search_web(jobs.runtime, "ice")

    assert [hit.url for hit in found.hits] == [ICE, OTHER]
    assert set(found.hits[0].engines) == set(NAMES) - FAILING.keys()
    assert {failure.engine for failure in found.failures} == FAILING.keys()
    assert found.engines == tuple(NAMES)


async def test_a_run_asks_all_of_them_and_pays_each_its_price(tmp_path: Path, services: LoopbackService) -> None:
    async with small_web() as web, opened(tmp_path, web, more=settings(services)) as jobs:
        services.routes = finding(f"{web.base}/density", f"{web.base}/bonds")

        run = await researched(jobs, max_usd=10, max_searches=400)

        await checked(jobs, run)
    assert run.status == "completed", run.error
    # On a busy machine a query may be cancelled on its way, or sent twice: the run's own count is what it pays.
    asked = {name: fared["asked"] for name, fared in run.metrics.engines.items()}
    assert {path.split("/")[1] for path in services.asked} == set(asked) == set(NAMES)
    assert run.metrics.searches == sum(asked.values())
    assert run.metrics.usd == pytest.approx(
        sum(LISTED[name].usd * times for name, times in asked.items() if name in LISTED)
    )
