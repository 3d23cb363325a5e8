"""A report as a file: where it may go, in which form, and what it holds."""

import os
from pathlib import Path

from deepresearch_mcp.exceptions import InvalidRequest
from deepresearch_mcp.pipeline.report.ending import with_ending
from deepresearch_mcp.records.run import Run
from deepresearch_mcp.runtime import Runtime


def checked_output(path: Path | None) -> Path | None:
    """Refuse, before anything is paid for, a place that cannot be written.

    Raises:
        InvalidRequest: The folder is missing or may not be written, the path is a folder, or its suffix names a form
            that reports do not have.
    """
    if path is None:
        return None
    path = Path(os.path.expanduser(path))
    if path.suffix.lower() not in _SUFFIXES:
        raise InvalidRequest(
            f"A report cannot be written as {path.suffix}.", "Name a file that ends in .md, .html or .json."
        )
    folder = path.parent
    if path.is_dir() or not folder.is_dir():
        wrong = "it is a folder" if path.is_dir() else "its folder does not exist"
        raise InvalidRequest(f"The file {path} cannot be written: {wrong}.", "Name another place for --output.")
    if not os.access(path if path.exists() else folder, os.W_OK):
        raise InvalidRequest(f"The file {path} cannot be written: permission denied.", "Name another place.")
    return path


def save(path: Path, text: str) -> None:
    """Write a report where the user wants it.

    Raises:
        InvalidRequest: It cannot be written; the run itself is kept in any case.
    """
    try:
        path.write_text(text, encoding="utf-8", errors="replace")
    except OSError as error:
        raise InvalidRequest(
            f"The file {path} cannot be written: {(error.strerror or type(error).__name__).lower()}.",
            "The report itself is kept: `runs list` names it, `report RUN` shows it.",
        ) from error


_SUFFIXES = {"": "md", ".md": "md", ".markdown": "md", ".txt": "md", ".html": "html", ".htm": "html", ".json": "json"}


def form_of(path: Path) -> str:
    """`md`, `html` or `json`, by the file's suffix."""
    return _SUFFIXES.get(path.suffix.lower(), "md")


async def rendered(run: Run, form: str, runtime: Runtime) -> str:
    """The run as a file of that form."""
    if form == "json":
        return run.model_dump_json(indent=1)
    if form == "html":
        from deepresearch_mcp.viewer.html_report import page_of, texts_of

        return page_of(run, await texts_of(run, runtime.store.documents))
    return with_ending(run)
