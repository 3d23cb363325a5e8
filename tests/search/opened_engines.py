"""Opens one engine over a scripted service, with everything that it needs, or makes its bare adapter."""

from typing import Any, TypeVar

from deepresearch_mcp.ports.search import SearchEngine
from deepresearch_mcp.records.specs import ENGINES
from deepresearch_mcp.search.http_engine import HttpEngine
from deepresearch_mcp.search.parts import EngineParts
from deepresearch_mcp.search.registry import open_engines
from deepresearch_mcp.settings.schema import SearchSettings

KEY = "secret-key"
SPECS = {spec.name: spec for spec in ENGINES}
Adapter = TypeVar("Adapter", bound=HttpEngine)


def given(name: str, **more: Any) -> SearchSettings:
    """Settings with the key of an engine, and with the id of the user's engine if it needs one."""
    own: dict[str, Any] = {f"{name}_key": KEY} if SPECS[name].key else {}
    if SPECS[name].engine_id:
        own[f"{name}_engine_id"] = "our-engine"
    return SearchSettings.model_validate(own | more)


def opened(name: str, service: Any, clock: Any, **more: Any) -> SearchEngine:
    """One engine; `more` are settings of the search besides."""
    [engine] = open_engines((name,), given(name, **more), service.http, service, clock)
    return engine


def adapter(kind: type[Adapter], service: Any, clock: Any = None, **more: Any) -> Adapter:
    """The bare adapter of an engine, with its key; `more` as for `opened`."""
    [spec] = [spec for spec in ENGINES if spec.adapter.endswith(f":{kind.__name__}")]
    return kind(EngineParts(spec, given(spec.name, **more), service.http, service, clock))
