"""Serving over standard input and output, which carries the protocol and nothing else."""

# Imported before the wire is safe: nothing here but what Python has loaded anyway.
import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from deepresearch_mcp.settings import Settings


def take_wire() -> int:
    """Keep standard output for the protocol: return a duplicate of it, and point descriptor 1 at standard error.

    From here on whatever prints, in this process or in a child of it, prints to standard error. Call it before
    anything is imported that could print.
    """
    wire, low = os.dup(1), list[int]()
    while wire < 3:  # Somebody started us without standard input or error: those numbers mean something to others.
        low.append(wire)
        wire = os.dup(1)
    for descriptor in low:
        os.close(descriptor)
    try:
        os.dup2(2, 1)
    except OSError:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, 1)
    return wire


def serve_stdio(settings: "Settings", wire: int) -> None:
    """Serve one client until it closes standard input; runs that have not ended are interrupted, their record kept.

    `wire` is what `take_wire` gave.
    """
    import signal

    import anyio

    # A thread waits for standard input and cannot be woken, so an orderly end would hang: end at once, as after a
    # kill, which the store is made for.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    anyio.run(_serve, settings, wire)


async def _serve(settings: "Settings", wire: int) -> None:
    import logging
    from io import TextIOWrapper

    import anyio
    from mcp.server.lowlevel import NotificationOptions
    from mcp.server.stdio import stdio_server

    from deepresearch_mcp.mcp_server.server import build_server

    server = build_server(settings)
    low = server._lowlevel_server  # pyright: ignore[reportPrivateUsage] - its `run` has no streams
    output = TextIOWrapper(os.fdopen(wire, "wb", closefd=False), encoding="utf-8", newline="\n")
    try:
        async with stdio_server(stdout=anyio.wrap_file(output)) as (read, write):
            changing = NotificationOptions(resources_changed=True)
            await low.run(read, write, low.create_initialization_options(changing))
    except* (BrokenPipeError, anyio.BrokenResourceError):
        logging.getLogger(__name__).info("The client has gone without saying so.")
