"""The examples run as they stand, on the demo's small web."""

import subprocess
import sys
from pathlib import Path

import pytest
from anyio.from_thread import start_blocking_portal

from deepresearch_mcp.cli.demo.server import serve_site
from deepresearch_mcp.cli.demo.site import build
from deepresearch_mcp.system_clock import SystemClock

EXAMPLES = Path(__file__).parents[1] / "examples"
QUESTION = "What does a finally clause do?"
OTHER = "What does the global statement do?"
ASKED = {"report.py": [QUESTION], "evidence.py": [QUESTION], "several.py": [QUESTION, OTHER]}


@pytest.fixture(scope="module")
def base():
    with (
        start_blocking_portal("asyncio") as portal,
        portal.wrap_async_context_manager(serve_site(build(QUESTION), SystemClock())) as address,
    ):
        yield address


def test_every_example_is_run() -> None:
    assert {file.name for file in EXAMPLES.glob("*.py")} == ASKED.keys()


@pytest.mark.parametrize("name", sorted(ASKED))
def test_an_example_does_what_it_says(name: str, base: str, child_env: dict[str, str], tmp_path: Path) -> None:
    env = child_env | {
        "SEARXNG_URL": base,
        "DEEPRESEARCH_WEB__ALLOW_PRIVATE": base.removeprefix("http://"),
        "DEEPRESEARCH_RESEARCH__PATIENCE": "0.5",
        "DEEPRESEARCH_WEB__HOST_BURST": "100",
    }

    done = subprocess.run(
        [sys.executable, str(EXAMPLES / name), *ASKED[name]],
        env=env,
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )

    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    if name == "report.py":
        assert (tmp_path / "report.md").read_text(encoding="utf-8").startswith(f"# {QUESTION}")
        assert "finally" in done.stdout
    elif name == "evidence.py":
        assert "supported, checked by machine" in done.stdout
        assert "not read: " in done.stdout
    else:
        assert done.stdout.count("completed: ") == 2
