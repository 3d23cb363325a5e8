"""Loads adapters, other packages' extensions and modules by name, on first use."""

from collections.abc import Callable, Mapping
from importlib import import_module
from types import ModuleType
from typing import Any

from deepresearch_mcp.exceptions import SettingsError
from deepresearch_mcp.settings.extensions import Kind, offered, package_of


def adapter_at(place: str) -> Any:  # noqa: ANN401 - only the calling registry knows the type
    """Load the object that a spec names inside this package: `search.brave:Brave`."""
    module, _, name = place.partition(":")
    return getattr(import_module(f"deepresearch_mcp.{module}"), name)


def extension(kind: Kind, name: str) -> Any:  # noqa: ANN401 - only the calling registry knows the type
    """Load what another installed package offers under this name in the group `deepresearch_mcp.KIND`.

    Raises:
        SettingsError: No package offers it, or it cannot be loaded; the error names the package.
    """
    if (point := offered(kind).get(name)) is None:
        raise SettingsError(f"No installed package offers {name[:40]!r} for {kind}.", "Install it, or leave it out.")
    try:
        return point.load()
    except Exception as error:
        raise broken_extension(kind, name, f"it cannot be loaded ({type(error).__name__})") from error


def broken_extension(kind: Kind, name: str, why: str) -> SettingsError:
    """Return the error for an extension that cannot be used, in one sentence that names its package."""
    point = offered(kind).get(name)
    package = package_of(point) if point else "unknown"
    return SettingsError(
        f"The package {package} offers {name!r} for {kind}, but {why}.",
        f"Update or remove {package}, or leave {name} out.",
    )


def modules_at(home: str, places: Mapping[str, str]) -> Callable[[str], ModuleType]:
    """Return a `__getattr__` for the module `home`: it imports the modules that `places` names, each on first use."""

    def loaded(name: str) -> ModuleType:
        if name not in places:
            raise AttributeError(f"module {home} has no {name}")
        return import_module(places[name])

    return loaded
