from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import anyio
import pytest

from deepresearch_mcp.exceptions import StoreError
from deepresearch_mcp.jobs.jobs import Jobs, open_jobs
from deepresearch_mcp.mcp_server.server_context import open_server_context
from deepresearch_mcp.runtime import open_runtime
from deepresearch_mcp.settings.schema import Settings
from small_web import settings_for


async def test_all_requests_share_what_the_first_one_opened(tmp_path: Path) -> None:
    found: list[object] = []

    async with open_server_context(settings_for(tmp_path)) as desk:

        async def ask() -> None:
            found.append(await desk.jobs())

        async with anyio.create_task_group() as tasks:
            for _ in range(5):
                tasks.start_soon(ask)

    assert len(found) == 5
    assert len({id(jobs) for jobs in found}) == 1


async def test_nothing_is_opened_before_it_is_needed(tmp_path: Path) -> None:
    async with open_server_context(settings_for(tmp_path / "home")):
        await anyio.lowlevel.checkpoint()

    assert not (tmp_path / "home").exists()


async def test_what_could_not_be_opened_is_tried_again(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.write_text("in the way")

    async with open_server_context(settings_for(home)) as desk:
        with pytest.raises(StoreError):
            await desk.jobs()
        home.unlink()
        jobs = await desk.jobs()

        assert await jobs.find() == []


async def test_a_request_that_gives_up_while_opening_leaves_the_others_a_chance(tmp_path: Path) -> None:
    async with open_server_context(settings_for(tmp_path)) as desk:
        with anyio.CancelScope() as scope:
            scope.cancel()
            await desk.jobs()

        assert await (await desk.jobs()).find() == []


async def test_parts_that_fail_end_no_server_and_are_opened_anew(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    opened: list[anyio.Event] = []

    @asynccontextmanager
    async def fragile(settings: Settings) -> AsyncGenerator[Jobs]:
        opened.append(anyio.Event())

        async def fail(when: anyio.Event) -> None:
            await when.wait()
            raise StoreError("The disk is gone.")

        async with open_runtime(settings) as runtime, open_jobs(runtime) as jobs, anyio.create_task_group() as tasks:
            tasks.start_soon(fail, opened[-1])
            yield jobs
            tasks.cancel_scope.cancel()

    async with open_server_context(settings_for(tmp_path), fragile) as desk:
        first = await desk.jobs()
        opened[0].set()
        while await desk.jobs() is first:
            await anyio.lowlevel.checkpoint()

        assert await (await desk.jobs()).find() == []

    assert len(opened) == 2
    assert "The disk is gone." in caplog.text
