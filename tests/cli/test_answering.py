"""An answered run goes on where there is a server for it; here only where there is none (see also test_consent.py)."""

import json
import re
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from deepresearch_mcp.records.run import Run
from thinking import Mind

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


def test_anyone_who_has_a_shell_may_be_the_model(cli, folder, tmp_path):
    mind, file, rounds = Mind(), tmp_path / "work.json", 0
    said = cli("research", QUESTION, "--library", str(folder), "--no-web", "--model", "client", "--effort", "quick")
    assert said.code == 4
    assert "# Task: plan (packet 1.1)" in said.err
    run_id = re.search(r"runs answer (\w+) --work FILE", said.err).group(1)
    shown = cli("runs", "show", run_id, "--json")

    while (run := Run.model_validate_json(shown.out)).waiting:
        rounds += 1
        file.write_text(json.dumps({one.packet_id: mind.answer(one) for one in run.waiting.open}), encoding="utf-8")
        shown = cli("runs", "answer", run_id, "--work", str(file), "--json")

    assert (run.status, shown.code) == ("completed", 0)
    assert 2 < rounds <= 8


def test_a_run_that_is_declined_between_two_rounds_names_what_it_found(cli, folder, tmp_path):
    file = tmp_path / "work.json"
    said = cli("research", QUESTION, "--library", str(folder), "--no-web", "--model", "client", "--effort", "quick")
    run_id = re.search(r"runs answer (\w+) --work FILE", said.err).group(1)
    [*packets] = Run.model_validate_json(cli("runs", "show", run_id, "--json").out).waiting.open
    file.write_text(json.dumps({one.packet_id: Mind().answer(one) for one in packets}), encoding="utf-8")
    cli("runs", "answer", run_id, "--work", str(file))

    declined = cli("runs", "answer", run_id, "--decline")

    assert declined.code == 0
    assert f"report {run_id}" in declined.err
    assert cli("report", run_id).out.startswith("Cancelled before it was done: ")


@pytest.mark.parametrize(
    ("text", "options", "complaint"),
    [
        (None, (), "cannot be read (FileNotFoundError)"),
        ("{", (), "cannot be read (JSONDecodeError)"),
        ("[]", (), "does not hold a JSON object"),
        ("{}", ("--note", "?"), "--work is given by itself"),
        ("{}", (), "There is no run"),
    ],
)
def test_work_that_cannot_be_handed_in_is_refused_in_a_sentence(cli, tmp_path, text, options, complaint):
    file = tmp_path / "work.json"
    if text is not None:
        file.write_text(text, encoding="utf-8")

    said = cli("runs", "answer", "none", "--work", str(file), *options)

    assert said.code == 2
    assert complaint in said.err
