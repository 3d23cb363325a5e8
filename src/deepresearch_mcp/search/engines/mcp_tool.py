"""Web results from a tool of another MCP server, which the user names in `search.engines`."""

from collections.abc import Mapping, Sequence
from typing import Any, Self, cast

from typing_extensions import override

from deepresearch_mcp.exceptions import ProviderError, SettingsError
from deepresearch_mcp.ports.search import SearchEngine
from deepresearch_mcp.records.sources import Hit, Query
from deepresearch_mcp.search.parts import EngineParts
from deepresearch_mcp.search.tool_results import hits_of
from deepresearch_mcp.search.tool_servers import Connections, Schema
from deepresearch_mcp.settings.tool_engines import ToolEngine, tool_engines

_QUERY = ("query", "q", "question", "search_query", "search", "searchquery", "keywords", "text", "term", "terms",
          "input", "prompt", "topic")  # fmt: skip
_LIMIT = ("limit", "max_results", "maxresults", "num_results", "numresults", "count", "num", "n", "top_k", "topk", "k",
          "size", "per_page", "page_size", "rows")  # fmt: skip
_PAGE = ("page", "pageno", "page_number", "pagenumber")
_ONLY = ("include_domains", "includedomains")
_NEVER = ("exclude_domains", "excludedomains")
"""Names of parameters as servers have them, likeliest first; compared in lower case."""


class McpTool(SearchEngine):
    """A tool that takes a query and returns links, in whatever form.

    It is given the query, the limit, the page and the domains, as far as its input schema has parameters for them.
    """

    def __init__(self, engine: ToolEngine, servers: Connections) -> None:
        self._engine = engine
        self._servers = servers

    @classmethod
    def from_parts(cls, parts: EngineParts) -> Self:
        """Make the engine from the registry's parts.

        Raises:
            SettingsError: The settings name no such tool, or nothing here owns connections to servers.
        """
        named = {tool.name: tool for tool in tool_engines(parts.settings.engines).values()}
        if parts.spec.name not in named or parts.servers is None:
            raise SettingsError(f"{parts.spec.name} cannot be asked here.", "Name it in search.engines.")
        return cls(named[parts.spec.name], parts.servers)

    @property
    @override
    def name(self) -> str:
        return self._engine.name

    @override
    async def search(self, query: Query, *, needs: tuple[str, ...] = ()) -> list[Hit]:
        """Return the links of the answer in their order.

        Raises:
            ProviderError: The server cannot be asked, or the tool failed.
            UnreadableAnswer: The answer has an unexpected shape.
        """
        del needs
        result = await self._servers.call(self._engine, lambda schema: self._arguments(schema, query))
        if result.is_error:
            raise ProviderError(self.name, "the tool reports an error")
        return hits_of(self.name, result.content, result.structured_content)[: query.limit]

    def _arguments(self, schema: Schema, query: Query) -> dict[str, Any]:
        fields = _fields(schema)
        required = schema.get("required")
        needed = [str(one) for one in cast("list[object]", required)] if isinstance(required, list) else []
        asked: dict[str, Any] = {_parameter_of_query(self.name, fields, needed): query.text}
        if name := _first(fields, _LIMIT, "integer", "number"):
            most = fields[name].get("maximum")
            asked[name] = min(query.limit, int(most)) if isinstance(most, int | float) else query.limit
        if query.page > 1:
            if not (name := _first(fields, _PAGE, "integer", "number")):
                raise ProviderError(self.name, "the tool has no parameter for later pages")
            asked[name] = query.page
        for domains, names in ((query.filters.include_domains, _ONLY), (query.filters.exclude_domains, _NEVER)):
            if domains and (name := _first(fields, names, "array")):
                asked[name] = list(domains)
        return asked


def _fields(schema: Schema) -> dict[str, Mapping[str, Any]]:
    fields = schema.get("properties")
    if not isinstance(fields, dict):
        return {}
    known = cast("dict[str, object]", fields)
    return {name: cast("Mapping[str, Any]", field) for name, field in known.items() if isinstance(field, dict)}


def _first(fields: Mapping[str, Mapping[str, Any]], names: Sequence[str], *types: str) -> str:
    """Return the parameter with the first of these names and one of these types; "" if there is none."""
    lower = {name.lower(): name for name in fields}
    return next((lower[name] for name in names if name in lower and _has_type(fields[lower[name]], types)), "")


def _has_type(field: Mapping[str, Any], types: Sequence[str]) -> bool:
    """Whether a field may have one of the types; optional ones are lists of types or alternatives."""
    others = cast("list[object]", field.get("anyOf") or [])
    told = [
        field.get("type"),
        *(cast("Mapping[str, object]", one).get("type") for one in others if isinstance(one, dict)),
    ]
    flat = [kind for one in told for kind in (cast("list[object]", one) if isinstance(one, list) else [one])]
    return any(kind in types for kind in flat)


def _parameter_of_query(engine: str, fields: Mapping[str, Mapping[str, Any]], needed: Sequence[str]) -> str:
    if name := _first(fields, _QUERY, "string"):
        return name
    texts = [name for name, field in fields.items() if _has_type(field, ("string",))]
    for name in (*(one for one in needed if one in texts), *texts):
        return name
    raise ProviderError(engine, "the tool takes no text.", action="Name another tool of that server in search.engines.")
