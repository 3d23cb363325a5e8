"""Opens the engine for a command."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from deepresearch_mcp.cli import lazy

if TYPE_CHECKING:
    from deepresearch_mcp.jobs.jobs import Jobs
    from deepresearch_mcp.runtime import Runtime
    from deepresearch_mcp.settings.schema import Settings


@asynccontextmanager
async def opened_runtime(settings: "Settings") -> "AsyncGenerator[Runtime]":
    """Open the runtime: the store, the web and the models.

    Raises:
        StoreError, SettingsError: They cannot be opened.
    """
    async with lazy.runtime.open_runtime(settings) as runtime:
        yield runtime


@asynccontextmanager
async def opened_jobs(settings: "Settings") -> "AsyncGenerator[Jobs]":
    """Open the runtime with its jobs. Leaving the context interrupts the runs that were started here.

    Raises:
        StoreError, SettingsError: They cannot be opened.
    """
    async with opened_runtime(settings) as runtime, lazy.jobs.open_jobs(runtime) as jobs:
        yield jobs
