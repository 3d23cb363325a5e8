"""`deepresearch-server serve`: starts the MCP server with any options; `__main__` is faster for the usual ones."""

import os
from functools import partial
from typing import Annotated

import typer

from deepresearch_mcp.cli import lazy
from deepresearch_mcp.cli.console import say
from deepresearch_mcp.cli.options import Sets, flags_of
from deepresearch_mcp.exceptions import InvalidRequest
from deepresearch_mcp.mcp_server.descriptors import take_input, take_wire
from deepresearch_mcp.mcp_server.logs import as_set, to_stderr


def serve(
    *,
    http: Annotated[bool, typer.Option("--http", help="Serve streamable HTTP instead of standard input.")] = False,
    host: Annotated[
        str | None,
        typer.Option(
            help="With --http: the address to listen on; beyond this machine callers need tokens.", show_default=False
        ),
    ] = None,
    port: Annotated[
        int | None, typer.Option(help="With --http: the port; 0 takes a free one.", show_default=False)
    ] = None,
    token: Annotated[
        bool,
        typer.Option(
            "--token/--no-token",
            help="With --http: whether callers must show the token that the server names at its start.",
            show_default=False,
        ),
    ] = True,
    log_level: Annotated[str, typer.Option(metavar="LEVEL", help="DEBUG, INFO, WARNING or ERROR.")] = "WARNING",
    sets: Sets = None,
) -> None:
    """Serve MCP over standard input and output, or over HTTP; clients start this command themselves."""
    level = level_of(log_level)
    if not http and (host is not None or port is not None or not token):
        raise InvalidRequest("--host, --port and --no-token are for HTTP.", "Add --http, or leave them out.")
    flags = flags_of(sets or [])
    # Before any other import: from here on only the protocol writes to standard output.
    wire = None if http else take_wire()

    # Read no .env file: the client that starts a server chooses its working directory.
    loaded = lazy.runtime.load_settings(flags)
    to_stderr(level, anew=True)
    as_set(loaded.settings)
    if wire is not None:
        source, sink = os.fdopen(take_input(), "rb", closefd=False), os.fdopen(wire, "wb", closefd=False)
        lazy.stdio.serve_stdio(loaded.settings, source, sink)
        return

    emit = partial(say, whole=True)
    lazy.serving.serve_http(loaded.settings, host, port, with_token=token, emit=emit)


def level_of(name: str) -> str:
    """Return a log level in upper case, given in any case.

    Raises:
        InvalidRequest: There is no such level.
    """
    if name.upper() not in _LEVELS:
        raise InvalidRequest(f"There is no log level {name!r}.", f"Use one of {', '.join(_LEVELS)}.")
    return name.upper()


_LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL")
