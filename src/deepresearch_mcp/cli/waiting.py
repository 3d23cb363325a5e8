"""What the command line says of a run that waits for its user."""

from deepresearch_mcp.cli.console import command
from deepresearch_mcp.records.run import Run


def waiting_lines(run: Run) -> list[str]:
    """That a run waits for its user, and the commands that answer it."""
    if run.waiting and run.waiting.kind == "clarification":
        ways = ['--answer "…"' + " (once for each question, in their order)", "--approve (as the planner thinks best)"]
    else:
        ways = ["--approve", '--note "what is to be different"', '--sub-question "…" (repeat)', "--max-usd 0.20"]
    return [
        "The run waits for your answer, as long as you like; nothing is spent meanwhile.",
        f"Answer it   {command()} runs answer {run.run_id} {ways[0]}",
        *(f"        or  {way}" for way in (*ways[1:], "--decline (ends it)")),
    ]
