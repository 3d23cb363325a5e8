"""Finds what other installed packages add to this program, by the entry points that they declare."""

import sys
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal

from deepresearch_mcp.settings.late import library

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

Kind = Literal["engines", "models", "readers"]
"""What a package can add: search engines, providers of models, readers of media types."""


def offered(kind: Kind) -> Mapping[str, "EntryPoint"]:
    """Return the entry points of the group `deepresearch_mcp.KIND`, by name; of equal names the first package's.

    Nothing of those packages is imported. The answer is kept for as long as the import path stays the same.
    """
    return _offered(kind, tuple(sys.path))


@cache
def _offered(kind: Kind, path: tuple[str, ...]) -> Mapping[str, "EntryPoint"]:
    del path
    found: Any = library("importlib.metadata").entry_points(group=f"deepresearch_mcp.{kind}")
    return MappingProxyType({point.name: point for point in sorted(found, key=_package, reverse=True)})


def package_of(point: "EntryPoint") -> str:
    """The name of the package that declares an entry point."""
    return _package(point) or "unknown"


def _package(point: "EntryPoint") -> str:
    return point.dist.name if point.dist else ""
