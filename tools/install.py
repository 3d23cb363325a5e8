"""Install this program for its user: `make install`, undone by `make uninstall`.

It gets an environment of its own, below PREFIX/share, with the versions of `locks/`, each file checked by its hash,
and links in PREFIX/bin. The package itself is a wheel, built from this folder.
"""

import argparse
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
NAME: str = PROJECT["name"]
COMMANDS: tuple[str, ...] = tuple(PROJECT["scripts"])
EXTRAS = tuple(sorted(file.stem for file in (ROOT / "locks").glob("*.txt") if file.stem not in {"run", "build"}))
BIN = "Scripts" if os.name == "nt" else "bin"
ENDING = ".exe" if os.name == "nt" else ""
_FOLDERS = "from deepresearch_mcp.settings.files import *; print(data_home(), config_home(), sep='\\n')"


class Failed(Exception):
    """A step of the installation said no."""


class Place:
    """Where the program goes."""

    def __init__(self, prefix: Path) -> None:
        self.environment = prefix / "share" / NAME
        self.links = prefix / "bin"

    @property
    def python(self) -> Path:
        """The interpreter of its environment."""
        return self.environment / BIN / f"python{ENDING}"

    def program(self, command: str) -> Path:
        """A command of ours in its environment."""
        return self.environment / BIN / f"{command}{ENDING}"

    @property
    def older(self) -> Path:
        """Where an upgrade keeps the environment that works, until the new one does."""
        return self.environment.with_name(f"{NAME}.older")

    def is_ours(self, link: Path) -> bool:
        """Whether something in the folder of links leads into the environment."""
        return link.is_symlink() and Path(os.readlink(link)).parent == self.environment / BIN


class Installer:
    """Runs pip, or uv where there is one; both take the same files."""

    def __init__(self, place: Place, uv: str) -> None:
        self._place = place
        self._uv = uv

    def make_environment(self) -> None:
        """Make the environment anew."""
        here = str(self._place.environment)
        if self._uv:
            run([self._uv, "venv", "--quiet", "--clear", "--python", sys.executable, here])
        else:
            run([sys.executable, "-m", "venv", "--clear", here])

    def install(self, *files: str, into: Path | None = None) -> None:
        """Install what lock files name; no file without its hash, and nothing that would have to be built."""
        wanted = [word for name in files for word in ("-r", str(ROOT / "locks" / f"{name}.txt"))]
        folder = ["--target", str(into)] if into else []
        run([*self._pip(), "--require-hashes", "--only-binary", ":all:", *folder, *wanted])

    def install_wheel(self, wheel: Path) -> None:
        """Install the package itself."""
        run([*self._pip(), "--no-deps", "--no-index", str(wheel)])

    def _pip(self) -> list[str]:
        python = str(self._place.python)
        if self._uv:
            return [self._uv, "pip", "install", "--quiet", "--python", python]
        return [python, "-m", "pip", "install", "-qq", "--disable-pip-version-check"]


def run(command: Sequence[str], **env: str) -> str:
    """Run a program to its end; what it prints.

    Raises:
        Failed: It did not succeed; its own words come first.
    """
    try:
        done = subprocess.run(command, env=os.environ | env, capture_output=True, text=True, check=False)  # noqa: S603 - programs that make has found, and our own
    except OSError as error:
        raise Failed(f"{command[0]} cannot be started: {error.strerror}.") from None
    if done.returncode:
        raise Failed(f"{done.stdout}{done.stderr}\n{Path(command[0]).name} failed: its words above say why.".lstrip())
    return done.stdout


def build(installer: Installer, place: Place, folder: Path) -> Path:
    """Build the wheel, with the builder of `locks/build.txt`; it is kept in `dist/` where that can be written."""
    installer.install("build", into=folder / "builder")
    made = folder / "wheel"
    command = [str(place.python), "-m", "hatchling", "build", "-t", "wheel", "-d", str(made)]
    run(command, PYTHONPATH=str(folder / "builder"))
    [wheel] = made.glob("*.whl")
    return kept(wheel, ROOT / "dist")


def kept(wheel: Path, folder: Path) -> Path:
    """The wheel in a folder that outlives the installation; where it is, if the clone is read-only."""
    try:
        folder.mkdir(exist_ok=True)
        return Path(shutil.copy(wheel, folder))
    except OSError:
        return wheel


def recover(place: Place) -> None:
    """Put the working environment back that a killed upgrade has set aside, and delete what it was deleting."""
    shutil.rmtree(place.environment.with_name(f"{NAME}.removed"), ignore_errors=True)
    if place.older.exists():
        discard(place.environment)
        place.older.rename(place.environment)


