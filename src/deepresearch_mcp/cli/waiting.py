"""Prompts on the terminal, and tells the user how to answer a waiting run."""

import sys
from typing import TYPE_CHECKING

from deepresearch_mcp.cli.console import command, err
from deepresearch_mcp.exceptions import InvalidRequest

if TYPE_CHECKING:
    from deepresearch_mcp.records.run import Run


def user_present() -> bool:
    """Return whether a user can see a question and answer it."""
    return sys.stdin.isatty() and sys.stderr.isatty()


def read_line(prompt: str) -> str | None:
    """Ask for one line on standard error, because standard output is for the report; None if the user leaves."""
    try:
        err().print(prompt, end="", markup=False, soft_wrap=True)
        line = sys.stdin.readline()
    except KeyboardInterrupt:
        line = ""
    if not line:
        err().print()
    return line.strip() if line else None


def must_be_asked(what: str, *, as_json: bool) -> None:
    """Refuse a command that needs a confirmation that cannot be given. `what` is the action, as in "delete a run".

    Raises:
        InvalidRequest: There is no terminal, or a program reads the answer.
    """
    if as_json or not user_present():
        why = "with --json nothing is asked" if as_json else "there is no terminal to ask on"
        raise InvalidRequest(f"Nothing was done: to {what} needs a yes, and {why}.", "Add --yes.")


def waiting_lines(run: "Run") -> list[str]:
    """Return lines that say what a run waits for, with the commands that answer it."""
    if run.waiting and run.waiting.kind == "work":
        many = len(run.waiting.open)
        packets = "1 packet" if many == 1 else f"{many} packets"
        return [
            f"The run waits for a model's answers to {packets}; nothing is spent meanwhile.",
            f"Hand in     {command()} runs answer {run.run_id} --work FILE",
            '            (one JSON object, packet by packet: {"1.1": {…}, "1.2": {…}}; - is standard input)',
            "        or  --approve (the rest is made without a model)",
            "        or  --decline (ends it)",
        ]
    if run.waiting and run.waiting.kind == "clarification":
        ways = ['--answer "…" (once for each question, in their order)', "--approve (as the planner thinks best)"]
    elif run.waiting and run.waiting.kind == "budget":
        raised = [
            f"--{name.replace('_', '-')} {value}" for name, value in run.waiting.raised or () if value is not None
        ]
        ways = ["--approve (narrowed to fit)", *([f"--approve {' '.join(raised)}"] if raised else [])]
    elif run.waiting and run.waiting.hears_notes:
        ways = ["--approve", '--note "what is to be different"', '--sub-question "…" (repeat)', "--max-usd 0.20"]
    else:
        ways = ["--approve", '--sub-question "…" (repeat)', "--max-pages 20"]
    return [
        "The run waits for your answer as long as needed; nothing is spent meanwhile.",
        f"Answer it   {command()} runs answer {run.run_id} {ways[0]}",
        *(f"        or  {way}" for way in (*ways[1:], "--decline (ends it)")),
    ]
