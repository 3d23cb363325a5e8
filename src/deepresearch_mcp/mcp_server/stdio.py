"""Serving over standard input and output, which carries the protocol and nothing else."""

# Imported before the wire is safe: nothing here but what Python has loaded anyway.
import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import BinaryIO

    from anyio import CancelScope

    from deepresearch_mcp.mcp_server.early import Early
    from deepresearch_mcp.settings.schema import Settings


def take_wire() -> int:
    """Keep standard output for the protocol: return a duplicate of it, and point descriptor 1 at standard error.

    From here on whatever prints, in this process or in a child of it, prints to standard error. Call it before
    anything is imported that could print.
    """
    wire = _above_standard(1)
    try:
        os.dup2(2, 1)
    except OSError:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, 1)
    return wire


def take_input() -> int:
    """Keep standard input for the protocol: nothing else in this process, nor a child of it, reads from it."""
    nowhere = os.open(os.devnull, os.O_RDONLY)
    try:
        source = _above_standard(0)
    except OSError:  # Started without one: it has ended.
        return nowhere
    os.dup2(nowhere, 0)
    os.close(nowhere)
    return source


def _above_standard(descriptor: int) -> int:
    """A duplicate that has none of the numbers which mean something to others."""
    made, low = os.dup(descriptor), list[int]()
    while made < 3:  # We were started without standard input or error.
        low.append(made)
        made = os.dup(descriptor)
    for one in low:
        os.close(one)
    return made


def serve_stdio(settings: "Settings", source: "BinaryIO | Early", sink: "BinaryIO") -> None:
    """Serve one client until it closes standard input; runs that have not ended are interrupted, their record kept.

    `source` and `sink` are files on what `take_input` and `take_wire` gave.
    """
    import signal

    import anyio

    if number := anyio.run(_serve, settings, source, sink):
        # Everything is closed and handed over: now end as the sender of the signal expects it.
        signal.signal(number, signal.SIG_DFL)
        signal.raise_signal(number)


async def _serve(settings: "Settings", source: "BinaryIO | Early", sink: "BinaryIO") -> int:
    """Serve to the end of input, or until a signal comes: its number, else 0."""
    import logging

    import anyio
    from mcp.server.lowlevel import NotificationOptions

    from deepresearch_mcp.ending import beat, end_soon
    from deepresearch_mcp.mcp_server.early import Early
    from deepresearch_mcp.mcp_server.server import build_server
    from deepresearch_mcp.mcp_server.wire import lines
    from deepresearch_mcp.system_clock import SystemClock

    server = build_server(settings)
    low = server._lowlevel_server  # pyright: ignore[reportPrivateUsage] - its `run` has no streams
    early = source if isinstance(source, Early) else None
    if early:
        early.hand_over()
    answered = early.answered if early else ()
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
        logging.getLogger(__name__).info("The client disconnected without closing its input.")
    return stopped[0] if stopped else 0


async def _stop_on_signals(scope: "CancelScope", stopped: list[int]) -> None:
    """Hand runs under way over before a signal ends the process: some clients send one and never close the input."""
    import signal
    import sys

    import anyio

    from deepresearch_mcp.ending import end_soon

    if sys.platform == "win32":  # pragma: no cover - measured on Linux
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        return
    with anyio.open_signal_receiver(signal.SIGINT, signal.SIGTERM) as signals:
        async for number in signals:
            stopped.append(number)
            end_soon(128 + number)
            scope.cancel()
            return
