"""The image's steps by hand, where no container engine is to be had: build stage, server, health check."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from foreign import missing
from served import bare_env
from test_dockerfile import copied, health, steps

pytestmark = [
    pytest.mark.interop,
    pytest.mark.timeout(400),
    # The gate has forty minutes, and this installs all that the image holds anew.
    pytest.mark.skipif(
        "DEEPRESEARCH_TEST_IMAGE" not in os.environ, reason="takes two minutes; DEEPRESEARCH_TEST_IMAGE=1 runs it"
    ),
]

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def image(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The environment that the image holds, made by the Dockerfile's own commands."""
    place = tmp_path_factory.mktemp("image")
    source, opt = place / "source", place / "opt"
    for name in copied():
        there = source / name
        there.parent.mkdir(parents=True, exist_ok=True)
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, there, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(ROOT / name, there)
    # The image's own Python, which the build installs its tools into.
    subprocess.run([sys.executable, "-m", "venv", place / "python"], check=True)
    env = {name: value for name, value in os.environ.items() if not name.startswith(("PIP_C", "PYTHONPATH"))}
    env["PATH"] = f"{place / 'python' / 'bin'}{os.pathsep}{env['PATH']}"
    for name, command in steps():
        if name == "RUN" and "useradd" not in command:
            told = command.replace("/opt/deepresearch", str(opt))
            done = subprocess.run(told, shell=True, cwd=source, env=env, capture_output=True, text=True, check=False)
            if done.returncode:
                missing(f"{told}: {done.stderr[-800:]}")
    return opt


def test_what_the_image_holds_serves_and_is_found_healthy(image: Path, tmp_path: Path) -> None:
    command = [str(image / "bin" / "deepresearch-server"), "serve", "--http", "--port", "0"]
    env = {name: value for name, value in bare_env(tmp_path).items() if name != "PYTHONPATH"}
    with subprocess.Popen(command, env=env, cwd=tmp_path, stderr=subprocess.PIPE, text=True) as server:
        assert server.stderr
        found = re.search(r":(\d+)/mcp", server.stderr.readline())
        assert found
        asked = ["deepresearch-server", "serve", "--http", f"--port={found[1]}"]
        assert health().healthy(asked)
        server.terminate()
        server.communicate(timeout=60)
    assert not health().healthy(asked)


def test_the_extras_of_the_image_are_in_it(image: Path) -> None:
    wanted = "import psycopg, procrastinate, pypdfium2, opentelemetry.sdk, typst"
    done = subprocess.run([image / "bin" / "python", "-c", wanted], capture_output=True, text=True, check=False)

    assert done.returncode == 0, done.stderr
