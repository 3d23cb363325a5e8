"""The REST surface on a loopback port."""

import socket
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import anyio
import uvicorn

from deepresearch_mcp.settings.schema import Settings
from rest_world import served_rest
from small_web import SmallWeb


@asynccontextmanager
async def rest_address(home: Path) -> AsyncGenerator[str]:
    """The address of the real routes, which admit whom a bearer token names."""
    async with rest_and_web(home) as (address, _):
        yield address


@asynccontextmanager
async def rest_and_web(
    home: Path, *, held: bool = False, settings: Settings | None = None
) -> AsyncGenerator[tuple[str, SmallWeb]]:
    """The same, and the web that is researched there, which can be held back."""
    async with served_rest(home, held=held, settings=settings) as world, anyio.create_task_group() as tasks:
        config = uvicorn.Config(world.app, log_level="error", lifespan="off", timeout_graceful_shutdown=1)
        server = uvicorn.Server(config)
        listening = socket.create_server(("127.0.0.1", 0))  # the server closes it
        tasks.start_soon(server.serve, [listening])
        yield f"http://127.0.0.1:{listening.getsockname()[1]}", world.web
        server.should_exit = True
