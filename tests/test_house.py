"""The rules of the house that no type checker knows, read from the source itself."""

import ast
import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "deepresearch_mcp"
FILES = sorted(PACKAGE.rglob("*.py"))

ROOMS = {
    "exceptions": 0,
    "settings": 0,
    "records": 0,
    "text": 0,
    "version": 0,
    "ports": 1,
    "events": 1,
    "breaker": 2,
    "budget": 2,
    "lapses": 2,
    "telemetry": 2,
    "prompts": 2,
    "quality": 2,
    "system_clock": 2,
    "llm": 3,
    "search": 3,
    "web": 3,
    "store": 3,
    "thinkers": 4,
    "pipeline": 5,
    "runtime": 6,
    "jobs": 7,
    "sdk": 8,
    "mcp_server": 8,
    "http_app": 9,
    "evals": 9,
    "cli": 10,
    "": 11,  # The root: its __init__ and __main__.
}
"""A room imports rooms with a lower number, and itself."""

ONE_ROOM = {
    "setting_bounds": "settings",
    "setting_files": "settings",
    "setting_keyring": "settings",
    "setting_values": "settings",
    "__main__": "",
    "allowance": "budget",
    "thinking": "runtime",
}
"""Files beside a room's main one."""

LONG = {
    "events.py": "the one vocabulary of what happens, and the one reading of it",
    "pipeline/run.py": "the order of the stages and the rounds, which are read together",
    "pipeline/strand.py": "the whole way of one sub-question, which is read together",
    "runtime.py": "the one place that knows every concrete part",
    "text/reading_words.py": "words by notion in sixty languages, which are data",
    "settings.py": "every knob in one place, with the one reader of the environment",
}
"""Files of more than 300 lines, and why."""

WITHOUT_TWIN = {"__init__", "__main__", "version"}
"""Modules that need no test of their own name; the ports share one."""

# Put together here, so that this file does not hold what it looks for.
INDEX_HOSTS = tuple(".".join(parts) for parts in (("pypi", "org"), ("pythonhosted", "org"), ("npmjs", "org")))


def module_of(file: Path) -> str:
    """`web.guard`; the root's `__init__` is the empty name."""
    parts = file.relative_to(PACKAGE).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def room_of(module: str) -> str:
    first = module.partition(".")[0]
    return ONE_ROOM.get(first, first)


@cache
def tree_of(file: Path) -> ast.Module:
    return ast.parse(file.read_text(encoding="utf-8"), str(file))


@cache
def imports_of(file: Path) -> dict[str, int]:
    """Modules of ours that a file imports, anywhere in it → the line."""
    modules = {module_of(one) for one in FILES}
    found: dict[str, int] = {}
    for node in ast.walk(tree_of(file)):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        for name in names:
            package, _, inside = name.partition(".")
            if package != "deepresearch_mcp":
                continue
            # `from a.b import c`: c is a module, or something in a.b.
            while inside not in modules and "." in inside:
                inside = inside.rpartition(".")[0]
            found.setdefault(inside if inside in modules else "", getattr(node, "lineno", 0))
    return found


def where(file: Path, node: ast.AST) -> str:
    return f"{file.relative_to(PACKAGE)}:{getattr(node, 'lineno', 0)}"


def dotted(node: ast.AST) -> str:
    """`a.b.c` of such an expression; else nothing."""
    if isinstance(node, ast.Attribute):
        return f"{before}.{node.attr}" if (before := dotted(node.value)) else ""
    return node.id if isinstance(node, ast.Name) else ""


def named(file: Path) -> Iterator[tuple[str, ast.AST]]:
    """Every dotted name used in a file, those it imports from elsewhere written out."""
    for node in ast.walk(tree_of(file)):
        if isinstance(node, ast.Attribute | ast.Name):
            yield dotted(node), node
        elif isinstance(node, ast.ImportFrom):
            for alias in node.names:
                yield f"{node.module}.{alias.name}", node


def uses(forbidden: set[str], *, but: tuple[str, ...] = ()) -> list[str]:
    return [
        f"{where(file, node)} {name}"
        for file in FILES
        if not file.relative_to(PACKAGE).as_posix().startswith(but)
        for name, node in named(file)
        if name in forbidden
    ]


def test_every_module_stands_in_a_room() -> None:
    assert {room_of(module_of(file)) for file in FILES} <= ROOMS.keys()


def test_imports_point_down_only() -> None:
    wrong = [
        f"{file.relative_to(PACKAGE)}:{line} imports {imported or 'the root'}"
        for file in FILES
        for imported, line in imports_of(file).items()
        if (room := room_of(module_of(file))) != (other := room_of(imported)) and ROOMS[other] >= ROOMS[room]
    ]

    assert wrong == []


def test_no_modules_import_each_other_in_a_circle() -> None:
    graph = {module_of(file): imports_of(file).keys() for file in FILES}

    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail(" → ".join(error.args[1]))


def test_imports_are_absolute() -> None:
    assert [
        where(file, node)
        for file in FILES
        for node in ast.walk(tree_of(file))
        if isinstance(node, ast.ImportFrom) and node.level
    ] == []


