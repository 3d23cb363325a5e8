"""Reads the modules that a `lazy` module shows to the type checker."""

import ast
from pathlib import Path
from types import ModuleType


def listed(lazy: ModuleType | Path) -> dict[str, str]:
    """Name in the module → the module that it stands for."""
    file = lazy if isinstance(lazy, Path) else Path(str(lazy.__file__))
    tree = ast.parse(file.read_text(encoding="utf-8"))
    found: dict[str, str] = {}
    for branch in tree.body:
        for node in branch.body if isinstance(branch, ast.If) else ():
            if isinstance(node, ast.Import):
                found |= {alias.asname or alias.name: alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom):
                found |= {alias.asname or alias.name: f"{node.module}.{alias.name}" for alias in node.names}
    return found
