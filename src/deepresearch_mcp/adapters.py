"""Loads adapters and modules by name, on first use."""

from collections.abc import Callable, Mapping
from importlib import import_module
from types import ModuleType
from typing import Any


def adapter_at(place: str) -> Any:  # noqa: ANN401 - only the calling registry knows the type
    """Load the object that a spec names inside this package: `search.brave:Brave`."""
    module, _, name = place.partition(":")
    return getattr(import_module(f"deepresearch_mcp.{module}"), name)


def modules_at(home: str, places: Mapping[str, str]) -> Callable[[str], ModuleType]:
    """Return a `__getattr__` for the module `home`: it imports the modules that `places` names, each on first use."""

    def loaded(name: str) -> ModuleType:
        if name not in places:
            raise AttributeError(f"module {home} has no {name}")
        return import_module(places[name])

    return loaded
