"""The tools as they are listed: titles, hints for the client's user, schemas without idle words."""

from collections.abc import Callable, Collection
from typing import Any

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


def all_tools(toolsets: Collection[str]) -> list[Tool]:
    """The tools of some sets, as they are listed."""
    sets = {
        "research": [
            # It changes nothing in the world, but it may spend money, up to its ceiling: not read-only.
            _tool(deep_research, "Deep research", _hints(reads=False, ends=False, outside=True)),
            _tool(continue_research, "Answer a waiting research", _hints(reads=False, ends=False, outside=True)),
        ],
        "check": [_tool(check_citations, "Check citations", _hints(reads=False, ends=False, outside=True))],
        "runs": [
            _tool(get_report, "Get a research report", _hints(reads=True, ends=False, outside=False)),
            _tool(list_runs, "List research runs", _hints(reads=True, ends=False, outside=False)),
            _tool(cancel_run, "Cancel a research run", _hints(reads=False, ends=True, outside=False)),
        ],
        "web": [
            _tool(web_search, "Search the web", _hints(reads=True, ends=False, outside=True)),
            _tool(fetch_url, "Read a web page", _hints(reads=True, ends=False, outside=True)),
        ],
        "library": [
            _tool(search_library, "Search what was read", _hints(reads=True, ends=False, outside=False)),
        ],
    }
    if "chatgpt" in toolsets:
        sets["chatgpt"] = [
            _tool(search, "Search", _hints(reads=True, ends=False, outside=True)),
            _tool(fetch, "Fetch", _hints(reads=True, ends=False, outside=True)),
        ]
    chosen = chosen_of(toolsets)
    return [tool for name, tools in sets.items() if name in chosen for tool in tools]


def chosen_of(toolsets: Collection[str]) -> set[str]:
    """The sets that are offered: whatever starts a run is of no use without the tools that fetch what it came to."""
    return {*toolsets, *({"runs"} if {"research", "check"} & {*toolsets} else ())}


def _hints(*, reads: bool, ends: bool, outside: bool) -> types.ToolAnnotations:
    """Hints for a client that asks its user; twice the same call does what one does, for every tool of ours."""
    return types.ToolAnnotations(
        read_only_hint=reads, destructive_hint=ends, open_world_hint=outside, idempotent_hint=True
    )


def _tool(fn: Callable[..., Any], title: str, annotations: types.ToolAnnotations) -> Tool:
    about = " ".join((fn.__doc__ or "").split())
    tool = Tool.from_function(
        fn,
        title=title,
        description=about,
        annotations=annotations,
        icons=ICONS,
        structured_output=None if fn in {check_citations, list_runs, web_search, search_library} else False,
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
