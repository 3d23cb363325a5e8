"""Finds report formats by name or suffix. `records/specs.py` lists them."""

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import cast

from deepresearch_mcp.adapters import adapter_at
from deepresearch_mcp.exceptions import InvalidRequest
from deepresearch_mcp.ports.documents import Documents
from deepresearch_mcp.records.run import Run
from deepresearch_mcp.records.spec_types import FormatSpec
from deepresearch_mcp.records.specs import FORMAT_NAMES, FORMATS, USUAL_SUFFIXES, joined_with_or

Write = Callable[[Run, Documents], Awaitable[str]]


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
    suffix = file.suffix.lower()
    for spec in FORMATS:
        if not suffix or suffix in spec.suffixes:
            return spec
    raise InvalidRequest(
        f"A report cannot be written as {file.suffix}.", f"Name a file that ends in {joined_with_or(USUAL_SUFFIXES)}."
    )


async def written(run: Run, spec: FormatSpec, documents: Documents) -> str:
    """Return a run as text in the format `spec`."""
    write = cast("Write", adapter_at(spec.writer))
    return await write(run, documents)
