"""Finds and reads settings files; `reading` interprets them."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import Any

from platformdirs import user_config_path, user_data_path

from deepresearch_mcp.settings.late import library


@dataclass(frozen=True, slots=True)
class ConfigFile:
    """The content of a `config.toml`."""

    path: Path
    table: Mapping[str, Any]
    exposed: bool
    """Other users of this machine may read or write it."""


def data_home() -> Path:
    """The user's data directory for this package."""
    return user_data_path("deepresearch-mcp", appauthor=False)


def config_home() -> Path:
    """The user's configuration directory for this package."""
    return user_config_path("deepresearch-mcp", appauthor=False)


def find_config(folder: Path | None) -> Path | None:
    """`config.toml` in `folder`, or in the user's configuration directory; None if there is none."""
    file = (config_home() if folder is None else folder) / "config.toml"
    return file if os.path.lexists(file) else None


def read_config(file: Path) -> ConfigFile:
    """Read a TOML file and its permissions.

    Raises:
        ValueError: The file cannot be read, or is not valid TOML.
    """
    tomllib = library("tomllib")
    try:
        with file.open("rb") as opened:
            # The mode of the open file, not of its name, so that the file checked is the file read.
            mode = os.fstat(opened.fileno()).st_mode
            table = tomllib.load(opened)
    except OSError as error:
        raise ValueError(f"The settings file {file} cannot be read: {error.strerror}. Correct that.") from None
    except ValueError as error:
        reason = error if isinstance(error, tomllib.TOMLDecodeError) else "it is not UTF-8 text"
        raise ValueError(f"The settings file {file} is not valid TOML: {reason}. Correct it.") from None
    # Windows keeps permissions elsewhere and reports every file as readable by all.
    return ConfigFile(file, table, exposed=os.name == "posix" and bool(mode & 0o077))


def walk_to_env_file() -> Path | None:
    """The nearest `.env`, from the working directory upwards."""
    try:
        here = Path.cwd()
    except OSError:  # The working directory has been removed.
        return None
    # os.path, because Path.is_file raises if a parent folder may not be searched.
    return next((folder / ".env" for folder in (here, *here.parents) if os.path.isfile(folder / ".env")), None)


def read_env_file(file: Path) -> dict[str, str]:
    """The non-empty variables of the file, without expansion.

    Raises:
        ValueError: The file cannot be read, or is not UTF-8.
    """
    try:
        text = file.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise ValueError(f"The file {file} cannot be read: {error.strerror}.") from None
    except UnicodeError:
        raise ValueError(f"The file {file} cannot be read: it is not UTF-8 text.") from None
    # No interpolation, so that a file that came with a repository cannot copy variables of this process.
    values: dict[str, str | None] = library("dotenv").dotenv_values(stream=StringIO(text), interpolate=False)
    return {name: value for name, value in values.items() if value}
