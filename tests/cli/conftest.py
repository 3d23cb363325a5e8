"""The command line in this process: its own data directory, no settings of the developer's, and what it printed."""

import contextlib
import io
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from deepresearch_mcp.cli.app import main
from deepresearch_mcp.cli.clients.entries import VARIABLES
from deepresearch_mcp.settings.services import VENDOR_NAMES

ICE = """# Why ice floats

Ice floats on water because it is less dense than liquid water. When water freezes, its molecules form an open hexagonal
lattice held by hydrogen bonds, which takes up about 9 percent more room.

## Consequences

Lakes freeze from the top down, and the layer of ice keeps the water below from freezing.
"""
SALT = "Salt lowers the freezing point of water. Sea water freezes at about minus 1.8 degrees Celsius.\n"


@dataclass(frozen=True)
class Said:
    """What a command left behind."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)

    @property
    def error(self) -> dict[str, str]:
        return self.json["error"]


Cli = Callable[..., Said]


class Terminal(io.StringIO):
    """A stream behind which somebody sits."""

    encoding = "utf-8"

    def isatty(self) -> bool:
        return True


def call(*arguments: str, terminal: bool = False) -> Said:
    """Run the command line as `deepresearch-mcp ARGUMENTS` would."""
    out, err = (Terminal(), Terminal()) if terminal else (io.StringIO(), io.StringIO())
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = main(arguments)
    return Said(code, out.getvalue(), err.getvalue())


@contextlib.contextmanager
def surroundings(home: Path) -> Iterator[None]:
    """An environment in which nothing is set but the data directory."""
    with pytest.MonkeyPatch.context() as patch:
        for names in VENDOR_NAMES.values():
            for name in names:
                patch.delenv(name, raising=False)
        patch.setenv("DEEPRESEARCH_HOME", str(home))
        patch.setenv("XDG_CONFIG_HOME", str(home.parent / "no-config"))
        # The developer's own MCP clients are no business of a test.
        patch.setenv("HOME", str(home.parent / "user"))
        patch.setenv("USERPROFILE", str(home.parent / "user"))
        for name in VARIABLES:
            if name != "XDG_CONFIG_HOME":
                patch.delenv(name, raising=False)
        patch.setenv("COLUMNS", "80")
        patch.setenv("TERM", "xterm-256color")
        patch.chdir(home.parent)
        yield


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture
def cli(home: Path) -> Iterator[Cli]:
    with surroundings(home):
        yield call


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two documents about freezing."""
    place = tmp_path / "Notes on ice"
    place.mkdir()
    (place / "ice.md").write_text(ICE, encoding="utf-8")
    (place / "salt.txt").write_text(SALT, encoding="utf-8")
    return place


@dataclass(frozen=True)
class Shown:
    """A demo that was run once, for all who look at what it left."""

    said: Said
    home: Path

    @property
    def run(self) -> dict[str, Any]:
        return self.said.json


@pytest.fixture(scope="session")
def shown(tmp_path_factory: pytest.TempPathFactory) -> Shown:
    home = tmp_path_factory.mktemp("demo") / "home"
    with surroundings(home):
        return Shown(call("demo", "--json"), home)


@pytest.fixture
def after_demo(shown: Shown) -> Iterator[Cli]:
    """The command line on the demo's data directory: only look, as others look too."""
    with surroundings(shown.home):
        yield call
