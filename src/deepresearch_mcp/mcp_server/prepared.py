"""The answers that a client's first requests have always, kept in a file so that nothing is imported for them.

`make prepared` writes the file; a test holds it against what the server says. Where it was made of other sources than
are here, or the settings ask for other tools, it is not used, and the client waits for the server.
"""

import hashlib
import json
import os
from collections.abc import Mapping
from importlib.machinery import PathFinder
from typing import Any

FILE = os.path.join(os.path.dirname(__file__), "prepared.json")

TOOLSETS = ("research", "check", "runs", "web", "library")
"""Those that the file is about: the default of the setting."""

_SOURCES = (
    *("version.py", "records/request.py", "records/specs.py"),
    *("mcp_server/prepared.py", "mcp_server/server.py", "mcp_server/toolbox.py"),
    *("mcp_server/tools.py", "mcp_server/arguments.py", "mcp_server/results.py", "mcp_server/offered.py"),
    *("mcp_server/looks.py", "mcp_server/library.py", "mcp_server/report_app.py", "mcp_server/resources.py"),
)
"""What the answers follow from."""
_LIBRARIES = ("mcp", "pydantic")


class PreparedAnswers:
    """What is answered to which method, by protocol version."""

    def __init__(self, table: Mapping[str, Any]) -> None:
        self._results: list[str] = [json.dumps(one, ensure_ascii=False) for one in table["results"]]
        self._places: Mapping[str, Mapping[str, int]] = table["places"]

    def knows(self, version: object) -> bool:
        """Whether this version of the protocol is served."""
        return isinstance(version, str) and version in self._places

    def result(self, version: str, method: str) -> str | None:
        """The result as JSON; None where it has to be asked for."""
        place = self._places.get(version, {}).get(method)
        return None if place is None else self._results[place]


def answers() -> PreparedAnswers | None:
    """Those of the file; None where it is missing or was made of something else."""
    try:
        with open(FILE, encoding="utf-8") as file:
            table = json.load(file)
        return PreparedAnswers(table) if table["made_of"] == made_of(table["libraries"]) else None
    except (OSError, ValueError, KeyError, TypeError):
        return None


def made_of(versions: Mapping[str, str]) -> str:
    """A digest of the sources, with the versions of the libraries; empty where others are installed."""
    base = os.path.dirname(os.path.dirname(__file__))
    for name in _LIBRARIES:
        if not _installed(name, versions[name]):
            return ""
    digest = hashlib.sha256(json.dumps(versions, sort_keys=True).encode())
    for name in _SOURCES:
        with open(os.path.join(base, name), "rb") as file:
            digest.update(file.read())
    return digest.hexdigest()


def _installed(name: str, version: str) -> bool:
    """Whether a library of this version is the one that would be imported; nothing is."""
    spec = PathFinder.find_spec(name)
    folders = list(spec.submodule_search_locations or ()) if spec else []
    return any(os.path.isdir(os.path.join(os.path.dirname(one), f"{name}-{version}.dist-info")) for one in folders)
