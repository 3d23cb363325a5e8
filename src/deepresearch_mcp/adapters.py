"""Loads adapters by the names in their specs, at their first use."""

from importlib import import_module
from typing import Any


def adapter_at(place: str) -> Any:  # noqa: ANN401 - the registry that asks knows what stands there
    """Load what a spec names below our package: `search.brave:Brave`."""
    module, _, name = place.partition(":")
    return getattr(import_module(f"deepresearch_mcp.{module}"), name)
