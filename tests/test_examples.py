"""The examples run as they stand, on the demo's small web; those for agents' frameworks run in `interop/`."""

import ast
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from anyio.from_thread import start_blocking_portal

from deepresearch_mcp.cli.demo.server import serve_site
from deepresearch_mcp.cli.demo.site import build
from deepresearch_mcp.system_clock import SystemClock
from served import serving

EXAMPLES = Path(__file__).parents[1] / "examples"
QUESTION = "What does a finally clause do?"
OTHER = "What does the global statement do?"
ASKED = {"report.py": [QUESTION], "evidence.py": [QUESTION], "several.py": [QUESTION, OTHER]}
HERE = {"plain_http.py", "morning_briefing.sh", "notebook.ipynb"}
OF_FRAMEWORKS = {"langchain_agent.py", "openai_agents_agent.py", "pydantic_ai_agent.py"}


@pytest.fixture(scope="module")
def base():
    with (
        start_blocking_portal("asyncio") as portal,
        portal.wrap_async_context_manager(serve_site(build(QUESTION), SystemClock())) as address,
    ):
        yield address


@pytest.fixture
def env(base: str, child_env: dict[str, str]) -> dict[str, str]:
    return child_env | {
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{child_env['PATH']}",
        "SEARXNG_URL": base,
        "DEEPRESEARCH_WEB__ALLOW_PRIVATE": base.removeprefix("http://"),
        "DEEPRESEARCH_RESEARCH__PATIENCE": "0.5",
        "DEEPRESEARCH_WEB__HOST_BURST": "100",
    }


def ran(command: list[str], env: dict[str, str], folder: Path) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(command, env=env, cwd=folder, capture_output=True, text=True, timeout=100, check=False)
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    return done


def test_every_example_is_run() -> None:
    assert {file.name for file in EXAMPLES.iterdir() if file.is_file()} == ASKED.keys() | HERE | OF_FRAMEWORKS
    interop = (Path(__file__).parent / "interop" / "test_agent_examples.py").read_text(encoding="utf-8")
    assert all(f'"{name}"' in interop for name in OF_FRAMEWORKS)


@pytest.mark.parametrize("name", sorted(ASKED))
def test_an_example_does_what_it_says(name: str, env: dict[str, str], tmp_path: Path) -> None:
    done = ran([sys.executable, str(EXAMPLES / name), *ASKED[name]], env, tmp_path)

    if name == "report.py":
        assert (tmp_path / "report.md").read_text(encoding="utf-8").startswith(f"# {QUESTION}")
        assert "finally" in done.stdout
    elif name == "evidence.py":
        assert "supported, checked by machine" in done.stdout
        assert "not read: " in done.stdout
    else:
        assert done.stdout.count("completed: ") == 2


def test_the_example_over_plain_http_needs_four_requests_and_no_package(env: dict[str, str], tmp_path: Path) -> None:
    with serving(env) as mcp:
        server = env | {"DEEPRESEARCH_SERVER": mcp.removesuffix("/mcp")}
        done = ran([sys.executable, "-S", str(EXAMPLES / "plain_http.py"), QUESTION], server, tmp_path)

    assert done.stdout.startswith(f"# {QUESTION}")
    assert (tmp_path / "report.docx").read_bytes().startswith(b"PK")


def test_the_briefing_of_a_cron_job_is_a_word_document_of_the_day(env: dict[str, str], tmp_path: Path) -> None:
    done = ran([str(EXAMPLES / "morning_briefing.sh"), QUESTION, str(tmp_path / "briefings")], env, tmp_path)

    [file] = (tmp_path / "briefings").iterdir()
    assert done.stdout == f"{file}\n"
    assert file.read_bytes().startswith(b"PK")


@pytest.mark.parametrize(("ends", "code"), [(1, 1), (2, 2), (3, 0)])
def test_a_cron_job_fails_only_where_there_is_no_briefing(
    ends: int, code: int, child_env: dict[str, str], tmp_path: Path
) -> None:
    ours = tmp_path / "deepresearch-server"
    ours.write_text(f"#!/bin/sh\nexit {ends}\n")
    ours.chmod(0o700)
    command = [str(EXAMPLES / "morning_briefing.sh"), QUESTION, str(tmp_path)]

    done = subprocess.run(
        command, env=child_env | {"PATH": f"{tmp_path}:/usr/bin:/bin"}, capture_output=True, check=False
    )

    assert (done.returncode, bool(done.stdout)) == (code, code == 0)


CELLS = """
import ast, asyncio, inspect, json, sys
names = {"__name__": "__main__"}
for cell in json.load(open(sys.argv[1], encoding="utf-8"))["cells"]:
    if cell["cell_type"] == "code":
        code = compile("".join(cell["source"]), "cell", "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
        found = eval(code, names)
        if inspect.iscoroutine(found):
            asyncio.run(found)
"""
"""Runs the cells one after another, as a kernel does: a cell may await."""


def test_the_cells_of_the_notebook_run_in_their_order(env: dict[str, str], tmp_path: Path) -> None:
    done = ran([sys.executable, "-c", CELLS, str(EXAMPLES / "notebook.ipynb")], env, tmp_path)

    assert done.stdout.startswith(f"# {QUESTION}")
    assert "supported: " in done.stdout
    assert "round 1: " in done.stdout
    assert {file.name for file in tmp_path.iterdir()} >= {"report.docx", "sources.bib", "report.json"}


def test_the_notebook_is_kept_without_outputs() -> None:
    book = json.loads((EXAMPLES / "notebook.ipynb").read_text(encoding="utf-8"))

    code = [cell for cell in book["cells"] if cell["cell_type"] == "code"]
    assert all((cell["outputs"], cell["execution_count"]) == ([], None) for cell in code)
    for cell in code:
        ast.parse("".join(cell["source"]))
