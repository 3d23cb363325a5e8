import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import deepresearch_mcp
from deepresearch_mcp.cli.console import command
from deepresearch_mcp.cli.wording import spoken
from deepresearch_mcp.exceptions import BudgetExceeded, UnknownRun

TOOLS = re.compile(r"\b(?:deep_research|get_report|list_runs|cancel_run|continue_research|check_citations)\b")


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ("Read it with get_report, or ask with fresh=true.", "Read it with `X report RUN`, or ask with --fresh."),
        ("See how far it is with get_report.", "See how far it is with `X runs show RUN`."),
        ("Give it with continue_research.", "Give it with `X runs answer RUN`."),
        (UnknownRun("r").action, "List the existing runs with `X runs list`."),
        ("Ask with depth=1 or more, or configure a model.", "Ask with --depth 1 or more, or configure a model."),
        (BudgetExceeded("max_usd", 1, 1).action, "Raise --max-usd, or narrow the question."),
        ("Give one with --max-usd, or set model.use=auto.", "Give one with --max-usd, or set model.use=auto."),
    ],
)  # fmt: skip
def test_what_to_do_is_said_in_commands_and_options(written: str, told: str) -> None:
    assert spoken(written) == told.replace("X", command())


def sentences(*rooms: str) -> Iterator[str]:
    """Every string in these rooms that is a sentence."""
    root = Path(deepresearch_mcp.__file__).parent
    for room in rooms:
        for file in [root / room] if room.endswith(".py") else (root / room).glob("**/*.py"):
            yield from re.findall(r'"([A-Z][^"\n]*\.)"', file.read_text(encoding="utf-8"))


def test_no_sentence_of_an_error_names_a_tool_on_the_command_line() -> None:
    rooms = ("exceptions.py", "runtime.py", "thinking.py", "jobs", "store", "records", "pipeline")
    named = [said for said in sentences(*rooms) if TOOLS.search(said)]

    assert len(named) > 4
    assert [said for said in map(spoken, named) if TOOLS.search(said)] == []


def test_errors_reach_the_user_in_these_words(cli) -> None:
    said, object_ = cli("runs", "show", "nothing"), cli("runs", "show", "nothing", "--json")

    assert f"with `{command()} runs list`" in said.err
    assert object_.error["action"] in said.err