def discard(folder: Path) -> None:
    """Delete a folder, if it is there; half-deleted, it no longer has the name of something that works."""
    gone = folder.with_name(f"{NAME}.removed")
    if gone.exists():
        shutil.rmtree(gone)
    if folder.exists():
        folder.rename(gone)
        shutil.rmtree(gone)


def install(prefix: Path, *, uv: str, extras: Sequence[str]) -> list[str]:
    """Install the program; what its user is told.

    Raises:
        Failed: It could not be installed; an older installation is left as it was.
        OSError: A file or folder cannot be used; likewise.
    """
    place = Place(prefix)
    installer = Installer(place, uv)
    place.environment.parent.mkdir(parents=True, exist_ok=True)
    recover(place)
    if place.environment.exists():
        place.environment.rename(place.older)
    try:
        installer.make_environment()
        installer.install("run", *extras)
        with tempfile.TemporaryDirectory() as folder:
            installer.install_wheel(build(installer, place, Path(folder)))
        version = run([str(place.program(NAME)), "--version"]).strip()
    except BaseException:
        shutil.rmtree(place.environment, ignore_errors=True)
        recover(place)
        raise
    discard(place.older)
    program, notes = link(place)
    return [f"Installed {NAME} {version}. The program is", "", f"    {program}", "", *notes]


def link(place: Place) -> tuple[Path, list[str]]:
    """Link the commands; the program as it is called, and what there is to say about it."""
    if os.name == "nt":
        return place.program(NAME), [f"Put its folder on your PATH to call it as {NAME}."]
    place.links.mkdir(parents=True, exist_ok=True)
    notes: list[str] = []
    linked: list[Path] = []
    for command in COMMANDS:
        there = place.links / command
        if place.is_ours(there):
            there.unlink()
        if there.exists() or there.is_symlink():
            notes.append(f"{there} belongs to another program and was left as it is. Do not call it for this one.")
            continue
        there.symlink_to(place.program(command))
        linked.append(there)
    program = linked[0] if linked else place.program(NAME)
    found = shutil.which(program.name)
    if found is None:
        notes.append(f"{program.parent} is not on your PATH: add it, or call the program by the path above.")
    elif Path(found) != program:
        notes.append(f"On your PATH, {found} comes first and is a different program: use the path above.")
    home = place.links.parent
    where = "" if home == Path.home() / ".local" else f" PREFIX={shlex.quote(str(home))}"
    return program, [*notes, f"Try it:   {program} demo", f"Undo:     make uninstall{where}"]


def uninstall(prefix: Path) -> list[str]:
    """Remove what `install` made; what its user is told.

    Raises:
        OSError: Something cannot be removed.
    """
    place = Place(prefix)
    recover(place)
    if not place.environment.exists():
        return [f"Nothing is installed in {place.environment}."]
    try:
        kept = run([str(place.python), "-c", _FOLDERS]).split("\n")[:2]
    except Failed:
        kept = []
    for command in COMMANDS:
        if place.is_ours(place.links / command):
            (place.links / command).unlink()
    discard(place.environment)
    told = [f"Removed {place.environment} and its links in {place.links}."]
    if kept:
        told.append(f"Your runs and settings stay: {kept[0]} and {kept[1]}.")
    return [*told, "Clients that were connected keep their entry until you take it out of their file."]


_KEPT = "What was installed before is as it was."


def main(arguments: Sequence[str]) -> int:
    """Do what the command line says; the exit code."""
    ask = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    ask.add_argument("--prefix", type=Path, default=Path.home() / ".local")
    ask.add_argument("--extras", default="", help=f"separated by commas or spaces: {', '.join(EXTRAS)}")
    ask.add_argument("--uv", default="", help="the program uv, to be used instead of pip")
    ask.add_argument("--undo", action="store_true")
    given = ask.parse_args(arguments)
    extras = given.extras.replace(",", " ").split()
    unknown = [name for name in extras if name not in EXTRAS]
    if unknown:
        print(f"There is no extra {unknown[0]!r}. Known are: {', '.join(EXTRAS)}.", file=sys.stderr)
        return 2
    prefix = Path(os.path.abspath(os.path.expanduser(given.prefix)))
    try:
        told = uninstall(prefix) if given.undo else install(prefix, uv=given.uv, extras=extras)
    except Failed as error:
        print(f"{error} {_KEPT}", file=sys.stderr)
        return 1
    except OSError as error:
        what = f"{error.filename or prefix} cannot be used: {(error.strerror or str(error)).lower()}."
        then = "Correct that and try again." if given.undo else f"Choose another place with PREFIX=DIR. {_KEPT}"
        print(f"{what} {then}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print(f"Stopped. {'' if given.undo else _KEPT}".strip(), file=sys.stderr)
        return 130
    print("\n".join(told))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
