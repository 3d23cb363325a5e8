"""The pins: exact, whole, and with a hash wherever something is installed for use."""

import importlib.metadata
import json
import re
import tomllib
from functools import cache
from pathlib import Path

import pytest
from packaging.markers import Environment, default_environment
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from deepresearch_mcp.settings.project import DISTRIBUTION, EXTRAS, FOREIGN

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
CORE = (*PROJECT["project"]["dependencies"], *PROJECT["project"]["optional-dependencies"].get("models", ()))
PYTHONS = ("3.11", "3.12", "3.13")


def constraints() -> dict[str, str]:
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pins = [Requirement(line) for line in lines if line and not line.startswith("#")]
    return {canonicalize_name(pin.name): next(iter(pin.specifier)).version for pin in pins}


@cache
def locked(name: str) -> dict[str, list[tuple[Requirement, int]]]:
    """Each package of a lock: its lines, with how many hashes each has."""
    found: dict[str, list[tuple[Requirement, int]]] = {}
    text = (ROOT / "locks" / f"{name}.txt").read_text(encoding="utf-8")
    for entry in re.split(r"\n(?=[^ #])", re.sub(r"^#.*\n", "", text)):
        line, *hashes = entry.strip().split("\\\n")
        assert all(re.fullmatch(r"\s*--hash=sha256:[0-9a-f]{64}\s*", one) for one in hashes), line
        requirement = Requirement(line)
        found.setdefault(canonicalize_name(requirement.name), []).append((requirement, len(hashes)))
    return found


def installed(name: str) -> importlib.metadata.Distribution | None:
    try:
        return importlib.metadata.distribution(name)
    except importlib.metadata.PackageNotFoundError:
        return None


def closure(roots: list[str] | tuple[str, ...], python: str) -> set[str]:
    """All that these requirements bring on this system under a Python, as far as it is installed here."""
    environment: Environment = default_environment()
    environment |= {"python_version": python, "python_full_version": f"{python}.0"}
    found: set[tuple[str, str]] = set()
    todo = [(Requirement(root), "") for root in roots]
    while todo:
        requirement, extra = todo.pop()
        if requirement.marker and not requirement.marker.evaluate(environment | {"extra": extra}):
            continue
        name = canonicalize_name(requirement.name)
        here = installed(name)
        for wanted in ("", *requirement.extras):
            if (name, wanted) in found:
                continue
            found.add((name, wanted))
            if name == DISTRIBUTION:
                lines = PROJECT["project"]["optional-dependencies"].get(wanted, []) if wanted else []
                todo += [(Requirement(line), "") for line in lines]
            elif here is not None:
                todo += [(Requirement(line), wanted) for line in here.requires or []]
    return {name for name, _ in found} - {DISTRIBUTION}


def missing(names: set[str], locks: list[str], python: str) -> list[str]:
    """What no line of these locks installs under a Python on this system."""
    environment = default_environment() | {"python_version": python, "python_full_version": f"{python}.0"}
    lines = [one for lock in locks for entries in locked(lock).values() for one in entries]
    there = {
        canonicalize_name(requirement.name)
        for requirement, _ in lines
        if not requirement.marker or requirement.marker.evaluate(environment)
    }
    return sorted(names - there)


def test_every_package_that_is_installed_here_is_pinned_to_what_is_installed() -> None:
    def is_ours(one: importlib.metadata.Distribution) -> bool:
        origin = json.loads(one.read_text("direct_url.json") or "{}")
        # An environment from before the package got its name holds it twice.
        return one.name in {DISTRIBUTION, FOREIGN} and origin.get("dir_info", {}).get("editable", False)

    here = {canonicalize_name(one.name): one.version for one in importlib.metadata.distributions() if not is_ours(one)}

    assert {name: version for name, version in here.items() if constraints().get(name) != version} == {}


def test_the_pins_are_exact_and_pin_nothing_of_ours() -> None:
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pins = [line for line in lines if line and not line.startswith("#")]

    assert [line for line in pins if not re.fullmatch(r"[a-z0-9._-]+==[0-9][\w.+!-]*( ; .+)?", line)] == []
    assert not any(line.startswith("deepresearch") for line in pins)


@pytest.mark.parametrize("name", sorted(file.stem for file in (ROOT / "locks").glob("*.txt")))
def test_a_lock_agrees_with_the_pins_and_each_line_has_hashes(name: str) -> None:
    for package, lines in locked(name).items():
        for requirement, hashes in lines:
            assert [one.operator for one in requirement.specifier] == ["=="]
            assert next(iter(requirement.specifier)).version == constraints()[package]
            assert hashes >= 1, package


@pytest.mark.parametrize("python", PYTHONS)
def test_the_lock_holds_all_that_the_program_needs_to_run(python: str) -> None:
    assert missing(closure(CORE, python), ["run"], python) == []


@pytest.mark.parametrize("python", PYTHONS)
@pytest.mark.parametrize("extra", EXTRAS)
def test_with_an_extras_lock_beside_it_the_extra_is_whole(extra: str, python: str) -> None:
    wanted = closure(PROJECT["project"]["optional-dependencies"][extra], python)

    assert missing(wanted, ["run", extra], python) == []


def test_what_builds_the_package_is_locked_too() -> None:
    names = {canonicalize_name(Requirement(line).name) for line in PROJECT["build-system"]["requires"]}

    assert missing(names, ["build"], "3.13") == []


def test_every_extra_has_its_lock_and_nothing_else_has() -> None:
    assert {file.stem for file in (ROOT / "locks").glob("*.txt")} == {"run", "build", *EXTRAS}
