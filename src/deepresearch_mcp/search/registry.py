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
from deepresearch_mcp.search.parts import EngineParts
from deepresearch_mcp.search.wrappers import EngineWithTimeout, SharedLimits
from deepresearch_mcp.settings.schema import SearchSettings

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
    for name in settings.engines:
        found.extend(_automatic(settings) if name == "auto" else (name,))
    return known(found)


def known(wanted: Sequence[str]) -> tuple[str, ...]:
    """Return the names, each once, in order.

    Raises:
        InvalidRequest: A name is unknown, or `wanted` is empty.
    """
    everything = ", ".join(ENGINE_NAMES)
    if not wanted:
        raise InvalidRequest("No search engine is named.", f"Name one of: {everything}.")
    for name in wanted:
        if name not in _SPECS:
            raise InvalidRequest(f"There is no search engine {name[:40]!r}.", f"Known are: {everything}.")
    return tuple(dict.fromkeys(wanted))


def open_engines(
    wanted: Sequence[str], settings: SearchSettings, http: httpx2.AsyncClient, collections: Collections, clock: Clock
) -> list[SearchEngine]:
    """Make engines in the order of `wanted`, each with a time-out of `settings.timeout` seconds.

    `engine_for_run` wraps them for one run. They send the User-Agent of `http`: Wikipedia refuses clients that do not
    identify themselves.

    Raises:
        InvalidRequest: An engine is unknown.
        SettingsError: An engine lacks a required key or address.
    """
    opened: list[SearchEngine] = []
    for spec in (_SPECS[name] for name in known(wanted)):
        adapter = cast("_Adapter", adapter_at(spec.adapter))
        engine = adapter.from_parts(EngineParts(spec, settings, http, collections, clock))
        opened.append(EngineWithTimeout(engine, settings.timeout))
    return opened


def share(wanted: Sequence[str], settings: SearchSettings, breaker: CircuitBreaker) -> dict[str, SharedLimits]:
    """Make the limits that all runs of a process share for each engine: its limiter and the breaker."""
    return {name: SharedLimits(anyio.CapacityLimiter(_at_once(name, settings)), breaker) for name in known(wanted)}


def is_usable(name: str, settings: SearchSettings) -> bool:
    """Return whether an engine is known and has all that it needs."""
    spec = _SPECS.get(name)
    return bool(spec) and (spec.demands in {0, 2} or _is_set_up(spec, settings))


def data_sources(settings: SearchSettings) -> tuple[str, ...]:
    """Return the names of the data sources that can be asked: those without a key, and those that the user set up."""
    return tuple(spec.name for spec in ENGINES if spec.data and is_usable(spec.name, settings))


def _at_once(name: str, settings: SearchSettings) -> int:
    return min(settings.concurrency, _SPECS[name].at_once or settings.concurrency)


def _automatic(settings: SearchSettings) -> tuple[str, ...]:
    set_up = tuple(spec.name for spec in ENGINES if not spec.data and _is_set_up(spec, settings))
    return set_up or WITHOUT_SETUP


def _is_set_up(spec: EngineSpec, settings: SearchSettings) -> bool:
    if spec.key:
        return bool(settings.key(spec.name)) and (not spec.engine_id or bool(settings.engine_id(spec.name)))
    return bool(spec.address and spec.address.own and settings.address(spec.name))
