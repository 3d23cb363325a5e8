"""What each stage of a research leaves to those that follow it."""

import pytest
from hypothesis import given
from hypothesis import strategies as some

from clocks import HandClock
from deepresearch_mcp.budget import Amount, Ledger
from deepresearch_mcp.budget_shares import KEPT, KEPT_TIME, SET_ASIDE, Stage
from deepresearch_mcp.exceptions import BudgetExceeded
from deepresearch_mcp.records.request import EFFORTS

SHAPE = EFFORTS["standard"].model_copy(update={"max_tokens": 100_000})
ORDER: tuple[Stage, ...] = ("research", "writing", "review", "audit")


def ledger(stage: Stage, used: int = 0, clock: HandClock | None = None) -> Ledger:
    books = Ledger(SHAPE, clock or HandClock())
    books.reserve(Amount(tokens=used or 1), "finish").settle(Amount(tokens=used))
    books.enter(stage)
    return books


def test_each_stage_leaves_less_to_the_later_ones_and_the_audit_may_use_all() -> None:
    for shares in (KEPT, KEPT_TIME):
        kept = [shares[stage] for stage in ORDER[1:]]
        assert kept == sorted(kept, reverse=True)
        assert kept[-1] == 0
    assert KEPT["research"] < SET_ASIDE, "claims that were read are judged"


@pytest.mark.parametrize(("stage", "fits"), [("writing", False), ("review", True), ("audit", True)])
def test_writing_leaves_tokens_to_the_review_and_the_audit(stage: Stage, fits: bool) -> None:
    books = ledger(stage, 83_500)

    if fits:
        books.reserve(Amount(tokens=5_000), "finish")
    else:
        with pytest.raises(BudgetExceeded, match="kept for what follows"):
            books.reserve(Amount(tokens=5_000), "finish")


def test_what_is_read_for_a_report_in_the_making_is_paid_from_what_was_set_aside() -> None:
    with pytest.raises(BudgetExceeded):
        ledger("research", 70_000).reserve(Amount(tokens=1_000))
    ledger("writing", 70_000).reserve(Amount(tokens=1_000))


def test_a_review_does_not_begin_in_the_minutes_of_the_audit() -> None:
    clock = HandClock()
    books = ledger("review", 0, clock)
    clock.advance(0.95 * SHAPE.max_minutes * 60)

    with pytest.raises(BudgetExceeded):
        books.reserve(Amount(tokens=1), "finish")
    books.enter("audit")
    books.reserve(Amount(tokens=1), "finish")


@given(some.lists(some.tuples(some.sampled_from(ORDER), some.integers(0, 40_000), some.floats(0, 1)), max_size=20))
def test_no_stage_crosses_a_ceiling(calls: list[tuple[Stage, int, float]]) -> None:
    books = ledger("research")
    for stage, tokens, share in sorted(calls, key=lambda one: ORDER.index(one[0])):
        books.enter(stage)
        try:
            books.reserve(Amount(tokens=tokens), "finish").settle(Amount(tokens=int(tokens * share)))
        except BudgetExceeded:
            continue
    assert books.used.tokens <= SHAPE.max_tokens
