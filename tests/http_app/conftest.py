"""The application over a store of its own, and servers over a small web."""

from collections.abc import AsyncGenerator, Iterator
from pathlib import Path

import pytest

from http_service import Served, serve_here
from served import serving
from small_web import SmallWeb, small_web


@pytest.fixture
async def served(tmp_path: Path) -> AsyncGenerator[Served]:
    async with serve_here(tmp_path / "home") as served:
        yield served


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
def researching(child_env: dict[str, str], held_web: SmallWeb) -> Iterator[str]:
    """The address of a server over a web whose search is held."""
    env = {
        "DEEPRESEARCH_SEARCH__ENGINES": "searxng",
        "SEARXNG_URL": held_web.base,
        "DEEPRESEARCH_WEB__ALLOW_PRIVATE": held_web.base.removeprefix("http://"),
    }
    with serving(child_env | env) as url:
        yield url
