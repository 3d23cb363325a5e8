"""What several commands share: their common options, and how the settings are read for the command line."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from deepresearch_mcp.records.specs import USUAL_SUFFIXES, alternatives

if TYPE_CHECKING:
    from deepresearch_mcp.settings.schema import Loaded, Settings

Json = Annotated[bool, typer.Option("--json", help="Print one JSON object on standard output, all else beside it.")]
Output = Annotated[
    Path | None,
    typer.Option("--output", "-o", metavar="FILE", help=f"Write the report there: {alternatives(USUAL_SUFFIXES)}."),
]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="No progress, only the report.")]
Sets = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="KNOB=VALUE", help="Put a setting over all others, as --set search.timeout=5."),
]


def load(sets: list[str] | None = None) -> "Loaded":
    """Read every source of settings; what was ignored in them is said on standard error.

    Raises:
        SettingsError: A source is wrong.
        InvalidRequest: One of `sets` is not KNOB=VALUE.
    """
    from deepresearch_mcp.cli.console import say
    from deepresearch_mcp.runtime import load_settings

    loaded = load_settings(flags_of(sets or []), walk_env_file=True)
    say(*loaded.notes, style="note")
    return loaded


def settings_of(sets: list[str] | None = None) -> "Settings":
    """The settings alone; see `load`."""
    return load(sets).settings


def at_terminal(settings: "Settings", model: str) -> "Settings":
    """The settings for a command whose `--model` is this: at a terminal there is no client that could think by itself.

    `model.use = client` is meant for the server; a command means it only where it says so.
    """
    if settings.model.use != "client" or model != "auto":
        return settings
    return settings.model_copy(update={"model": settings.model.model_copy(update={"use": "auto"})})


def database_of(settings: "Settings") -> str:
    """The address of the shared database.

    Raises:
        SettingsError: None is named, or what it needs is not installed.
    """
    from importlib.util import find_spec

    from deepresearch_mcp.exceptions import SettingsError
    from deepresearch_mcp.settings.project import EXTRAS, adding

    if settings.database_url is None:
        raise SettingsError(
            "No database is named.", "Set DEEPRESEARCH_DATABASE_URL=postgresql://USER:PASSWORD@HOST:5432/NAME."
        )
    if find_spec("psycopg") is None or find_spec("procrastinate") is None:
        raise SettingsError("What PostgreSQL needs is not installed.", f"Run: {adding(*EXTRAS['postgres'])}")
    return settings.database_url.get_secret_value()


def flags_of(sets: list[str]) -> dict[str, object]:
    """`["search.timeout=5"]` → `{"search.timeout": "5"}`.

    Raises:
        InvalidRequest: One is not KNOB=VALUE, or is a secret.
    """
    from deepresearch_mcp.exceptions import InvalidRequest
    from deepresearch_mcp.settings.schema import knobs
    from deepresearch_mcp.settings.values import is_secret

    flags: dict[str, object] = {}
    for one in sets:
        knob, equals, value = one.partition("=")
        if not equals or not knob.strip():
            # The rest may be a secret: it is not repeated.
            raise InvalidRequest("--set was not followed by KNOB=VALUE.", "Write it as --set search.timeout=5.")
        knob = knob.strip()
        if (field := knobs().get(knob)) and is_secret(field):
            raise InvalidRequest(
                f"{knob} is a secret, and a command line can be read by others and is kept by shells.",
                f"Keep it with `config init --key-from-stdin {knob}`, or set it in the environment.",
            )
        flags[knob] = value.strip()
    return flags
