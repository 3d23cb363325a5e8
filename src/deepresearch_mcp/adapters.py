"""Loads adapters and modules by name, at their first use."""

from collections.abc import Callable, Mapping
from importlib import import_module
from types import ModuleType
from typing import Any


def adapter_at(place: str) -> Any:  # noqa: ANN401 - the registry that asks knows what stands there
    """Load what a spec names below our package: `search.brave:Brave`."""
    module, _, name = place.partition(":")
    return getattr(import_module(f"deepresearch_mcp.{module}"), name)


def modules_at(home: str, places: Mapping[str, str]) -> Callable[[str], ModuleType]:
    """A `__getattr__` for the module `home`: each name in `places` is a module, imported when it is first used."""

    def loaded(name: str) -> ModuleType:
        if name not in places:
            raise AttributeError(f"module {home} has no {name}")
        return import_module(places[name])

    return loaded
