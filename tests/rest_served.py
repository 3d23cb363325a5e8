"""The REST surface on a loopback port."""

import socket
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import anyio
import uvicorn

from rest_world import served_rest


@asynccontextmanager
async def rest_address(home: Path) -> AsyncGenerator[str]:
    """The address of the real routes, which admit whom a bearer token names."""
    async with served_rest(home) as world, anyio.create_task_group() as tasks:
        config = uvicorn.Config(world.app, log_level="error", lifespan="off", timeout_graceful_shutdown=1)
        server = uvicorn.Server(config)
        listening = socket.create_server(("127.0.0.1", 0))  # the server closes it
        tasks.start_soon(server.serve, [listening])
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        server.should_exit = True
