"""An answered run goes on where there is a server for it; here only where there is none (see also test_consent.py)."""

import json
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from deepresearch_mcp.records.run import Run

QUESTION = "Why does ice float on water?"
LOCAL = ("--no-web", "--model", "extractive")

SERVER = """
import anyio
from deepresearch_mcp.jobs.jobs import open_jobs
from deepresearch_mcp.runtime import load_settings, open_runtime

async def main():
    async with open_runtime(load_settings(walk_env_file=True).settings) as runtime:
        async with open_jobs(runtime, adopting=True):
            print("ready", flush=True)
            await anyio.sleep_forever()

anyio.run(main)
"""

KILLED = """
import sys
import anyio
from deepresearch_mcp import DeepResearch

async def main():
    async with DeepResearch(**{"model.use": "extractive"}) as research:
        run = await research.research(sys.argv[1], collections=["ice"], web=False, approve_plan=True)
        print(run.model_dump_json(), flush=True)
        await anyio.sleep_forever()

anyio.run(main)
"""


def started(code: str, *arguments: str) -> tuple[subprocess.Popen[str], str]:
    """A process and its first line."""
    command = [sys.executable, "-c", textwrap.dedent(code), *arguments]
    child = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert child.stdout
    return child, child.stdout.readline()


def killed(child: subprocess.Popen[str]) -> None:
    child.kill()
    child.communicate()


def test_a_run_whose_server_is_killed_while_it_waits_goes_on_when_another_process_is_answered(cli, folder):
    cli("library", "add", str(folder), "--name", "ice")
    child, line = started(KILLED, QUESTION)
    killed(child)
    run = Run.model_validate_json(line)

    listed = cli("runs", "list", "--json").json["runs"]
    done = cli("runs", "answer", run.run_id, "--approve", "--json")

    assert run.status == "input_required"
    assert [(one["run_id"], one["status"]) for one in listed] == [(run.run_id, "input_required")]
    assert (done.code, done.json["status"], done.json["run_id"]) == (0, "completed", run.run_id)
    assert done.json["quotes"]["located"] == done.json["quotes"]["total"] > 0


@pytest.mark.parametrize("arguments", [(), ("--no-wait",)])
def test_a_server_that_is_running_takes_the_answered_run_up(cli, folder, home: Path, arguments: tuple[str, ...]):
    said = cli("research", QUESTION, "--library", str(folder), *LOCAL, "--approve-plan", "--json")
    child, line = started(SERVER)
    try:
        assert line == "ready\n"
        answered = cli("runs", "answer", said.json["run_id"], "--approve", *arguments, "--json")
        while cli("runs", "show", said.json["run_id"], "--json").json["status"] in {"queued", "running"}:
            pass
    finally:
        killed(child)

    assert answered.code == 0, answered.err
    run = Run.model_validate(cli("runs", "show", said.json["run_id"], "--json").json)
    assert run.status == "completed"
    if not arguments:
        assert json.loads((Path(run.path) / "report.json").read_text(encoding="utf-8")) == answered.json
