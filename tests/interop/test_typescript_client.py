"""The TypeScript client: generated from the OpenAPI document, built, and run under Node against the real routes."""

import json
import shutil
import subprocess
from pathlib import Path

import anyio
import pytest

from deepresearch_mcp.http_app.rest.service import document
from foreign import missing
from rest_served import rest_address
from small_web import QUESTION

CLIENT = Path(__file__).parents[2] / "clients" / "typescript"

pytestmark = [pytest.mark.interop, pytest.mark.timeout(300)]


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The client, generated from the document of today and compiled."""
    if not shutil.which("npm"):
        missing("There is no npm.")
    home = tmp_path_factory.mktemp("typescript") / "client"
    shutil.copytree(CLIENT, home, ignore=shutil.ignore_patterns("node_modules", "dist", "schema.ts"))
    (home / "openapi.json").write_text(document(), encoding="utf-8")
    for command in (["npm", "ci", "--no-audit", "--no-fund"], ["npm", "run", "build"]):
        done = subprocess.run(command, cwd=home, capture_output=True, text=True, check=False, timeout=200)
        if done.returncode:
            pytest.fail(done.stdout + done.stderr)
    return home


async def test_a_run_is_started_followed_and_read_under_node(built: Path, tmp_path: Path) -> None:
    async with rest_address(tmp_path) as address:
        command = ["node", "ask.mjs", address, "token:1", QUESTION]
        done = await anyio.run_process(command, cwd=built, check=False)

    assert done.returncode == 0, done.stderr.decode()
    seen = json.loads(done.stdout)
    assert seen["status"] == "completed"
    assert "ice" in seen["report"].lower()
    assert seen["kinds"][-1] == "ended"
    assert "page_read" in seen["kinds"]
