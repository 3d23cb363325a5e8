"""Servers over a small web, and a data directory in which one run has ended."""

import shutil
from collections.abc import AsyncGenerator, Iterator
from pathlib import Path

import anyio
import pytest
from mcp import Client

from deepresearch_mcp.jobs.asking import checked_request
from deepresearch_mcp.jobs.jobs import open_jobs
from deepresearch_mcp.mcp_server.server import ResearchServer, build_server
from deepresearch_mcp.runtime import open_runtime
from served import serving
from small_web import QUESTION, Kept, SmallWeb, settings_for, small_web


async def research(home: Path) -> str:
    """Make one run to its end; its id."""
    async with (
        small_web() as web,
        open_runtime(settings_for(home, web.base)) as runtime,
        open_jobs(runtime) as jobs,
    ):
        row = await jobs.start_or_join(checked_request({"question": QUESTION, "effort": "quick"}))
        row = await jobs.follow(row.run_id)
        assert row.status == "completed", row
        return row.run_id


@pytest.fixture(scope="session")
def researched(tmp_path_factory: pytest.TempPathFactory) -> Kept:
    home = tmp_path_factory.mktemp("researched")
    return Kept(home, anyio.run(research, home))


@pytest.fixture
def kept(researched: Kept, tmp_path: Path) -> Kept:
    """A copy of it that the test may change."""
    home = tmp_path / "home"
    shutil.copytree(researched.home, home)
    return Kept(home, researched.run_id)


@pytest.fixture
async def web() -> AsyncGenerator[SmallWeb]:
    async with small_web() as open_web:
        yield open_web


@pytest.fixture
async def held_web() -> AsyncGenerator[SmallWeb]:
    """A web whose search waits until it is opened."""
    async with small_web(held=True) as open_web:
        yield open_web


@pytest.fixture(params=["auto", "legacy"])
def era(request: pytest.FixtureRequest) -> Iterator[str]:
    """Both protocol eras."""
    return request.param


@pytest.fixture
async def client(kept: Kept, era: str) -> AsyncGenerator[Client]:
    async with Client(build_server(settings_for(kept.home)), mode=era, raise_exceptions=True) as open_client:
        yield open_client


@pytest.fixture
def server(web: SmallWeb, tmp_path: Path) -> ResearchServer:
    return build_server(settings_for(tmp_path / "home", web.base))


@pytest.fixture
def researching(child_env: dict[str, str], held_web: SmallWeb) -> Iterator[str]:
    """The address of a server over a web whose search is held."""
    env = {
        "DEEPRESEARCH_SEARCH__ENGINES": "searxng",
        "SEARXNG_URL": held_web.base,
        "DEEPRESEARCH_WEB__ALLOW_PRIVATE": held_web.base.removeprefix("http://"),
    }
    with serving(child_env | env) as url:
        yield url
