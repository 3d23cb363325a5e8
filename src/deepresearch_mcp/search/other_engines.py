"""Search engines that are not ours: those of other installed packages, and tools of other MCP servers.

A package offers an engine by an entry point of the group `deepresearch_mcp.engines`: its name is the engine's, and it
leads to a class with `from_parts(parts: EngineParts)`, which returns a `SearchEngine`. The class may have an attribute
`spec`, an `EngineSpec` that tells title, rate, price and filters. It reads its key, if it needs one, by itself.
"""

from typing_extensions import override

from deepresearch_mcp.adapters import broken_extension, extension
from deepresearch_mcp.exceptions import DeepResearchError, ProviderError, UnreadableAnswer
from deepresearch_mcp.ports.search import SearchEngine
from deepresearch_mcp.records.sources import Hit, Query
from deepresearch_mcp.records.spec_types import EngineSpec
from deepresearch_mcp.records.specs import ENGINE_NAMES
from deepresearch_mcp.search.metering import EngineWrapper
from deepresearch_mcp.search.parts import EngineParts
from deepresearch_mcp.search.rows import hit
from deepresearch_mcp.settings.extensions import offered, package_of
from deepresearch_mcp.settings.schema import SearchSettings
from deepresearch_mcp.settings.tool_engines import PREFIX, tool_engines

_TOOL = "search.engines.mcp_tool:McpTool"


def names(settings: SearchSettings | None) -> tuple[str, ...]:
    """The names of all engines that are not ours; without settings no tools of other servers."""
    tools = tool_engines(settings.engines).values() if settings else ()
    return (*(tool.name for tool in tools), *sorted(offered("engines").keys() - set(ENGINE_NAMES)))


def spec_of(name: str) -> EngineSpec:
    """Return the specification of an engine that is not ours.

    Raises:
        SettingsError: Its package is broken.
    """
    if name.startswith(PREFIX):
        return EngineSpec(name=name, title=name, adapter=_TOOL, filters=("pages",))
    loaded = extension("engines", name)
    spec = getattr(loaded, "spec", None) or EngineSpec(name=name, title=name, adapter="")
    if not isinstance(spec, EngineSpec) or not callable(getattr(loaded, "from_parts", None)):
        raise broken_extension("engines", name, "it is no engine: it has no from_parts, or its spec is no EngineSpec")
    # Under another name or adapter it could pass for one of ours.
    return spec._replace(name=name, adapter="")


def open_extension(parts: EngineParts) -> SearchEngine:
    """Open an engine of another package.

    Raises:
        SettingsError: It lacks something that the user can set, or its package is broken.
    """
    name = parts.spec.name
    try:
        engine = extension("engines", name).from_parts(parts)
    except DeepResearchError:
        raise
    except Exception as error:
        raise broken_extension("engines", name, f"it cannot be opened ({type(error).__name__})") from error
    return ForeignEngine(engine, name)


class ForeignEngine(EngineWrapper):
    """Holds another package's engine to the port: its name, its errors, and hits without invisible characters."""

    def __init__(self, engine: SearchEngine, name: str) -> None:
        super().__init__(engine)
        self._name = name

    @property
    @override
    def name(self) -> str:
        return self._name

    @override
    async def search(self, query: Query, *, needs: tuple[str, ...] = ()) -> list[Hit]:
        """Raises `ProviderError` for whatever the engine raises."""
        try:
            found: list[object] = list(await self._engine.search(query, needs=needs))
        except DeepResearchError:
            raise
        except Exception as error:
            package = package_of(offered("engines")[self._name])
            raise ProviderError(self._name, f"its package {package} failed with {type(error).__name__}") from error
        hits = [one for one in found if isinstance(one, Hit)]
        if len(hits) < len(found):
            raise UnreadableAnswer(self._name, "its answer is not a list of hits")
        made = [(one, hit(self._name, one.url, one.title, one.snippet)) for one in hits]
        return [clean.model_copy(update={"published": one.published}) for one, clean in made][: query.limit]
