"""The engine's modules, each imported when it is first used: a server lists its tools without them.

`lazy.lookups` is `jobs.lookups`. Importing all of them takes as long as starting the server does, and clients wait
for the list of tools. Every other import of this room stands at the top of its file.
"""

# What is imported for the type checker is used elsewhere, as `lazy.NAME`.
# ruff: noqa: F401
# pyright: reportUnusedImport=false

from typing import TYPE_CHECKING

from deepresearch_mcp.adapters import modules_at

if TYPE_CHECKING:
    from deepresearch_mcp import runtime
    from deepresearch_mcp.injection import screen
    from deepresearch_mcp.jobs import (
        asking,
        cluster,
        described,
        digests,
        handing,
        jobs,
        lookups,
        naming,
        pending_ends,
        replies,
        shelves,
        trail,
    )
    from deepresearch_mcp.llm import schemas
    from deepresearch_mcp.pipeline import signal, steps
    from deepresearch_mcp.pipeline.report import ending
    from deepresearch_mcp.records import checks, run
    from deepresearch_mcp.store import orphans
    from deepresearch_mcp.viewer import html_report
else:
    _PACKAGES = {
        "": ("runtime",),
        ".injection": ("screen",),
        ".jobs": (
            *("asking", "cluster", "described", "digests", "handing", "jobs", "naming"),
            *("lookups", "pending_ends", "replies", "shelves", "trail"),
        ),
        ".llm": ("schemas",),
        ".pipeline": ("signal", "steps"),
        ".pipeline.report": ("ending",),
        ".records": ("checks", "run"),
        ".store": ("orphans",),
        ".viewer": ("html_report",),
    }
    _MODULES = {name: f"deepresearch_mcp{package}.{name}" for package, names in _PACKAGES.items() for name in names}

    __getattr__ = modules_at(__name__, _MODULES)
