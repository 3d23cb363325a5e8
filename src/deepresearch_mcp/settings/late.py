"""Loads libraries that few starts need.

A client waits for its answer while a server reads the settings. With these imports at the top of their modules the
first answer took a sixteenth longer.
"""

from importlib import import_module
from types import ModuleType


def library(name: str) -> ModuleType:
    """Import a library when it is first used.

    Raises:
        ImportError: It is not installed.
    """
    return import_module(name)
