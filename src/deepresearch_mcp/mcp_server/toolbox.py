"""The tools as they are listed: titles, hints for the client's user, schemas without idle words."""

from collections.abc import Callable, Collection
from typing import TYPE_CHECKING, Any, NamedTuple

from mcp import types
from mcp.server.mcpserver.tools import Tool

from deepresearch_mcp.mcp_server.connector import fetch, search
from deepresearch_mcp.mcp_server.library import search_library
from deepresearch_mcp.mcp_server.looks import ICONS
from deepresearch_mcp.mcp_server.tools import (
    cancel_run,
    check_citations,
    continue_research,
    deep_research,
    fetch_url,
    get_report,
    list_runs,
    web_search,
)

if TYPE_CHECKING:
    from deepresearch_mcp.records.principal import Scope


class ToolSpec(NamedTuple):
    """A tool as it is listed. Its name, description and parameters are those of the function."""

    function: Callable[..., Any]
    title: str
    toolset: str
    """The set of the setting `server.toolsets` that it belongs to."""
    reads: bool = False
    """It changes nothing and spends nothing."""
    ends: bool = False
    """It can end what the user would miss."""
    outside: bool = False
    """It asks the web."""
    structured: bool = False
    """It returns JSON that clients can read, and not only text."""


TOOLS = (
    # It changes nothing in the world, but it may spend money, up to its ceiling: not read-only.
    ToolSpec(deep_research, "Deep research", "research", outside=True),
    ToolSpec(continue_research, "Answer a waiting research", "research", outside=True),
    ToolSpec(check_citations, "Check citations", "check", outside=True, structured=True),
    ToolSpec(get_report, "Get a research report", "runs", reads=True),
    ToolSpec(list_runs, "List research runs", "runs", reads=True, structured=True),
    ToolSpec(cancel_run, "Cancel a research run", "runs", ends=True),
    ToolSpec(web_search, "Search the web", "web", reads=True, outside=True, structured=True),
    ToolSpec(fetch_url, "Read a web page", "web", reads=True, outside=True),
    ToolSpec(search_library, "Search what was read", "library", reads=True, structured=True),
    ToolSpec(search, "Search", "chatgpt", reads=True, outside=True),
    ToolSpec(fetch, "Fetch", "chatgpt", reads=True, outside=True),
)
"""Every tool, in the order in which clients show them. After a change run `make prepared`."""


def scope_of(name: str) -> "Scope":
    """What a caller must have been granted for a tool; one that we do not know, or that asks the web, may spend."""
    reads = {"show_report", *(spec.function.__name__ for spec in TOOLS if spec.reads and not spec.outside)}
    return "runs:read" if name in reads else "runs:write"


def all_tools(toolsets: Collection[str]) -> list[Tool]:
    """The tools of some sets, as they are listed."""
    chosen = chosen_of(toolsets)
    return [_listed(spec) for spec in TOOLS if spec.toolset in chosen]


def chosen_of(toolsets: Collection[str]) -> set[str]:
    """The sets that are offered: a tool that starts a run is of no use without those that fetch its result."""
    return {*toolsets, *({"runs"} if {"research", "check"} & {*toolsets} else ())}


def _listed(spec: ToolSpec) -> Tool:
    hints = types.ToolAnnotations(
        read_only_hint=spec.reads,
        destructive_hint=spec.ends,
        open_world_hint=spec.outside,
        # The same call twice does what one does, for every tool of ours.
        idempotent_hint=True,
    )
    tool = Tool.from_function(
        spec.function,
        title=spec.title,
        description=" ".join((spec.function.__doc__ or "").split()),
        annotations=hints,
        icons=ICONS,
        structured_output=None if spec.structured else False,
    )
    metadata = tool.fn_metadata
    if metadata.output_schema:
        metadata.output_schema = slim(metadata.output_schema, nulls=True)
    return tool.model_copy(update={"parameters": slim(tool.parameters, nulls=False)})


def slim(schema: dict[str, Any], *, nulls: bool) -> dict[str, Any]:
    """A JSON Schema without what costs tokens and tells a model nothing: made-up titles, and `or null` of parameters.

    With `nulls` what may be null stays so: clients hold structured results against their schema.
    """
    kept: dict[str, Any] = {}
    for name, value in schema.items():
        if name in {"properties", "$defs"}:
            kept[name] = {key: slim(inner, nulls=nulls) for key, inner in value.items()}
        elif name == "anyOf":
            kinds = [slim(kind, nulls=nulls) for kind in value if nulls or kind != {"type": "null"}]
            kept |= kinds[0] if len(kinds) == 1 else {"anyOf": kinds}
        elif name == "items":
            kept[name] = slim(value, nulls=nulls)
        elif name != "title" and not (name == "default" and value is None):
            kept[name] = value
    return kept
