"""The one place that turns the name of an adapter in a spec into the adapter: it is loaded when it is first wanted."""

from importlib import import_module
from typing import Any


def adapter_at(place: str) -> Any:  # noqa: ANN401 - the registry that asks knows what stands there
    """Load what a spec names below our package, as `search.brave:Brave`."""
    module, _, name = place.partition(":")
    return getattr(import_module(f"deepresearch_mcp.{module}"), name)
