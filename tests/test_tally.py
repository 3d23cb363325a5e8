"""What the models of a run used, counted anew from its steps."""

from deepresearch_mcp.budget import Amount
from deepresearch_mcp.ports.journal import StepKind, StepRow, StepStatus, Used
from deepresearch_mcp.ports.model import Usage
from deepresearch_mcp.tally import Tally, amount_of, tallied

NAME = "openai:gpt-6-luna"


def row(kind: StepKind, used: Used | None, status: StepStatus = "done") -> StepRow:
    return StepRow(f"{kind}/1", kind, status, 1, (), "", "[]", None, None, 0.0, 1.0, used)


def test_a_call_counts_for_the_run_its_role_and_its_model() -> None:
    tally = Tally()

    tally.add("reader", NAME, Usage(10, 2, 4), 0.5)
    tally.add("writer", NAME, Usage(1, 1, 0), None)

    assert (tally.total.calls, tally.total.input_tokens, tally.total.usd) == (2, 11, 0.5)
    assert (tally.roles["reader"].cached_tokens, tally.models[NAME].output_tokens) == (4, 3)
    assert (tally.roles["reader"].usd_known, tally.total.usd_known) == (True, False)
    assert tally.played == {NAME: {"reader", "writer"}}


def test_what_earlier_lives_used_is_told_by_their_steps() -> None:
    done = Used(by=NAME, role="reader", usd=0.25, input_tokens=10, output_tokens=2)

    tally = tallied(
        [row("model", done), row("model", done, "running"), row("search", Used(searches=1)), row("model", None)]
    )

    assert (tally.total.calls, tally.total.usd, tally.in_doubt) == (1, 0.25, 1)


def test_the_ledger_counts_a_call_in_doubt_and_the_attempts_before_it() -> None:
    call = Used(by=NAME, role="reader", usd=0.25, input_tokens=10, output_tokens=2, earlier_usd=0.5, earlier_tokens=8)

    assert amount_of([row("model", call, "running")]) == Amount(usd=0.75, tokens=20)
    assert amount_of([row("search", None)]) == Amount(searches=1)
    assert amount_of([row("search", Used(usd=0.1, searches=1))]) == Amount(usd=0.1, searches=1, search_usd=0.1)
