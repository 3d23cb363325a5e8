"""What commands share: common options, and reading the settings for the command line."""

from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from deepresearch_mcp.cli import lazy
from deepresearch_mcp.cli.console import say
from deepresearch_mcp.exceptions import InvalidRequest, SettingsError
from deepresearch_mcp.records.specs import USUAL_SUFFIXES, joined_with_or
from deepresearch_mcp.settings.project import EXTRAS, adding

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pydantic.fields import FieldInfo

    from deepresearch_mcp.settings.reading import Loaded
    from deepresearch_mcp.settings.schema import Settings

Json = Annotated[
    bool, typer.Option("--json", help="Print one JSON object on standard output, all else on standard error.")
]
Output = Annotated[
    Path | None,
    typer.Option("--output", "-o", metavar="FILE", help=f"Write the report there: {joined_with_or(USUAL_SUFFIXES)}."),
]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="No progress, only the report.")]
Sets = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="SETTING=VALUE", help="Override a setting, as --set search.timeout=5."),
]

MaxUsd = Annotated[float | None, typer.Option(help="Dollars, instead of the run's ceiling.", show_default=False)]
"""The ceilings of a run that exists, each in the place of its own."""
MaxTokens = Annotated[int | None, typer.Option(help="Tokens, in and out.", show_default=False)]
MaxSearches = Annotated[int | None, typer.Option(help="Queries put to engines.", show_default=False)]
MaxPages = Annotated[int | None, typer.Option(help="Pages read.", show_default=False)]
MaxMinutes = Annotated[float | None, typer.Option(help="Minutes.", show_default=False)]


def settings_with_origins(sets: list[str] | None = None) -> "Loaded":
    """Read every source of settings; what was ignored in them is said on standard error.

    Raises:
        SettingsError: A source is wrong.
        InvalidRequest: One of `sets` is not SETTING=VALUE.
    """
    loaded = lazy.runtime.load_settings(flags_of(sets or []), walk_env_file=True)
    say(*loaded.notes, style="note")
    return loaded


def settings_of(sets: list[str] | None = None) -> "Settings":
    """The settings alone; see `settings_with_origins`."""
    return settings_with_origins(sets).settings


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
    if settings.database_url is None:
        raise SettingsError(
            "No database is named.", "Set DEEPRESEARCH_DATABASE_URL=postgresql://USER:PASSWORD@HOST:5432/NAME."
        )
    if find_spec("psycopg") is None or find_spec("procrastinate") is None:
        raise SettingsError("What PostgreSQL needs is not installed.", f"Run: {adding(*EXTRAS['postgres'])}")
    return settings.database_url.get_secret_value()


def setting_fields() -> "Mapping[str, FieldInfo]":
    """Every setting by its dotted name."""
    return lazy.reading.all_settings()


def is_secret_setting(setting: str) -> bool:
    """Whether there is such a setting, and its value is never shown."""
    field = setting_fields().get(setting)
    return field is not None and lazy.values.is_secret(field)


def flags_of(sets: list[str]) -> dict[str, object]:
    """`["search.timeout=5"]` → `{"search.timeout": "5"}`.

    Raises:
        InvalidRequest: One is not SETTING=VALUE, or is a secret.
    """
    flags: dict[str, object] = {}
    for one in sets:
        setting, equals, value = one.partition("=")
        if not equals or not setting.strip():
            # The rest may be a secret: it is not repeated.
            raise InvalidRequest("--set was not followed by SETTING=VALUE.", "Write it as --set search.timeout=5.")
        setting = setting.strip()
        if is_secret_setting(setting):
            raise InvalidRequest(
                f"{setting} is a secret, and a command line can be read by others and is kept by shells.",
                f"Keep it with `config init --key-from-stdin {setting}`, or set it in the environment.",
            )
        flags[setting] = value.strip()
    return flags
