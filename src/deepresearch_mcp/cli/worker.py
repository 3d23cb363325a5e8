"""`deepresearch-server worker`: carries out the runs that servers put into a shared database."""

import signal
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Annotated

import anyio
import typer

from deepresearch_mcp.cli import lazy
from deepresearch_mcp.cli.console import say
from deepresearch_mcp.cli.options import Sets, database_of, settings_of
from deepresearch_mcp.cli.serve import level_of
from deepresearch_mcp.ending import beat, end_soon
from deepresearch_mcp.exceptions import InvalidRequest
from deepresearch_mcp.mcp_server.logs import as_set, to_stderr

if TYPE_CHECKING:
    from deepresearch_mcp.runtime import Runtime


def worker(
    *,
    runs: Annotated[
        int | None,
        typer.Option(min=1, help="Runs at once; default: server.runs_at_once.", show_default=False),
    ] = None,
    metrics_port: Annotated[
        int | None,
        typer.Option(
            help="Serve this worker's figures for Prometheus at this port; 0 takes a free one.", show_default=False
        ),
    ] = None,
    metrics_host: Annotated[
        str | None, typer.Option(help="With --metrics-port: the address; default: this machine's own.")
    ] = None,
    log_level: Annotated[str, typer.Option(metavar="LEVEL", help="DEBUG, INFO, WARNING or ERROR.")] = "INFO",
    sets: Sets = None,
) -> None:
    """Carry out runs from the shared database until stopped; start as many as you like, on any machine.

    Give every worker the settings and keys of the servers: a run is carried out with those it was asked with, or not.
    """
    level = level_of(log_level)
    if metrics_host is not None and metrics_port is None:
        raise InvalidRequest("--metrics-host is for --metrics-port.", "Give both, or leave it out.")
    settings = settings_of(sets)
    url = database_of(settings)
    if runs:
        server = settings.server.model_copy(update={"runs_at_once": runs})
        settings = settings.model_copy(update={"server": server})

    to_stderr(level, anew=True)
    as_set(settings)
    at_once = settings.server.runs_at_once

    def ready() -> None:
        say(f"Ready: up to {at_once} runs at once. Stop with Ctrl-C; other workers continue what is unfinished.")

    async def serve() -> None:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(stop_on_signals, tasks.cancel_scope)
            async with (
                lazy.runtime.open_runtime(settings) as runtime,
                lazy.jobs.open_jobs(runtime, adopting=True) as jobs,
            ):
                tasks.start_soon(beat, runtime.clock)
                async with _metrics(runtime, metrics_host, metrics_port):
                    await lazy.cluster.work_on_runs(jobs, url, runtime.clock, at_once, ready=ready)

    async def stop_on_signals(scope: anyio.CancelScope) -> None:
        with anyio.open_signal_receiver(signal.SIGINT, signal.SIGTERM) as signals:
            async for _ in signals:
                # Longer than the workers' own shutdown, which writes to the database.
                end_soon(seconds=10)
                scope.cancel()
                return

    anyio.run(serve)
    say("Stopped.")


@asynccontextmanager
async def _metrics(runtime: "Runtime", host: str | None, port: int | None) -> AsyncGenerator[None]:
    """Serve figures where a port is given."""
    if port is None:
        yield
        return
    with lazy.address.listening(host or lazy.address.DEFAULT_HOST, port) as listener:
        async with lazy.worker_metrics.serving_metrics(runtime, listener):
            say(f"Figures are at {lazy.address.base_of(listener)}/metrics", whole=True)
            yield
