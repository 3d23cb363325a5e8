"""Foreign clients, and servers on a slow small web that has no way out and needs no key."""

import os
import shutil
from collections.abc import AsyncGenerator, Iterator
from pathlib import Path

import anyio
import pytest

from foreign import AGENTS, CLIENTS, LANGCHAIN, TASKED, installed_by_npm, installed_by_pip
from served import serving
from small_web import SmallWeb, small_web

SCRIPTS = Path(__file__).parent / "clients"


@pytest.fixture(scope="session")
def agents(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A Python with fastmcp, pydantic-ai and openai-agents."""
    return installed_by_pip(tmp_path_factory.mktemp("agents"), *AGENTS)


@pytest.fixture(scope="session")
def tasked(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A Python with fastmcp whose client takes tasks."""
    return installed_by_pip(tmp_path_factory.mktemp("tasked"), *TASKED)


@pytest.fixture(scope="session")
def langchain(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A Python with LangChain's adapters."""
    return installed_by_pip(tmp_path_factory.mktemp("langchain"), *LANGCHAIN)


@pytest.fixture(scope="session")
def node(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with both TypeScript SDKs, the Inspector, and our programs for them."""
    folder = tmp_path_factory.mktemp("node")
    for file in SCRIPTS.glob("*.mjs"):
        shutil.copy(file, folder)
    return installed_by_npm(folder, *CLIENTS)


@pytest.fixture
def lasts() -> float:
    """Seconds that the web's search keeps everybody waiting; a test asks for others by a parameter of this name."""
    return 7.0


@pytest.fixture
async def slow_web(lasts: float) -> AsyncGenerator[SmallWeb]:
    """A web whose first search is answered after so many seconds: real ones, as the clients' time-outs are."""
    async with small_web(held=True) as web, anyio.create_task_group() as tasks:

        async def open_late() -> None:
            await web.searched.wait()
            await anyio.sleep(lasts)
            web.open.set()

        tasks.start_soon(open_late)
        yield web
        tasks.cancel_scope.cancel()


@pytest.fixture
def server_env(child_env: dict[str, str], slow_web: SmallWeb) -> dict[str, str]:
    """What makes a server research that web, and nothing else."""
    return child_env | {
        "DEEPRESEARCH_SEARCH__ENGINES": "searxng",
        "SEARXNG_URL": slow_web.base,
        "DEEPRESEARCH_SEARCH__TIMEOUT": "120",
        "DEEPRESEARCH_WEB__ALLOW_PRIVATE": slow_web.base.removeprefix("http://"),
        "DEEPRESEARCH_RESEARCH__MIN_DOMAINS": "1",
        "DEEPRESEARCH_RESEARCH__STOP_SCORE": "1",
        "DEEPRESEARCH_RESEARCH__FIRST_WAIT": "0",
    }


@pytest.fixture
def address(server_env: dict[str, str]) -> Iterator[str]:
    """A server over HTTP, for clients that give up after six seconds."""
    with serving(server_env | {"DEEPRESEARCH_SERVER__WAIT_SECONDS": "2"}) as url:
        yield url


@pytest.fixture
def node_env(node: Path, child_env: dict[str, str], tmp_path: Path) -> dict[str, str]:
    """Has the new Node first, and a home of its own: the Inspector writes there."""
    path = f"{node / 'node_modules' / '.bin'}{os.pathsep}{child_env['PATH']}"
    return child_env | {"PATH": path, "HOME": str(tmp_path), "MCP_INSPECTOR_SECRET_STORE": "memory"}
