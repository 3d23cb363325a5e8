"""Packages with entry points, written into a folder of the import path as an installer leaves them."""

import shutil
import tomllib
from collections.abc import Mapping
from pathlib import Path

import pytest

EXAMPLE = Path(__file__).parents[1] / "examples" / "extension"


def install(home: Path, patch: pytest.MonkeyPatch, name: str, points: Mapping[str, Mapping[str, str]], **code: str):
    """Install a package: its modules by name, its entry points by group."""
    site = home / f"site-{name}"
    info = site / f"{name.replace('-', '_')}-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    groups = (
        f"[{group}]\n" + "".join(f"{one} = {at}\n" for one, at in named.items()) for group, named in points.items()
    )
    (info / "entry_points.txt").write_text("\n".join(groups))
    for module, text in code.items():
        (site / f"{module}.py").write_text(text)
    patch.syspath_prepend(str(site))
    return site


def install_example(home: Path, patch: pytest.MonkeyPatch) -> Path:
    """Install the example without an installer, from what its `pyproject.toml` says."""
    project = tomllib.loads((EXAMPLE / "pyproject.toml").read_text())["project"]
    site = install(home, patch, project["name"], project["entry-points"])
    shutil.copytree(EXAMPLE / "src", site, dirs_exist_ok=True)
    return site