def test_inner_packages_hold_nothing_at_their_door() -> None:
    inner = [file for file in FILES if file.name == "__init__.py" and file.parent != PACKAGE]

    assert [str(file.relative_to(PACKAGE)) for file in inner if file.read_text(encoding="utf-8").strip()] == []


def test_the_root_offers_few_names_and_all_of_them_exist() -> None:
    import deepresearch_mcp

    assert 0 < len(deepresearch_mcp.__all__) <= 22
    assert [name for name in deepresearch_mcp.__all__ if not hasattr(deepresearch_mcp, name)] == []


def test_no_file_is_long_without_a_reason_and_none_is_very_long() -> None:
    lengths = {
        file.relative_to(PACKAGE).as_posix(): len(file.read_text(encoding="utf-8").splitlines()) for file in FILES
    }

    assert {name: length for name, length in lengths.items() if length > 500} == {}
    assert {name for name, length in lengths.items() if length > 300} - LONG.keys() == set()
    assert LONG.keys() <= lengths.keys()


def test_only_the_settings_read_the_environment() -> None:
    names = {"os.environ", "os.environb", "os.getenv", "os.getenvb", "os.putenv", "os.unsetenv"}

    assert uses(names, but=("settings.py",)) == []


def test_only_the_command_line_prints() -> None:
    assert uses({"print"}, but=("cli/", "__main__.py")) == []


def test_every_task_has_an_owner() -> None:
    names = {"create_task", "gather", "ensure_future", "run_coroutine_threadsafe", "TaskGroup", "wait", "wait_for"}

    assert uses({f"asyncio.{name}" for name in names}) == []


def test_time_comes_from_the_clock_port() -> None:
    names = {"time.time", "time.time_ns", "time.monotonic", "time.monotonic_ns", "time.sleep"}
    names |= {"asyncio.sleep", "anyio.sleep", "anyio.sleep_until", "anyio.current_time"}
    names |= {f"{module}{name}" for module in ("", "datetime.") for name in ("datetime.now", "datetime.utcnow")}
    names |= {"datetime.today", "date.today", "datetime.date.today", "datetime.datetime.today"}

    assert uses(names, but=("system_clock.py",)) == []


def test_every_module_has_a_test_of_its_name() -> None:
    tests = ROOT / "tests"
    expected = {
        file.relative_to(PACKAGE).with_name(f"test_{file.name}").as_posix()
        for file in FILES
        if file.stem not in WITHOUT_TWIN and room_of(module_of(file)) != "ports"
    }

    assert sorted(name for name in expected if not (tests / name).is_file()) == []


def test_rules_are_switched_off_only_with_a_reason() -> None:
    bare = re.compile(r"#\s*(type: ignore|pragma: no cover|noqa|pyright: ignore)(:\s*[A-Z0-9, ]+|\[[\w, ]+\])?\s*$")

    assert [
        f"{file.relative_to(ROOT)}:{number}"
        for folder in (PACKAGE, ROOT / "tests")
        for file in sorted(folder.rglob("*.py"))
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1)
        if bare.search(line)
    ] == []


@cache
def kept_files() -> tuple[Path, ...]:
    """Files that git keeps, or would."""
    if not (ROOT / ".git").exists() or not shutil.which("git"):
        pytest.skip("no git checkout")
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return tuple(ROOT / name for name in listed.split("\0") if name and (ROOT / name).is_file())


def texts() -> Iterator[tuple[str, str]]:
    for file in kept_files():
        try:
            yield str(file.relative_to(ROOT)), file.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue  # An image or the like.


def test_no_file_names_a_place_on_somebodys_machine() -> None:
    places = [f"{place}/" for place in {ROOT, ROOT.parent, Path.home()} if len(place.parts) > 2]
    places += [f"{Path.home()}/"] if len(Path.home().parts) == 2 else []

    assert [(name, place) for name, text in texts() for place in places if place in text] == []


def test_no_file_names_a_package_index() -> None:
    assert [(name, host) for name, text in texts() for host in INDEX_HOSTS if host in text] == []


def test_the_pins_are_exact_and_pin_nothing_of_ours() -> None:
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pins = [line for line in lines if line and not line.startswith("#")]

    assert [line for line in pins if not re.fullmatch(r"[a-z0-9._-]+==[0-9][\w.+!-]*( ; .+)?", line)] == []
    assert not any(line.startswith("deepresearch") for line in pins)


def test_the_registry_is_told_what_the_package_is() -> None:
    from deepresearch_mcp.settings import VENDOR_NAMES
    from deepresearch_mcp.version import __version__

    server = json.loads((ROOT / "server.json").read_text(encoding="utf-8"))
    [package] = server["packages"]

    assert server["version"] == package["version"] == __version__
    assert len(server["description"]) <= 100
    assert f"mcp-name: {server['name']}" in (ROOT / "README.md").read_text(encoding="utf-8")
    known = {name for names in VENDOR_NAMES.values() for name in names}
    known |= {"DEEPRESEARCH_HOME", "DEEPRESEARCH_MODEL__USE"}
    assert {variable["name"] for variable in package["environmentVariables"]} <= known
    assert not any(variable.get("isRequired") for variable in package["environmentVariables"])
