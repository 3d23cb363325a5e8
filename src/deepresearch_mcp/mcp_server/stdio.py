"""Serving over standard input and output, which carries the protocol and nothing else."""

import logging
import signal
import sys
from typing import BinaryIO

import anyio
from mcp.server.lowlevel import NotificationOptions

from deepresearch_mcp.ending import beat, end_soon
from deepresearch_mcp.mcp_server.early import Early
from deepresearch_mcp.mcp_server.server import build_server
from deepresearch_mcp.mcp_server.wire import lines
from deepresearch_mcp.settings.schema import Settings
from deepresearch_mcp.system_clock import SystemClock

_log = logging.getLogger(__name__)


def serve_stdio(settings: Settings, source: BinaryIO | Early, sink: BinaryIO) -> None:
    """Serve one client until it closes standard input; runs that have not ended are interrupted, their record kept.

    `source` and `sink` are files on what `take_input` and `take_wire` gave.
    """
    if number := anyio.run(_serve, settings, source, sink):
        # Everything is closed and handed over: now end as the sender of the signal expects it.
        signal.signal(number, signal.SIG_DFL)
        signal.raise_signal(number)


async def _serve(settings: Settings, source: BinaryIO | Early, sink: BinaryIO) -> int:
    """Serve to the end of input, or until a signal comes: its number, else 0."""
    server = build_server(settings)
    low = server._lowlevel_server  # pyright: ignore[reportPrivateUsage] - its `run` has no streams
    early = source if isinstance(source, Early) else None
    if early:
        early.hand_over()
    answered = early.answered if early else ()
    if early:
        server.arrivals = early.arrivals
    written = early.wait_written if early else None
    stopped: list[int] = []
    try:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(_stop_on_signals, tasks.cancel_scope, stopped)
            tasks.start_soon(beat, SystemClock())
            async with lines(source, sink, answered, ended=end_soon, wait_written=written) as (read, write):
                changing = NotificationOptions(resources_changed=True)
                await low.run(read, write, low.create_initialization_options(changing))
            tasks.cancel_scope.cancel()
    except* (ConnectionError, anyio.BrokenResourceError):
        _log.info("The client disconnected without closing its input.")
    return stopped[0] if stopped else 0


async def _stop_on_signals(scope: anyio.CancelScope, stopped: list[int]) -> None:
    """Hand runs under way over before a signal ends the process: some clients send one and never close the input."""
    if sys.platform == "win32":  # pragma: no cover - measured on Linux
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        return
    with anyio.open_signal_receiver(signal.SIGINT, signal.SIGTERM) as signals:
        async for number in signals:
            stopped.append(number)
            end_soon(128 + number)
            scope.cancel()
            return
