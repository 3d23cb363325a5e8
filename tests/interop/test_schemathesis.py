"""Schemathesis reads the OpenAPI document and calls every operation with what it allows, and with what it does not."""

import socket
import subprocess
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import anyio
import anyio.to_thread
import pytest
import uvicorn

from deepresearch_mcp.http_app.context import HttpContext
from deepresearch_mcp.mcp_server.server_context import open_server_context
from deepresearch_mcp.system_clock import SystemClock
from foreign import installed_by_pip
from rest_world import app_of
from small_web import settings_for, small_web

pytestmark = [pytest.mark.interop, pytest.mark.timeout(600)]

PINNED = "schemathesis==4.32.5"

LEFT_OUT = (
    # What a schema cannot say is refused: two fields that exclude each other, a provider that does not exist.
    "positive_data_acceptance",
    # 413 comes before the body is read.
    "negative_data_rejection",
)
SECONDS = 60
"""For fuzzing. `/fetch` is left out: a test may ask no name server, and its example is a page of the web."""


@asynccontextmanager
async def serving_rest(home: Path) -> AsyncGenerator[str]:
    async with small_web() as web:
        settings = settings_for(home, web.base)
        with socket.create_server(("127.0.0.1", 0)) as listener:
            async with open_server_context(settings) as shared, anyio.create_task_group() as tasks:
                app = app_of(HttpContext(settings, shared, SystemClock()))
                server = uvicorn.Server(uvicorn.Config(app, log_config=None, ws="none"))
                tasks.start_soon(lambda: server.serve(sockets=[listener]))
                yield f"http://127.0.0.1:{listener.getsockname()[1]}"
                server.should_exit = True


async def test_no_call_meets_an_unhandled_error_and_every_answer_is_as_described(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    python = await anyio.to_thread.run_sync(installed_by_pip, tmp_path_factory.mktemp("schemathesis"), PINNED)
    async with serving_rest(tmp_path) as base:
        command = [
            *(python, "-m", "schemathesis.cli", "run", f"{base}/openapi.json"),
            *("-H", "Authorization: Bearer token:1", "--exclude-checks", ",".join(LEFT_OUT)),
            *("--phases", "examples,coverage,fuzzing", "-n", "5", "--max-time", str(SECONDS), "--seed", "1"),
            *(
                "--exclude-operation-id",
                "fetch",
                "--no-shrink",
                "--continue-on-failure",
                "--suppress-health-check",
                "all",
                "--no-color",
            ),
        ]
        found = await anyio.run_process(command, check=False, stderr=subprocess.STDOUT, cwd=tmp_path)

    told = found.stdout.decode("utf-8", "replace")
    assert found.returncode == 0, told[-8000:]
