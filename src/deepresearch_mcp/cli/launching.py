"""By which command a client starts this program, whatever its working directory and its PATH."""

import os
import shutil
import sys
from pathlib import Path

from deepresearch_mcp.cli.console import NAME

_PASSING = ("archive-v", "environments-v", "builds-v")
"""How the folders begin in which uv makes environments for one call."""


def launch(*, shared: bool = False) -> list[str]:
    """The command and its arguments; with `shared` one that is good on other machines too."""
    from importlib.util import find_spec

    with_models = any(find_spec(name) is not None for name in ("anthropic", "openai"))
    if shared:
        return through_uvx("uvx", with_models=with_models)
    found = installed(Path(sys.argv[0]), Path(sys.executable), Path(sys.prefix))
    # Applications that are started from a desktop seldom know the PATH of a terminal.
    return found or through_uvx(shutil.which("uvx") or "uvx", with_models=with_models)


def through_uvx(uvx: str, *, with_models: bool) -> list[str]:
    """What fetches the package and starts it, with the models' libraries where they are here as well."""
    return [uvx, *(("--from", f"{NAME}[models]") if with_models else ()), NAME, "serve"]


def installed(called: Path, python: Path, environment: Path) -> list[str] | None:
    """The command of this installation; None where it will be gone after this call.

    Args:
        called: What was called, as the shell found it.
        python: The interpreter that runs it.
        environment: Where that one keeps its packages.
    """
    if _passing(environment):
        return None
    # Not resolved: a link in ~/.local/bin outlives the next upgrade, what it points to need not.
    beside = python.parent / called.name if called.stem == NAME else python.parent / NAME
    for program in (called if called.stem == NAME else beside, beside):
        for one in (program, program.with_name(f"{program.name}.exe")):
            if one.is_file():
                return [os.path.abspath(one), "serve"]
    return [os.path.abspath(python), "-m", "deepresearch_mcp", "serve"]


def _passing(environment: Path) -> bool:
    parts = environment.parts
    return any(part.startswith(_PASSING) for part in parts) or ("pipx" in parts and ".cache" in parts)


def startable(command: str) -> bool:
    """Whether a command of a client's file is there to be started."""
    return shutil.which(os.path.expanduser(command)) is not None
