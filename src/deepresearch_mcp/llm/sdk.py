"""The vendors' packages, imported when the first call needs them."""

from importlib import import_module
from importlib.util import find_spec
from types import ModuleType

from deepresearch_mcp.exceptions import ProviderError
from deepresearch_mcp.settings.project import adding


def load_package(package: str) -> ModuleType:
    """Import a vendor's package; it takes up to a second, so call it in a thread.

    Raises:
        ProviderError: It is not installed.
    """
    try:
        return import_module(package)
    except ImportError as error:
        raise ProviderError(package, f"the Python package {package!r} is not installed", action=how(package)) from error


def is_installed(package: str) -> bool:
    """Tell whether a vendor's package is there, without importing it."""
    try:
        return find_spec(package) is not None
    except ValueError:  # What an earlier import left of it is broken.
        return False


def how(package: str) -> str:
    """Say how to get it: it belongs to every installation, so it was taken out, or left out with --no-deps."""
    return f"Run: {adding(package)}"
