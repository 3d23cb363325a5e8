"""Where the server's log goes: standard error, one plain line an entry."""

import logging
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from deepresearch_mcp.settings.schema import Settings


def as_set(settings: "Settings") -> None:
    """Write each entry as `logs.format` says, without the secrets of the settings; call it after `to_stderr`."""
    if settings.logs.format != "json":
        return
    # Late: it reads the vocabulary of events, which a server that starts does not need.
    from deepresearch_mcp.telemetry.json_lines import JsonLines

    for handler in logging.getLogger().handlers:
        handler.setFormatter(JsonLines(_secrets(settings.model_dump())))


def _secrets(table: Mapping[str, Any]) -> Iterator[str]:
    # Late: help and a start need no models of settings.
    from pydantic import SecretStr

    for value in table.values():
        if isinstance(value, SecretStr):
            yield value.get_secret_value()
        elif isinstance(value, Mapping):
            yield from _secrets(cast("Mapping[str, Any]", value))


def to_stderr(level: str, *, anew: bool = False) -> None:
    """Send what is logged to standard error; logging that is set up already is kept, unless it is done `anew`."""
    logging.basicConfig(level=level.upper(), format="%(asctime)s %(levelname)s %(name)s: %(message)s", force=anew)
    if anew:
        logging.getLogger("deepresearch_mcp").handlers.clear()
    # Every request of a client to a page or a service would be a line.
    for chatty in ("httpx2", "httpcore2", "mcp", "procrastinate", "psycopg"):
        logging.getLogger(chatty).setLevel(max(logging.WARNING, logging.getLogger().level))
