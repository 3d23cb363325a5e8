"""The entry point of `deepresearch-mcp`: starts `serve` itself and passes other commands to the command line."""

import sys
from typing import TYPE_CHECKING

from deepresearch_mcp.mcp_server.descriptors import take_wire

if TYPE_CHECKING:
    from deepresearch_mcp.mcp_server.starting import ServeHttp


def main() -> None:
    """Run the command of `sys.argv`; ends the process with its exit code.

    Clients start `serve` and wait for it, so it does not import the command line. The command line handles a `serve`
    with any argument that is not a plain option, such as `--help`.
    """
    asked = _serve_arguments(sys.argv[1:])
    if asked is None:
        try:
            from deepresearch_mcp.cli.app import main as run
            from deepresearch_mcp.ending import exit_process

            exit_process(run())
        except KeyboardInterrupt:  # The command line handles it, once it is imported.
            _say("Stopped.")
            sys.exit(130)
        return
    # Take standard output before importing anything else: from here on only the protocol may write to it.
    wire = None if "http" in asked else take_wire()
    from deepresearch_mcp.ending import exit_process
    from deepresearch_mcp.mcp_server.starting import start_server

    exit_process(start_server(asked, wire, _say, _http))


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


def _http() -> "ServeHttp":
    from deepresearch_mcp.http_app.serving import serve_http

    return serve_http


def _say(words: str) -> None:
    print(words, file=sys.stderr, flush=True)  # noqa: T201 - standard error is read by the person who starts the server


if __name__ == "__main__":
    main()
