import signal
import subprocess
import sys

import pytest

from deepresearch_mcp.cli.runs import _show
from deepresearch_mcp.records.assessment import RunAssessment
from deepresearch_mcp.records.run import Run

HOLDER = """
import sys, anyio
from pathlib import Path
from deepresearch_mcp.jobs.asking import checked_request
from deepresearch_mcp.store.sqlite import open_sqlite_store
from deepresearch_mcp.system_clock import SystemClock

async def main():
    async with open_sqlite_store(Path(sys.argv[1]), SystemClock()) as store:
        await store.runs.create("r1", "local", checked_request({"question": "Why?"}), "f", 1.0)
        for name in ("q1", "q2"):
            await store.runs.create(name, "local", checked_request({"question": "What?"}), name, 2.0, queued=True)
        print("made", flush=True)
        await anyio.sleep_forever()

anyio.run(main)
"""
"""Another process with a run of its own, which it never ends, and two that nobody has begun."""


@pytest.fixture
def holder(home):
    with subprocess.Popen([sys.executable, "-c", HOLDER, str(home)], stdout=subprocess.PIPE) as process:
        assert process.stdout.readline() == b"made\n"
        yield process
        process.kill()


def test_names_of_runs_are_listed_without_what_a_terminal_obeys(cli, home):
    code = HOLDER.replace("Why?", "The \\u202ered house").replace("await anyio.sleep_forever()", "pass")
    subprocess.run([sys.executable, "-c", code, str(home)], check=True)
    listed, shown = cli("runs", "list"), cli("runs", "show", "r1")

    assert "house" in listed.out
    assert "\u202e" not in listed.out + shown.out


def test_a_run_of_a_living_process_is_running_and_has_no_report_yet(cli, holder):
    said = cli("report", "r1")

    assert said.code == 2
    assert "The run is running" in said.err
    assert cli("runs", "show", "r1", "--json").json["status"] == "running"
    assert "running" in cli("runs", "show", "r1").out


def test_a_run_whose_process_died_is_interrupted_and_can_be_cancelled(cli, holder):
    holder.send_signal(signal.SIGKILL)
    holder.wait()

    said = cli("report", "r1")
    cancelled = cli("runs", "cancel", "r1")

    assert "The run is interrupted" in said.err
    assert "runs resume r1" in said.err
    assert "The run is cancelled." in cancelled.err
    assert cli("report", "r1", "--json").error["message"].startswith("The run is cancelled and no report was written")


def test_runs_are_listed_newest_first(after_demo, shown):
    object_ = after_demo("runs", "list", "--json").json
    said = after_demo("runs", "list")

    [line] = [line for line in object_["runs"] if line["run_id"] == shown.run["run_id"]]
    assert line["status"] == "completed"
    assert line["created"].endswith("Z")
    assert shown.run["run_id"] in said.out
    assert "completed · " in said.out


def test_a_list_can_be_narrowed(after_demo):
    assert after_demo("runs", "list", "--status", "failed", "--json").json == {"runs": []}
    assert "No run matches" in after_demo("runs", "list", "--query", "zebra").err
    assert len(after_demo("runs", "list", "--status", "completed", "--limit", "1", "--json").json["runs"]) == 1


def test_without_runs_the_list_says_so(cli):
    assert "No run yet" in cli("runs", "list").err


def test_a_run_is_shown_in_figures_or_whole(after_demo, shown):
    run_id = shown.run["run_id"]

    said = after_demo("runs", "show", run_id)

    assert "completed" in said.out
    assert shown.run["path"] in said.out
    assert f" report {run_id}" in said.out
    told = after_demo("runs", "show", run_id, "--json").json
    # Another test rates it.
    assert {name: value for name, value in told.items() if name != "rating"} == shown.run


def test_cancelling_what_has_ended_changes_nothing(after_demo, shown):
    run_id = shown.run["run_id"]

    assert "ended earlier: it is completed" in after_demo("runs", "cancel", run_id).err
    assert after_demo("runs", "cancel", run_id, "--json").json["status"] == "completed"


def test_an_unknown_run_is_bad_input_for_every_command(cli):
    for command in (("runs", "show"), ("runs", "cancel"), ("report",)):
        said = cli(*command, "nothing", "--json")
        assert said.code == 2
        assert said.error["name"] == "UNKNOWN_RUN"


def test_a_complete_run_is_not_gone_on_with(after_demo, shown):
    complete = after_demo("runs", "resume", shown.run["run_id"])

    assert complete.code == 2
    assert "is complete, so there is nothing to resume" in complete.err


def test_a_run_whose_process_died_is_gone_on_with(cli, holder):
    holder.send_signal(signal.SIGKILL)
    holder.wait()

    resumed = cli("runs", "resume", "r1", "--max-minutes", "0.05", "--max-searches", "0", "--quiet", "--json")
    wrong = cli("runs", "resume", "r1", "--max-usd", "-1")

    assert resumed.json["run_id"] == "r1"
    assert resumed.json["status"] in {"partial", "failed"}
    assert wrong.code == 2
    assert "max_usd" in wrong.err


def test_runs_in_the_queue_say_their_place_and_can_be_cancelled_and_deleted_there(cli, holder):
    listed = cli("runs", "list", "--status", "queued")
    shown = cli("runs", "show", "q2")

    assert "queued: 1st of 2; 1 run is at work" in listed.out
    assert "queued: 2nd of 2; 1 run is at work" in shown.out
    assert "runs resume q2" in shown.out
    assert cli("runs", "list", "--status", "queued", "--json").json["runs"][0]["progress"].startswith("queued: 2nd")
    assert "cancelled" in cli("runs", "cancel", "q1").err
    assert cli("runs", "delete", "q1", "--yes").code == 0
    assert "queued: 1st of 1" in cli("runs", "show", "q2").out


def test_why_a_run_made_no_further_round_is_shown(capsys):
    why = "Stopped after round 1 of 3: the evidence is sufficient (sufficiency 8 of 10)."
    run = Run(run_id="r", status="completed", stage="ended", question="Why?", assessment=RunAssessment(ended=why))

    _show(run, "completed")

    assert any(line.split(maxsplit=1) == ["Rounds", why] for line in capsys.readouterr().out.splitlines())
