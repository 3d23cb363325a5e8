"""The command `deepresearch-mcp`: `serve` at once and on its own, everything else through the command line."""

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from deepresearch_mcp.settings.schema import Settings


def main() -> None:
    """Run the command of `sys.argv`; ends the process with its exit code.

    `serve` does not wait for the command line's libraries: clients start it and wait. What it does not know of
    its arguments, `--help` too, is the command line's to answer.
    """
    asked = _serve_arguments(sys.argv[1:])
    if asked is None:
        from deepresearch_mcp.cli.app import main as run
        from deepresearch_mcp.ending import leave

        leave(run())
        return
    wire = None
    if "http" not in asked:
        # Before anything else is imported: from here on only the protocol writes to standard output.
        from deepresearch_mcp.mcp_server.stdio import take_wire

        wire = take_wire()
    code = _serve(asked, wire)
    from deepresearch_mcp.ending import leave

    leave(code)


def _serve_arguments(arguments: list[str]) -> dict[str, str] | None:
    """The options of a plain `serve`; None for anything else."""
    if not arguments or arguments[0] != "serve":
        return None
    found: dict[str, str] = {}
    rest = arguments[1:]
    while rest:
        name, given, value = rest.pop(0).partition("=")
        if name in {"--http", "--no-token"} and not given:
            found[name[2:].replace("-", "_")] = "yes"
        elif name in {"--host", "--port", "--log-level"} and (given or rest):
            found[name[2:].replace("-", "_")] = value if given else rest.pop(0)
        else:
            return None
    plain = found.get("port", "0").isdecimal() and found.get("log_level", "INFO").upper() in _LEVELS
    return found if plain and ("http" in found or not found.keys() & {"host", "port", "no_token"}) else None


_LEVELS = {"DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL"}


def _serve(asked: dict[str, str], wire: int | None) -> int:
    """Serve until the client or the user ends it; the exit code."""
    import logging

    from deepresearch_mcp.exceptions import SettingsError
    from deepresearch_mcp.mcp_server.logs import to_stderr
    from deepresearch_mcp.settings import reading

    level = asked.get("log_level", "WARNING").upper()
    to_stderr(level)
    try:
        loaded = reading.read()
    except ValueError as error:
        _say(str(error))
        return 2
    for note in loaded.notes:
        logging.getLogger(__name__).warning(note)
    try:
        if wire is None:
            _import_all()
            from deepresearch_mcp.mcp_server.http import DEFAULT_HOST, DEFAULT_PORT, serve_http

            host, port = asked.get("host", DEFAULT_HOST), int(asked.get("port", DEFAULT_PORT))
            serve_http(loaded.settings, host, port, with_token="no_token" not in asked, emit=_say)
        else:
            _serve_wire(loaded.settings, wire)
    except SettingsError as error:
        _say(str(error))
        return 2
    except KeyboardInterrupt:
        return 130
    return 0


def _serve_wire(settings: "Settings", wire: int) -> None:
    """Serve over standard input and output: what a client asks first is answered while the server is imported."""
    import os

    from deepresearch_mcp.mcp_server.early import Early
    from deepresearch_mcp.mcp_server.prepared import TOOLSETS, answers
    from deepresearch_mcp.mcp_server.stdio import serve_stdio, take_input

    sink = os.fdopen(wire, "wb", closefd=False)
    prepared = answers() if settings.server.toolsets == TOOLSETS else None
    source = Early(take_input(), sink, prepared)
    source.start()
    _import_all()
    serve_stdio(settings, source, sink)


def _import_all() -> None:
    """Import what a server is made of, without looking for garbage meanwhile.

    What is imported stays: looking through all of it, time and again, takes a twelfth of the time to start.
    """
    import gc

    gc.disable()
    try:
        from deepresearch_mcp.mcp_server import server

        assert server
        gc.freeze()
    finally:
        gc.enable()


def _say(words: str) -> None:
    print(words, file=sys.stderr, flush=True)  # noqa: T201 - to the person who starts a server, never to its client


if __name__ == "__main__":
    main()
