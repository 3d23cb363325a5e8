"""The vendors' packages, imported when the first call needs them."""

from importlib import import_module
from types import ModuleType

from deepresearch_mcp.exceptions import ProviderError
from deepresearch_mcp.naming import adding


def load(package: str) -> ModuleType:
    """Import a vendor's package; it takes up to a second, so call it in a thread.

    Raises:
        ProviderError: It is not installed.
    """
    try:
        return import_module(package)
    except ImportError as error:
        action = f"Run: {adding(package)}"
        raise ProviderError(package, f"the Python package {package!r} is not installed", action=action) from error
