"""This program's names outside its own code: its package, its commands and its extras.

The package `deepresearch-mcp` on the package index belongs to another party, so none of our texts may lead there.
"""

import os
import shlex
import sys
from importlib.util import find_spec

from deepresearch_mcp.settings.late import library

DISTRIBUTION = "deepresearch-server"
"""The package's name, as in `pyproject.toml`; it is imported as `deepresearch_mcp`."""

COMMANDS = (DISTRIBUTION, "deepresearch-mcp")
"""Both start this program. Another party has a program with the second name."""

FOREIGN = "deepresearch-mcp"
"""Another party's package on the index, with the name of one of our commands. Nothing here may cause its download."""

PUBLISHED = False
"""Whether we have published `DISTRIBUTION` on the package index. CONTRIBUTING.md lists what changes with it."""

EXTRAS = {
    "keyring": ("keyring",),
    "ocr": ("pypdfium2",),
    "pdf": ("pypdfium2",),
    "browser": ("playwright",),
    "export": ("typst",),
    "postgres": ("psycopg[binary,pool]", "procrastinate"),
    "presidio": ("presidio-analyzer",),
    "otel": ("opentelemetry-sdk", "opentelemetry-exporter-otlp-proto-http"),
}
"""Extra → the packages that it installs."""


def is_installed(extra: str) -> bool:
    """Whether all packages of an extra can be imported."""
    return all(_is_there(_MODULES.get(package, package.partition("[")[0])) for package in EXTRAS[extra])


_MODULES = {
    "presidio-analyzer": "presidio_analyzer",
    "opentelemetry-sdk": "opentelemetry.sdk",
    "opentelemetry-exporter-otlp-proto-http": "opentelemetry.exporter.otlp.proto.http",
}
"""Package → the module that it brings, where the names differ."""


def _is_there(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except ModuleNotFoundError:  # its parent is not there
        return False


def adding(*packages: str, windows: bool = os.name == "nt") -> str:
    """The command that installs packages in the environment that runs this program.

    It names the packages instead of our extra, so it works for a clone, a wheel and a published package.
    """
    python = quoted(sys.executable, windows=windows)
    wanted = " ".join(quoted(package, windows=windows) for package in packages)
    if find_spec("pip") is None:
        # Environments created by uv have no pip.
        return f"uv pip install --python {python} {wanted}"
    return f"{python} -m pip install {wanted}"


def quoted(word: str, *, windows: bool = os.name == "nt") -> str:
    """Quote a word of a command for the user's shell: cmd.exe on Windows, else a POSIX shell."""
    if not windows:
        return shlex.quote(word)
    shown: str = library("subprocess").list2cmdline([word])
    # Outside quotes cmd.exe treats these as separators, redirections or other syntax.
    return f'"{shown}"' if shown[:1] != '"' and set(shown) & set("&|<>^()%!,;=") else shown
