import os
import re
import signal
import subprocess
import sys
import time

from deepresearch_mcp.cli.demo.demo import located_quotes, pointed
from deepresearch_mcp.records.run import Run

COMMAND = [sys.executable, "-m", "deepresearch_mcp"]


class Snapshots:
    """Documents of which every text is the same."""

    async def text(self, snapshot):
        return None if snapshot == "gone" else "Ice floats."


def test_the_demo_answers_from_several_pages_with_quotes_that_stand_in_their_snapshots(shown):
    run = shown.run

    assert shown.said.code == 0
    assert run["status"] == "completed"
    assert len(run["citations"]) >= 5
    assert len({citation["url"] for citation in run["citations"]}) >= 3
    assert run["quotes"]["located"] == run["quotes"]["total"] == len(run["citations"])
    assert f"quotes verified: {len(run['citations'])}/{len(run['citations'])}" in shown.said.err


def test_the_demo_shows_what_was_refused_and_why(shown):
    reasons = {page["reason"] for page in shown.run["unread"]}

    # On a busy machine the slow page is waited for until it times out.
    assert {"slow" if reason == "timed_out" else reason for reason in reasons} == {"robots", "not_found", "slow"}
    assert "robots.txt does not allow" in shown.said.err
    assert "header names a wrong charset" in shown.said.err


def test_the_demo_says_how_to_go_on(shown):
    assert f" report {shown.run['run_id'][:8]}\n" in shown.said.err
    assert f" report {shown.run['run_id'][:8]} --open\n" in shown.said.err
    assert re.search(r"Connect a client +\S.* install$", shown.said.err, re.MULTILINE)


def test_the_demo_takes_another_question_and_can_be_quiet(cli):
    said = cli("demo", "--quiet", "What does the pass statement do?")

    assert said.code == 0
    assert said.out.startswith("# What does the pass statement do?")
    assert "/reference/" in said.out
    assert said.err == ""


def test_on_a_terminal_the_demo_is_a_picture_and_a_drawn_report(cli):
    said = cli("demo", terminal=True)

    assert said.code == 0
    assert "A research run, offline and without a key" in said.err
    assert "✓ plan" in said.err
    assert "References" in said.out
    assert "## References" not in said.out


def test_an_empty_question_is_refused_before_anything_is_served(cli):
    said = cli("demo", "--json", " ")

    assert said.code == 2
    assert "empty" in said.error["message"]


def test_the_demo_asks_no_one_but_its_own_site(tmp_path):
    settings = pointed(tmp_path, "http://127.0.0.1:8765")

    assert settings.search.engines == ("searxng",)
    assert settings.web.allow_private == ("127.0.0.1:8765",)
    assert settings.model.use == "extractive"
    assert settings.home == tmp_path


async def test_a_quote_that_does_not_stand_at_its_place_is_not_counted():
    def citation(snapshot, start, end, quote):
        return {
            "number": 1, "claim_ids": ["c1"], "source_id": "s1", "snapshot": snapshot, "start": start, "end": end,
            "quote": quote, "url": "http://a.example/", "link": "http://a.example/",
        }  # fmt: skip

    run = Run.model_validate(
        {
            "run_id": "r",
            "status": "completed",
            "stage": "ended",
            "question": "?",
            "citations": [
                citation("x", 0, 3, "Ice"),
                citation("x", 1, 4, "Ice"),
                citation("x", 0, 3, "ice"),
                citation("gone", 0, 3, "Ice"),
            ],
        }
    )

    assert await located_quotes(run, Snapshots()) == 1


def test_ctrl_c_ends_the_run_and_prints_what_was_gathered(child_env, tmp_path):
    with subprocess.Popen(
        [*COMMAND, "demo", "--json"], env=child_env, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        process.stderr.readline()  # The first line of progress: the run is on its way.
        os.kill(process.pid, signal.SIGINT)
        out, err = process.communicate(timeout=60)

    run = Run.model_validate_json(out)
    assert process.returncode == 130
    assert run.status == "cancelled"
    assert run.report
    assert b"Traceback" not in err


def test_the_demo_is_quick(child_env, tmp_path):
    began = time.monotonic()

    done = subprocess.run(
        [*COMMAND, "demo"], env=child_env, cwd=tmp_path, capture_output=True, text=True, timeout=100, check=False
    )

    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("# ")
    assert time.monotonic() - began < 60  # 5 s on a quiet machine; the bar is 20.
