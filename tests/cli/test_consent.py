"""Plans that are approved on a terminal, or later with `runs answer`."""

import os
import pty
import re
import select
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from deepresearch_mcp.cli.consent import clarifying_lines, prompt_for_reply, with_user
from deepresearch_mcp.cli.running import Showing
from deepresearch_mcp.jobs.asking import reply_of
from deepresearch_mcp.records.consent import InputRequest, Reply
from deepresearch_mcp.records.plan import Clarification, Plan
from deepresearch_mcp.records.request import Limits
from deepresearch_mcp.records.run import Run
from deepresearch_mcp.runtime import load_settings
from deepresearch_mcp.system_clock import SystemClock
from pipeline_fakes import part

QUESTION = "Why does ice float on water?"
LOCAL = ("--no-web", "--model", "extractive")
BACK = (Clarification(question="Which ice?", options=("frozen seas", "dry carbon")), Clarification(question="When?"))


def plan_by(name: str) -> InputRequest:
    plan = Plan(sub_questions=(part("q1", QUESTION),), made_by=name)
    return InputRequest(inquiry_id="plan/approve/1", kind="approval", text="So?", plan=plan)


def typed(*lines: str | None) -> Callable[[str], str | None]:
    """A user who types these lines; None: who leaves."""
    left = list(lines)
    return lambda prompt: left.pop(0)


def waiting(cli: Any, folder: Path) -> Run:
    said = cli("research", QUESTION, "--library", str(folder), *LOCAL, "--approve-plan", "--json")
    assert said.code == 4, said.err
    return Run.model_validate_json(said.out)


@pytest.mark.parametrize(
    ("made_by", "lines", "reply"),
    [
        ("openai:x", ["y"], reply_of(approve=True)),
        ("openai:x", ["", "Yes"], reply_of(approve=True)),
        ("openai:x", ["n"], reply_of(approve=False)),
        ("openai:x", ["l"], None),
        ("openai:x", [None], None),
        ("openai:x", ["Only in winter."], reply_of(note="Only in winter.")),
        ("openai:x", ["Why? | How? |"], reply_of(sub_questions=["Why?", "How?"])),
        ("extractive", ["Only in winter?"], reply_of(sub_questions=["Only in winter?"])),
    ],
)
def test_what_is_typed_is_a_yes_a_no_a_later_or_a_change(made_by: str, lines: list[str], reply: Reply | None) -> None:
    assert prompt_for_reply(plan_by(made_by), typed(*lines)) == reply


def test_questions_are_answered_one_by_one_and_may_be_left_empty() -> None:
    inquiry = InputRequest(inquiry_id="plan/clarify", kind="clarification", text="?", questions=BACK)

    assert prompt_for_reply(inquiry, typed("frozen seas", "")) == reply_of(approve=True, answers=["frozen seas", ""])
    assert prompt_for_reply(inquiry, typed("frozen seas", None)) is None


def test_an_option_is_chosen_by_its_letter() -> None:
    inquiry = InputRequest(inquiry_id="plan/clarify", kind="clarification", text="?", questions=BACK)

    assert prompt_for_reply(inquiry, typed("b", "c")) == reply_of(approve=True, answers=["dry carbon", "c"])
    assert prompt_for_reply(inquiry, typed("A)", "")) == reply_of(approve=True, answers=["frozen seas", ""])
    assert prompt_for_reply(inquiry, typed("b )", "")) == reply_of(approve=True, answers=["dry carbon", ""])
    assert prompt_for_reply(inquiry, typed("z", "in 2024")) == reply_of(approve=True, answers=["z", "in 2024"])


def test_a_capital_alone_is_an_answer_in_the_users_own_words() -> None:
    which = Clarification(question="Which language?", options=("Java", "Python", "Go"))
    inquiry = InputRequest(inquiry_id="plan/clarify", kind="clarification", text="?", questions=(which,))

    assert [prompt_for_reply(inquiry, typed(line)) for line in ("C", "c", "R", "c)", "Z)")] == [
        reply_of(approve=True, answers=[said]) for said in ("C", "Go", "R", "Go", "Z)")
    ]


