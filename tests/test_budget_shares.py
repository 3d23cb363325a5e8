"""What each stage of a research leaves to those that follow it."""

import pytest
from hypothesis import given
from hypothesis import strategies as some

from clocks import HandClock
from deepresearch_mcp.budget import Amount, Ledger
from deepresearch_mcp.budget_shares import GAP_SEARCHES, KEPT, KEPT_TIME, PLANNED, SET_ASIDE, Stage, kept_for_gaps
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
    books = ledger(stage, 81_500)

    if fits:
        books.reserve(Amount(tokens=5_000), "finish")
    else:
        with pytest.raises(BudgetExceeded, match="kept for what follows"):
            books.reserve(Amount(tokens=5_000), "finish")


def test_what_is_read_for_a_report_in_the_making_is_paid_from_what_was_set_aside() -> None:
    with pytest.raises(BudgetExceeded):
        ledger("research", 67_000).reserve(Amount(tokens=1_000))
    ledger("writing", 67_000).reserve(Amount(tokens=1_000))


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


MEASURED = {
    # Tokens of the calls of standard runs with real readers, the dearest of three for each.
    "rounds": 4_000 + 2 * 10_500,
    "closing": 10_500 + 5_000,
    "writing": 18_800 + 7 * 8_200 + 24_300,
    "gaps": GAP_SEARCHES * 7_000,
    "review": 9_900 + 2 * 9_400 + 11_400,
    "audit": 29_900 + 10_400 + 2 * 5_100 + 1_700,
}
A_READING = 60_000 * 2.5
"""What the readings and judgements of both kinds of rounds have to have at least."""


def test_the_planned_parts_of_a_standard_research_fit_with_every_gap_search_and_the_last_repair() -> None:
    whole = EFFORTS["standard"].max_tokens

    assert sum(PLANNED.values()) == pytest.approx(1)
    for part, tokens in MEASURED.items():
        assert tokens + (A_READING if part == "rounds" else 0) <= PLANNED[part] * whole, part
    # What a stage leaves is what the later ones are planned with.
    assert KEPT["writing"] == pytest.approx(PLANNED["gaps"] + PLANNED["review"] + PLANNED["audit"])
    assert KEPT["review"] == pytest.approx(PLANNED["audit"])


def test_research_leaves_searches_and_pages_to_what_a_draft_lacks() -> None:
    shape = EFFORTS["standard"]
    books = Ledger(shape, HandClock(), carried=Amount(searches=shape.max_searches - 3, pages=shape.max_pages - 6))
    books.enter("research")
    for amount in (Amount(searches=1), Amount(pages=1)):
        with pytest.raises(BudgetExceeded, match="kept for"):
            books.reserve(amount)

    books.enter("review")
    books.reserve(Amount(searches=3, pages=6))
    with pytest.raises(BudgetExceeded):
        books.reserve(Amount(pages=1))


@given(some.integers(0, 2_000))
def test_a_small_research_leaves_at_most_an_eighth(whole: int) -> None:
    for ceiling in ("max_searches", "max_pages"):
        kept = [kept_for_gaps(ceiling, whole, stage) for stage in ORDER]
        assert kept == sorted(kept, reverse=True)
        assert 0 <= kept[0] <= whole / 8
        assert kept[-2:] == [0, 0]
    assert kept_for_gaps("max_tokens", whole, "research") == 0
