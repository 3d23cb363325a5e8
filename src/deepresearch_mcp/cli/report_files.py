"""Checks the path of a report file, and writes it."""

import os
from pathlib import Path

from deepresearch_mcp.exceptions import InvalidRequest
from deepresearch_mcp.viewer.formats import check_ready, format_named, format_of


def checked_output(path: Path | None, form: str | None = None) -> Path | None:
    """Return the path of --output; refuse one that cannot be written, before anything is spent.

    With `form`, the name of a format, any suffix will do.

    Raises:
        InvalidRequest: The folder is missing or not writable, the path is a folder, or its suffix belongs to no report
            format.
        SettingsError: The format needs an extra that is not installed.
    """
    if path is None:
        return None
    path = Path(os.path.expanduser(path))
    check_ready(format_named(form) if form else format_of(path))
    folder = path.parent
    if path.is_dir() or not folder.is_dir():
        wrong = "it is a folder" if path.is_dir() else "its folder does not exist"
        raise InvalidRequest(f"The file {path} cannot be written: {wrong}.", "Name another place for --output.")
    if not os.access(path if path.exists() else folder, os.W_OK):
        raise InvalidRequest(f"The file {path} cannot be written: permission denied.", "Name another place.")
    return path


def save(path: Path, made: bytes) -> None:
    """Write a report to the user's file.

    Raises:
        InvalidRequest: The file cannot be written; the run itself is kept.
    """
    try:
        path.write_bytes(made)
    except OSError as error:
        raise InvalidRequest(
            f"The file {path} cannot be written: {(error.strerror or type(error).__name__).lower()}.",
            "The report itself is kept: `runs list` names it, `report RUN` shows it.",
        ) from error