def test_questions_are_shown_with_a_heading_lettered_options_and_how_to_skip_them() -> None:
    inquiry = InputRequest(inquiry_id="plan/clarify", kind="clarification", text="?", questions=BACK)

    assert clarifying_lines(inquiry) == [
        "Before the research begins, it helps to know:",
        "",
        "1. Which ice?",
        "   a) frozen seas",
        "   b) dry carbon",
        "",
        "2. When?",
        "",
        "Answer with a small letter or in your own words (a capital alone is words); Enter skips a question.",
    ]


@pytest.mark.parametrize(
    ("lines", "reply"),
    [
        (["r"], Reply(decision="approve", limits=Limits(max_usd=0.3))),
        (["raise"], Reply(decision="approve", limits=Limits(max_usd=0.3))),
        (["what?", "n"], Reply(decision="approve")),
        ([""], Reply(decision="approve")),
        (["S"], Reply(decision="decline")),
        (["l"], None),
        ([None], None),
    ],
)
def test_money_that_is_too_little_is_raised_kept_or_the_run_is_stopped(lines: list[str], reply: Reply | None) -> None:
    inquiry = InputRequest(inquiry_id="plan/afford", kind="budget", text="Too little.", raised=Limits(max_usd=0.3))

    assert prompt_for_reply(inquiry, typed(*lines)) == reply


def test_a_ceiling_of_the_settings_cannot_be_raised_at_the_terminal() -> None:
    inquiry = InputRequest(inquiry_id="plan/afford", kind="budget", text="Too little.")

    assert prompt_for_reply(inquiry, typed("r", "s")) == Reply(decision="decline")


def test_without_a_terminal_the_plan_is_printed_with_the_command_that_answers_it(cli, folder):
    place = folder.parent / "report.md"
    said = cli("research", QUESTION, "--library", str(folder), *LOCAL, "--approve-plan", "--output", str(place))

    assert not place.exists()
    assert (said.code, said.out) == (4, "")
    assert f"1. {QUESTION}" in said.err
    assert "It never uses more than $1.00" in said.err
    assert re.search(r"Answer it .* runs answer [0-9a-z]{26} --approve\n", said.err)
    assert "--note" not in said.err  # No one would read it.


def test_a_run_that_waits_is_listed_shown_and_answered(cli, folder):
    run = waiting(cli, folder)

    listed = cli("runs", "list", "--status", "input_required").out
    shown = cli("runs", "show", run.run_id).out
    asked_again = cli("runs", "answer", run.run_id, "--sub-question", "How do lakes freeze?", "--json")
    done = cli("runs", "answer", run.run_id, "--approve", "--json")

    assert run.waiting is not None
    assert f"{run.run_id}  " in listed
    assert "input_required · waiting for an answer" in listed
    assert f"runs answer {run.run_id} --approve" in shown
    assert asked_again.code == 4
    assert [one["text"] for one in asked_again.json["waiting"]["plan"]["sub_questions"]] == ["How do lakes freeze?"]
    assert (done.code, done.json["status"]) == (0, "completed")
    assert [one["text"] for one in done.json["provenance"]["plan"]["sub_questions"]] == ["How do lakes freeze?"]


def test_an_answer_to_a_run_that_has_ended_is_told_to_be_none(cli, folder):
    run = waiting(cli, folder)
    first = cli("runs", "answer", run.run_id, "--approve")
    again = cli("runs", "answer", run.run_id, "--approve")
    kept = cli("runs", "answer", run.run_id, "--approve", "--no-wait")

    assert "nothing to answer" not in first.err
    assert kept.err == "There was nothing to answer: the run ended earlier and is completed.\n"
    assert (again.code, again.out) == (0, first.out)
    assert "There was nothing to answer: the run ended earlier and is completed." in again.err


def test_the_report_of_a_run_that_waits_is_refused_with_the_command_that_answers_it(cli, folder):
    run = waiting(cli, folder)
    said = cli("report", run.run_id)

    assert said.code == 2
    assert f"runs answer {run.run_id}`" in said.err
    assert "cancel" not in said.err


