"""Write `constraints.txt` and `locks/` anew: `make lock`, with UPGRADE=1 for the newest versions that fit.

`constraints.txt` pins all that runs, tests or builds this package; pip takes it with `-c`, an editable
installation included. The files in `locks/` hold hashes as well, of every wheel for every platform and Python: they
are for `pip install --require-hashes -r`, which no editable installation can be part of.
"""

import re
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
CONSTRAINTS = ROOT / "constraints.txt"
LOCKS = ROOT / "locks"
HEAD = """\
# Exact versions of everything that runs, tests or builds this package, on every platform.
# Written by `make lock`. With hashes, for what is installed for use: the files in locks/.
"""
LOCK_HEAD = "# Written by `make lock`; install with: pip install --require-hashes -r FILE\n"
INSTALLERS = ("pip", "setuptools ; python_version < '3.12'")
"""What environments of `venv` hold from the start; development brings both to these versions."""
TOGETHER = ("anthropic", "openai", "models")
"""Extras that every user gets."""
SHARED = ["--universal", "--python-version", "3.11", "--no-header", "--no-annotate", "--quiet"]


def extras(project: dict[str, dict[str, list[str]]]) -> list[str]:
    """The extras that have a lock of their own."""
    return sorted(set(project["optional-dependencies"]) - set(TOGETHER))


def entries(text: str) -> dict[str, str]:
    """`name==version ; marker` → that with its hashes, for each requirement of a lock."""
    found = re.findall(r"^(?!#|[ \t])(.+?)[ \t]*(\\\n(?:[ \t]+--hash=.*\n?)+|\n)", text, re.MULTILINE)
    return {line: (f"{line} {rest}" if rest.strip() else f"{line}\n") for line, rest in found}


class Compiler:
    """uv, asked for lists of requirements."""

    def __init__(self, uv: str, folder: Path, *, upgrade: bool) -> None:
        self._uv = uv
        self._folder = folder
        self._upgrade = upgrade

    def pins(self, requirements: list[str], old: Path) -> str:
        """All versions; those of the old file stay as long as they fit."""
        new = self._folder / "pins.txt"
        new.write_text(old.read_text(encoding="utf-8"), encoding="utf-8")
        more = ["--all-extras", "--group", "dev", *(["--upgrade"] if self._upgrade else [])]
        self._compile(["pyproject.toml", self._file("more.in", requirements), *more], new)
        return new.read_text(encoding="utf-8")

    def lock(self, requirements: list[str], chosen: list[str]) -> str:
        """The versions of `constraints.txt` with the hashes of all their files."""
        new = self._folder / "lock.txt"
        new.unlink(missing_ok=True)
        source = [self._file("only.in", requirements)] if requirements else ["pyproject.toml"]
        options = ["--generate-hashes", "-c", str(CONSTRAINTS)]
        self._compile([*source, *options, *(word for name in chosen for word in ("--extra", name))], new)
        return new.read_text(encoding="utf-8")

    def _file(self, name: str, lines: list[str]) -> str:
        (self._folder / name).write_text("\n".join([*lines, ""]), encoding="utf-8")
        return str(self._folder / name)

    def _compile(self, arguments: list[str], new: Path) -> None:
        subprocess.run([self._uv, "pip", "compile", *SHARED, *arguments, "-o", str(new)], cwd=ROOT, check=True)  # noqa: S603 - a program that make has found


def main(uv: str, *, upgrade: bool) -> None:
    """Write all of them."""
    document = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    project, builders = document["project"], document["build-system"]["requires"]
    LOCKS.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        ask = Compiler(uv, Path(folder), upgrade=upgrade)
        CONSTRAINTS.write_text(HEAD + ask.pins([*builders, *INSTALLERS], CONSTRAINTS), encoding="utf-8")
        every = [name for name in TOGETHER if name in project["optional-dependencies"]]
        run = ask.lock([], every)
        files = {"run": run, "build": ask.lock(builders, [])}
        for name in extras(project):
            # What the extra needs beyond the rest.
            lines = entries(ask.lock([], [*every, name]))
            files[name] = "".join(text for line, text in lines.items() if line not in entries(run))
    for name, text in files.items():
        (LOCKS / f"{name}.txt").write_text(LOCK_HEAD + text, encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1], upgrade="--upgrade" in sys.argv[2:])
