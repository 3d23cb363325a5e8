"""Defines options that commands share, and loads the settings for the command line."""

import re
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
"""This and the next four replace ceilings of an existing run."""
MaxTokens = Annotated[int | None, typer.Option(help="Tokens, in and out.", show_default=False)]
MaxSearches = Annotated[int | None, typer.Option(help="Queries put to engines.", show_default=False)]
MaxPages = Annotated[int | None, typer.Option(help="Pages read.", show_default=False)]
MaxMinutes = Annotated[float | None, typer.Option(help="Minutes.", show_default=False)]


def settings_with_origins(sets: list[str] | None = None) -> "Loaded":
    """Load all sources of settings; report ignored entries on standard error.

    Raises:
        SettingsError: A source is invalid.
        InvalidRequest: One of `sets` is not SETTING=VALUE.
    """
    loaded = lazy.runtime.load_settings(flags_of(sets or []), walk_env_file=True)
    say(*loaded.notes, style="note")
    return loaded


def settings_of(sets: list[str] | None = None) -> "Settings":
    """Return only the settings; see `settings_with_origins`."""
    return settings_with_origins(sets).settings


def at_terminal(settings: "Settings", model: str) -> "Settings":
    """Return the settings for a command whose `--model` is `model`.

    `model.use = client` applies only to the server, because a terminal has no client with a model of its own. A command
    uses the client's model only with `--model client`.
    """
    if settings.model.use != "client" or model != "auto":
        return settings
    return settings.model_copy(update={"model": settings.model.model_copy(update={"use": "auto"})})


def database_of(settings: "Settings") -> str:
    """Return the address of the shared database.

    Raises:
        SettingsError: No database is set, or a package that it needs is not installed.
    """
    if settings.database_url is None:
        raise SettingsError(
            "No database is named.", "Set DEEPRESEARCH_DATABASE_URL=postgresql://USER:PASSWORD@HOST:5432/NAME."
        )
    if find_spec("psycopg") is None or find_spec("procrastinate") is None:
        raise SettingsError("What PostgreSQL needs is not installed.", f"Run: {adding(*EXTRAS['postgres'])}")
    return settings.database_url.get_secret_value()


def setting_fields() -> "Mapping[str, FieldInfo]":
    """Return every setting by its dotted name."""
    return lazy.reading.all_settings()


def is_secret_setting(setting: str) -> bool:
    """Return whether there is such a setting and it is secret."""
    field = setting_fields().get(setting)
    return field is not None and lazy.values.is_secret(field)


def flags_of(sets: list[str]) -> dict[str, object]:
    """Parse `["search.timeout=5"]` to `{"search.timeout": "5"}`.

    Raises:
        InvalidRequest: An item is not SETTING=VALUE, or its setting is secret.
    """
    flags: dict[str, object] = {}
    for one in sets:
        setting, equals, value = one.partition("=")
        if not equals or not setting.strip():
            # The argument may be a secret: do not repeat it.
            raise InvalidRequest("--set was not followed by SETTING=VALUE.", "Write it as --set search.timeout=5.")
        setting = setting.strip()
        if is_secret_setting(setting):
            raise InvalidRequest(
                f"{setting} is a secret, and a command line can be read by others and is kept by shells.",
                f"Keep it with `config init --key-from-stdin {setting}`, or set it in the environment.",
            )
        flags[setting] = value.strip()
    return flags


_SECONDS = {"h": 3_600, "d": 86_400, "w": 7 * 86_400}


def seconds_of(text: str) -> float | None:
    """Return the time that `--expires` names, in seconds; None for never.

    Raises:
        InvalidRequest: It is not of the form 12h, 90d or 8w.
    """
    if text.strip().casefold() == "never":
        return None
    told = re.fullmatch(r"([1-9][0-9]{0,4})([hdw])", text.strip().casefold())
    if told is None:
        raise InvalidRequest(f"--expires is {text[:40]!r}.", "Write it as 12h, 90d or 8w, or never.")
    return float(int(told.group(1)) * _SECONDS[told.group(2)])