def test_a_declined_run_is_over_and_an_answer_can_be_kept_for_a_server(cli, folder):
    first = waiting(cli, folder)
    declined = cli("runs", "answer", first.run_id, "--decline")
    second = waiting(cli, folder)
    kept = cli("runs", "answer", second.run_id, "--approve", "--no-wait")
    resumed = cli("runs", "resume", second.run_id, "--json")

    assert declined.code == 0
    assert "The run has ended" in declined.err
    assert cli("runs", "show", first.run_id, "--json").json["status"] == "cancelled"
    assert second.run_id != first.run_id
    assert kept.code == 0
    assert f"runs resume {second.run_id}" in kept.err
    assert (resumed.code, resumed.json["status"]) == (0, "completed")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((), "Nothing was answered"),
        (("--approve", "--decline"), "exclude each other"),
        (("--note", "Shorter."), "No language model planned this"),
        (("--answer", "the animal"), "asks no questions"),
        (("--note", "a", "--sub-question", "b"), "not both"),
    ],
)
def test_an_answer_that_says_nothing_or_does_not_fit_is_refused(cli, folder, arguments, words):
    run = waiting(cli, folder)

    said = cli("runs", "answer", run.run_id, *arguments, "--json")

    assert said.code == 2
    assert words in said.error["message"]
    assert cli("runs", "show", run.run_id, "--json").json["status"] == "input_required"


def test_anyone_who_sits_at_the_terminal_is_asked_until_there_is_a_report(cli, folder):
    run = waiting(cli, folder)
    settings = load_settings().settings

    # What does not fit is said, and asked for again.
    lines = typed("|".join(f"Part {at}?" for at in range(9)), "How do lakes freeze?", "y")
    done = with_user(run, settings, Showing(quiet=True), lines)

    assert done.status == "completed"
    assert done.provenance is not None
    assert [one["text"] for one in done.provenance.plan["sub_questions"]] == ["How do lakes freeze?"]


def test_anyone_who_puts_it_off_finds_the_run_waiting_still(cli, folder):
    run = waiting(cli, folder)

    assert with_user(run, load_settings().settings, Showing(quiet=True), typed("later")).status == "input_required"


def at_a_terminal(command: list[str], lines: list[bytes]) -> tuple[int, str]:
    """Run a command where somebody sits, who types a line at each prompt; an empty one stands for Ctrl-C."""
    master, terminal = pty.openpty()
    clock = SystemClock()
    began, shown, interrupted = clock.monotonic(), b"", False
    with subprocess.Popen(command, stdin=terminal, stdout=terminal, stderr=terminal, close_fds=True) as child:
        os.close(terminal)
        while clock.monotonic() - began < 60:
            if not select.select([master], [], [], 2.0)[0]:
                if interrupted:
                    # One that came in the moment before the line was waited for is seen only at the next.
                    child.send_signal(signal.SIGINT)
                continue
            try:
                shown += os.read(master, 65_536)
            except OSError:
                child.wait(timeout=30)
                break
            if lines and shown.endswith(b": "):
                line = lines.pop(0)
                if line:
                    os.write(master, line)
                else:
                    interrupted = True
                    child.send_signal(signal.SIGINT)
        child.kill()
        code = child.wait()
    os.close(master)
    return code, re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", shown.decode(errors="replace"))


@pytest.mark.parametrize(("keys", "code", "words"), [(b"y\n", 0, "Completed."), (b"", 4, "waits for your answer")])
def test_a_real_terminal_asks_and_ctrl_c_leaves_the_run_waiting(
    cli, folder, keys: bytes, code: int, words: str
) -> None:
    command = [sys.executable, "-m", "deepresearch_mcp", "research", QUESTION, "--library", str(folder), *LOCAL]

    left, shown = at_a_terminal([*command, "--approve-plan"], [keys])

    assert "The plan:" in shown
    assert "Continue with this plan? y (yes), n (no, end it), l (later)" in " ".join(shown.split())
    assert left == code, shown
    assert words in shown
