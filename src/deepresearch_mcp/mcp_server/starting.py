"""Starts a server: what a client asks first is answered while the rest is imported."""

import gc
import logging
import os
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from typing import Protocol

from deepresearch_mcp.exceptions import SettingsError
from deepresearch_mcp.mcp_server.descriptors import take_input
from deepresearch_mcp.mcp_server.early import Early
from deepresearch_mcp.mcp_server.logs import as_set, to_stderr
from deepresearch_mcp.mcp_server.prepared import TOOLSETS, answers
from deepresearch_mcp.settings import reading
from deepresearch_mcp.settings.schema import Settings


class ServeHttp(Protocol):
    """Serves over HTTP until it is told to stop."""

    def __call__(
        self,
        settings: Settings,
        host: str | None = None,
        port: int | None = None,
        *,
        with_token: bool = True,
        emit: Callable[[str], None],
    ) -> None:
        """Serve; None stands for the usual address and port."""
        ...


def start_server(
    options: Mapping[str, str], wire: int | None, emit: Callable[[str], None], http: Callable[[], ServeHttp]
) -> int:
    """Serve until the client or the user ends it, and return the exit code.

    Args:
        options: Those of a plain `serve`.
        wire: What `take_wire` gave; None serves over HTTP.
        emit: Is given what the user must know.
        http: Imports what serves over HTTP.
    """
    to_stderr(options.get("log_level", "WARNING").upper())
    try:
        loaded = reading.read_settings()
    except ValueError as error:
        emit(str(error))
        return 2
    as_set(loaded.settings)
    for note in loaded.notes:
        logging.getLogger(__name__).warning(note)
    try:
        if wire is None:
            _serve_http(loaded.settings, options, emit, http)
        else:
            _serve_wire(loaded.settings, wire)
    except SettingsError as error:
        emit(str(error))
        return 2
    except KeyboardInterrupt:
        return 130
    return 0


def _serve_http(
    settings: Settings, options: Mapping[str, str], emit: Callable[[str], None], http: Callable[[], ServeHttp]
) -> None:
    with _importing():
        serve = http()
    port = int(options["port"]) if "port" in options else None
    serve(settings, options.get("host"), port, with_token="no_token" not in options, emit=emit)


def _serve_wire(settings: Settings, wire: int) -> None:
    """Serve over standard input and output."""
    sink = os.fdopen(wire, "wb", closefd=False)
    prepared = answers() if settings.server.toolsets == TOOLSETS else None
    source = Early(take_input(), sink, prepared)
    source.start()
    with _importing():
        from deepresearch_mcp.mcp_server.stdio import serve_stdio
    serve_stdio(settings, source, sink)


@contextmanager
def _importing() -> Generator[None]:
    """Import without garbage collection.

    What is imported stays. Collecting while it is imported takes a twelfth of the time to start.
    """
    gc.disable()
    try:
        yield
        gc.freeze()
    finally:
        gc.enable()
