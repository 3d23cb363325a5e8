"""Finds report formats by name or suffix. `records/specs.py` lists them."""

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import cast

from deepresearch_mcp.adapters import adapter_at
from deepresearch_mcp.exceptions import InvalidRequest, SettingsError
from deepresearch_mcp.ports.documents import Documents
from deepresearch_mcp.records.run import Run
from deepresearch_mcp.records.spec_types import FormatSpec
from deepresearch_mcp.records.specs import FORMAT_NAMES, FORMATS, USUAL_SUFFIXES, joined_with_or
from deepresearch_mcp.settings.project import is_installed

Write = Callable[[Run, Documents], Awaitable[str | bytes]]


def format_named(name: str) -> FormatSpec:
    """Return the format with this name.

    Raises:
        InvalidRequest: No format has this name.
    """
    for spec in FORMATS:
        if name == spec.name:
            return spec
    raise InvalidRequest(f"There is no format {name[:40]!r}.", f"Use {joined_with_or(FORMAT_NAMES)}.")


def format_of(file: Path) -> FormatSpec:
    """Return the format for a file's suffix; the first format if there is no suffix.

    Raises:
        InvalidRequest: No format has this suffix.
    """
    name = file.name.lower()
    if not file.suffix:
        return FORMATS[0]
    fitting = [(suffix, spec) for spec in FORMATS for suffix in spec.suffixes if name.endswith(suffix)]
    if fitting:
        return max(fitting, key=lambda one: len(one[0]))[1]
    raise InvalidRequest(
        f"A report cannot be written as {file.suffix}.", f"Name a file that ends in {joined_with_or(USUAL_SUFFIXES)}."
    )


def check_ready(spec: FormatSpec) -> None:
    """Refuse a format whose extra is not installed.

    Raises:
        SettingsError: It is not.
    """
    if spec.extra and not is_installed(spec.extra):
        raise SettingsError(
            f"The format {spec.name} needs the extra {spec.extra}.",
            # The command would name a path of this machine, and the message may go anywhere.
            "Install it where this program runs; `deepresearch-server doctor` says how.",
        )


async def written(run: Run, spec: FormatSpec, documents: Documents) -> bytes:
    """Return a run as a file in the format `spec`; text in UTF-8.

    Raises:
        SettingsError: Its extra is not installed.
        DeepResearchError: This report cannot be written in this format.
    """
    check_ready(spec)
    write = cast("Write", adapter_at(spec.writer))
    made = await write(run, documents)
    return made if isinstance(made, bytes) else made.encode("utf-8", "replace")
