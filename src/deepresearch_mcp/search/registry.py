"""Chooses the engines and opens them by name. `records/specs.py` lists them."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final, Protocol, cast

import anyio
import httpx2

from deepresearch_mcp.adapters import adapter_at
from deepresearch_mcp.breaker import CircuitBreaker
from deepresearch_mcp.exceptions import InvalidRequest
from deepresearch_mcp.ports.clock import Clock
from deepresearch_mcp.ports.documents import Collections
from deepresearch_mcp.ports.search import SearchEngine
from deepresearch_mcp.records.spec_types import EngineSpec
from deepresearch_mcp.records.specs import ENGINE_NAMES, ENGINES, WITHOUT_SETUP
from deepresearch_mcp.search import other_engines
from deepresearch_mcp.search.contact import EngineWithoutContact, names_contact
from deepresearch_mcp.search.parts import EngineParts
from deepresearch_mcp.search.rates import Pace, rate_of
from deepresearch_mcp.search.tool_servers import Connections
from deepresearch_mcp.search.wrappers import EngineWithTimeout, SharedLimits
from deepresearch_mcp.settings.schema import SearchSettings
from deepresearch_mcp.settings.tool_engines import tool_engines

_SPECS: Final[Mapping[str, EngineSpec]] = MappingProxyType({spec.name: spec for spec in ENGINES})


class _Adapter(Protocol):
    """The class of an adapter."""

    def from_parts(self, parts: EngineParts) -> SearchEngine: ...


def chosen(settings: SearchSettings) -> tuple[str, ...]:
    """Return the names of the engines to ask, in order, each once.

    `auto` stands for the engines that the user gave a key or an address, in the order of the specs; if there are none,
    for `WITHOUT_SETUP`. It stands for no data source otherwise.

    Raises:
        InvalidRequest: An engine is unknown, or no engine is named.
    """
    found: list[str] = []
    tools = tool_engines(settings.engines)
    for name in settings.engines:
        found.extend(_automatic(settings) if name == "auto" else (tools[name].name if name in tools else name,))
    return known(found, settings)


def known(wanted: Sequence[str], settings: SearchSettings | None = None) -> tuple[str, ...]:
    """Return the names, each once, in order. A tool of another server is known if the settings name it.

    Raises:
        InvalidRequest: A name is unknown, or `wanted` is empty.
    """
    others = other_engines.names(settings)
    everything = ", ".join((*ENGINE_NAMES, *others))
    if not wanted:
        raise InvalidRequest("No search engine is named.", f"Name one of: {everything}.")
    for name in wanted:
        if name not in _SPECS and name not in others:
            raise InvalidRequest(f"There is no search engine {name[:40]!r}.", f"Known are: {everything}.")
    return tuple(dict.fromkeys(wanted))


def open_engines(
    wanted: Sequence[str],
    settings: SearchSettings,
    http: httpx2.AsyncClient,
    collections: Collections,
    clock: Clock,
    servers: Connections | None = None,
) -> list[SearchEngine]:
    """Make engines in the order of `wanted`, each with a time-out of `settings.timeout` seconds.

    `engine_for_run` wraps them for one run. They send the User-Agent of `http`: Wikipedia refuses clients that do not
    identify themselves. A service that refuses programs without a contact is not asked unless `http` sends one.

    Raises:
        InvalidRequest: An engine is unknown.
        SettingsError: An engine lacks a required key or address, or the package that offers it is broken.
    """
    opened: list[SearchEngine] = []
    for spec in (spec_of(name) for name in known(wanted, settings)):
        parts = EngineParts(spec, settings, http, collections, clock, servers)
        if spec.contact and not names_contact(http):
            engine: SearchEngine = EngineWithoutContact(spec.name)
        elif spec.adapter:
            engine = cast("_Adapter", adapter_at(spec.adapter)).from_parts(parts)
        else:
            engine = other_engines.open_extension(parts)
        opened.append(EngineWithTimeout(engine, settings.timeout))
    return opened


def spec_of(name: str) -> EngineSpec:
    """Return the specification of a known engine.

    Raises:
        SettingsError: The package that offers it is broken.
    """
    return _SPECS.get(name) or other_engines.spec_of(name)


def share(
    wanted: Sequence[str], settings: SearchSettings, breaker: CircuitBreaker, clock: Clock
) -> dict[str, SharedLimits]:
    """Make the limits that all runs of a process share for each engine: its limiter, its pace and the breaker."""
    return {
        name: SharedLimits(
            anyio.CapacityLimiter(_at_once(name, settings)),
            breaker,
            Pace(name, rate_of(spec_of(name), settings), clock),
        )
        for name in known(wanted, settings)
    }


def is_automatic(settings: SearchSettings) -> bool:
    """Return whether the settings leave the choice of engines to this program, at least in part."""
    return "auto" in settings.engines


def is_usable(name: str, settings: SearchSettings) -> bool:
    """Return whether an engine is known and has all that it needs."""
    spec = _SPECS.get(name)
    return bool(spec) and (spec.demands in {0, 2} or _is_set_up(spec, settings))


def data_sources(settings: SearchSettings) -> tuple[str, ...]:
    """Return the names of the data sources that can be asked: those without a key, and those that the user set up."""
    return tuple(spec.name for spec in ENGINES if spec.data and is_usable(spec.name, settings))


def _at_once(name: str, settings: SearchSettings) -> int:
    return min(settings.concurrency, spec_of(name).at_once or settings.concurrency)


def _automatic(settings: SearchSettings) -> tuple[str, ...]:
    set_up = tuple(spec.name for spec in ENGINES if not spec.data and _is_set_up(spec, settings))
    return set_up or WITHOUT_SETUP


def _is_set_up(spec: EngineSpec, settings: SearchSettings) -> bool:
    if spec.key:
        return bool(settings.key(spec.name)) and (not spec.engine_id or bool(settings.engine_id(spec.name)))
    return bool(spec.address and spec.address.own and settings.address(spec.name))
