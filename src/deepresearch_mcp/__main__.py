"""The command `deepresearch-mcp`: `serve` at once and on its own, everything else through the command line."""

import sys


def main() -> None:
    """Run the command of `sys.argv`; ends the process with its exit code.

    `serve` does not wait for the command line's libraries: clients start it and wait. What it does not know of
    its arguments, `--help` too, is the command line's to answer.
    """
    asked = _serve_arguments(sys.argv[1:])
    if asked is None:
        from deepresearch_mcp.cli.app import app

        app()
        return
    if asked.pop("http", None):
        sys.exit(_guarded(_over_http, asked))
    # Before anything else is imported: from here on nobody but the protocol reaches standard output.
    from deepresearch_mcp.mcp_server.stdio import take_wire

    wire = take_wire()
    sys.exit(_guarded(lambda **options: _over_stdio(wire, **options), asked))


def _serve_arguments(arguments: list[str]) -> dict[str, str] | None:
    """The options of a plain `serve`; None for anything else."""
    if not arguments or arguments[0] != "serve":
        return None
    found: dict[str, str] = {}
    rest = arguments[1:]
    while rest:
        name, given, value = rest.pop(0).partition("=")
        if name == "--http" and not given:
            found["http"] = "yes"
        elif name in {"--host", "--port", "--log-level"} and (given or rest):
            found[name[2:].replace("-", "_")] = value if given else rest.pop(0)
        else:
            return None
    plain = found.get("port", "0").isdecimal() and found.get("log_level", "INFO").upper() in _LEVELS
    return found if plain and ("http" in found or not found.keys() & {"host", "port"}) else None


_LEVELS = {"DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL"}


def _over_stdio(wire: int, log_level: str = "WARNING") -> None:
    from deepresearch_mcp.mcp_server.settings_of import settings_for_serving
    from deepresearch_mcp.mcp_server.stdio import serve_stdio

    serve_stdio(settings_for_serving(), wire, log_level)


if __name__ == "__main__":
    main()
