"""`make check`, the Makefile's targets that texts name, and what runs before a commit."""

import importlib.util
import re
import subprocess
import sys
from functools import cache
from pathlib import Path
from types import ModuleType

import pytest

from deepresearch_mcp.cli.app import COMMANDS, GROUPS
from foreign import program

ROOT = Path(__file__).parents[1]
TARGETS = set(re.findall(r"^([a-z][\w.-]*):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))


@cache
def tool() -> ModuleType:
    found = importlib.util.spec_from_file_location("check_changed", ROOT / "tools" / "check.py")
    assert found is not None
    assert found.loader is not None
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    return module


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """A repository with a main branch of one commit."""
    folder = tmp_path / "clone"
    folder.mkdir()
    (folder / "kept.py").write_text("a = 1\n")
    (folder / "gone.py").write_text("b = 1\n")
    git(folder, "init", "--quiet", "--initial-branch=main")
    commit(folder)
    return folder


def git(folder: Path, *arguments: str) -> None:
    subprocess.run([program("git"), *arguments], cwd=folder, check=True, capture_output=True)


def commit(folder: Path) -> None:
    git(folder, "add", "--all")
    who = ("-c", "user.name=A", "-c", "user.email=a@example.org")
    git(folder, *who, "commit", "--quiet", "--no-verify", "-m", "x")


@pytest.mark.parametrize("text", ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", ".github/pull_request_template.md"])
def test_every_target_that_a_text_names_is_in_the_makefile(text: str) -> None:
    said = (ROOT / text).read_text(encoding="utf-8")
    code = [*re.findall(r"^```sh\n(.*?)^```$", said, re.DOTALL | re.MULTILINE), *re.findall(r"`(make [^`]+)`", said)]
    named = {target for part in code for target in re.findall(r"^make ([a-z][\w.-]*)", part, re.MULTILINE)}

    assert named
    assert named <= TARGETS


def test_every_target_that_help_names_is_there() -> None:
    said = (ROOT / "Makefile").read_text(encoding="utf-8").partition("help:")[2].partition("\nsetup:")[0]

    assert {"check", "test", "install"} <= set(re.findall(r"make ([a-z][\w.-]*) ", said)) <= TARGETS


@pytest.mark.parametrize(
    ("changed", "tests"),
    [
        ("src/deepresearch_mcp/web/fetching/guard.py", "tests/web/fetching/test_guard.py"),
        ("src/deepresearch_mcp/cli/clients/install.py", "tests/cli/clients/test_install.py"),
        ("src/deepresearch_mcp/sdk/local.py", "tests/sdk/test_local.py"),
        ("tests/web/fetching/test_guard.py", "tests/web/fetching/test_guard.py"),
        ("tools/install.py", "tests/test_user_install.py"),
        ("tools/check.py", "tests/test_check.py"),
        ("README.md", "tests/test_names.py"),
    ],
)
def test_a_changed_file_has_its_test_run(changed: str, tests: str) -> None:
    assert tool().modules_for([changed]) == ["tests/test_house.py", tests]


def test_a_file_without_a_test_of_its_name_has_the_rules_of_the_house_alone() -> None:
    assert tool().modules_for(["src/deepresearch_mcp/py.typed", "tests/nowhere/test_gone.py"]) == [
        "tests/test_house.py"
    ]


def test_every_test_that_it_names_is_there() -> None:
    named = [*tool().ALWAYS, *tool().ELSEWHERE, *tool().ELSEWHERE.values()]

    assert [file for file in named if not (ROOT / file).is_file()] == []


def test_on_a_branch_all_that_differs_from_the_main_branch_is_changed(clone: Path) -> None:
    git(clone, "switch", "--quiet", "-c", "mine")
    (clone / "committed.py").touch()
    (clone / "gone.py").unlink()
    commit(clone)
    (clone / "kept.py").write_text("a = 2\n")
    (clone / "new.py").touch()

    assert tool().changed(clone) == ["committed.py", "kept.py", "new.py"]


def test_on_the_main_branch_the_work_in_hand_is_changed_or_else_the_last_commit(clone: Path) -> None:
    (clone / "kept.py").write_text("a = 2\n")
    assert tool().changed(clone) == ["kept.py"]

    commit(clone)
    (clone / "new.py").touch()
    assert tool().changed(clone) == ["new.py"]

    (clone / "new.py").unlink()
    assert tool().changed(clone) == ["kept.py"]


def test_a_program_that_takes_too_long_is_stopped_and_told_of(capfd: pytest.CaptureFixture[str]) -> None:
    # With a child of its own, as pyright has one.
    child = "import sys, time; time.sleep(60); print('it went on')"
    slow = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {child!r}])"

    assert tool().run("a slow thing", [sys.executable, "-c", slow], 0.0) == 0
    said = capfd.readouterr().out
    assert "Not finished after 0 s: a slow thing" in said
    assert "it went on" not in said
    assert tool().run("a failure", [sys.executable, "-c", "raise SystemExit(3)"], float("inf")) == 3


def test_what_runs_before_a_commit_is_the_projects_own_tools() -> None:
    said = (ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8")

    assert re.findall(r"repo: (\S+)", said) == ["local"]
    tools = re.findall(r"entry: \.venv/bin/(\w+)", said)
    assert tools == ["ruff", "ruff", "pyright"]
    assert [name for name in tools if not (Path(sys.executable).parent / name).exists()] == []


def test_a_vulnerability_is_reported_through_the_host_and_to_no_address() -> None:
    said = (ROOT / "SECURITY.md").read_text(encoding="utf-8")

    assert "Report a vulnerability" in said
    assert re.findall(r"\S+@\S+|https?://\S+", said) == []


PAGES = ["CONTRIBUTING.md", "docs/architecture.md", "docs/recipes.md"]
PLACES = ("", "src/deepresearch_mcp/", "src/deepresearch_mcp/pipeline/", "src/deepresearch_mcp/thinkers/")
"""Folders that a path in a page may start from; architecture.md names some modules without their room."""
MADE = {
    "prompts/NAME.md",
    "dist/",
    "dist/server.json",
    "search/engines/NAME.py",
    "search/data_sources/NAME.py",
    "evals/NAME.py",
}
"""Paths of files that a reader makes."""


def named_in(page: str) -> list[str]:
    return re.findall(r"`([^`\n]+)`", (ROOT / page).read_text(encoding="utf-8"))


@pytest.mark.parametrize("page", PAGES)
def test_every_path_that_a_page_names_is_there(page: str) -> None:
    paths = [name for name in named_in(page) if re.fullmatch(r"[\w.-]+/[\w./-]*|\w+\.(py|md|toml|txt)", name)]

    def exists(path: str) -> bool:
        return any((ROOT / f"{place}{path}{end}").exists() for place in PLACES for end in ("", ".py"))

    assert [path for path in paths if path not in MADE and not exists(path)] == []


def test_every_function_that_the_architecture_names_is_defined_there() -> None:
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    named = re.findall(r"`(\w+)` in `([\w/]+\.py)`", page)
    package = ROOT / "src" / "deepresearch_mcp"
    missing = [
        (name, file)
        for name, file in named
        if not re.search(rf"\b(?:def|class) {name}\b", (package / file).read_text(encoding="utf-8"))
    ]

    assert len(named) > 10
    assert missing == []


@pytest.mark.parametrize("page", PAGES[:2])
def test_every_room_that_a_page_lists_is_there(page: str) -> None:
    rows = re.findall(r"^\| [\d–]+ \|.*$", (ROOT / page).read_text(encoding="utf-8"), re.MULTILINE)
    named = [name for row in rows for name in re.findall(r"`([a-z_]+)/?`", row)]
    package = ROOT / "src" / "deepresearch_mcp"
    within = [package, package / "pipeline", package / "thinkers"]

    assert named
    assert [
        name
        for name in named
        if not any((folder / name).is_dir() or (folder / f"{name}.py").is_file() for folder in within)
    ] == []


@pytest.mark.parametrize("page", PAGES)
def test_every_command_that_a_page_names_is_one_of_ours(page: str) -> None:
    said = (ROOT / page).read_text(encoding="utf-8")
    called = re.findall(r"\bdeepresearch-(?:server|mcp) ([a-z]+)(?: ([a-z]+))?", said)

    assert [
        (name, member)
        for name, member in called
        if name not in COMMANDS and (name not in GROUPS or (member and member not in GROUPS[name][1]))
    ] == []
