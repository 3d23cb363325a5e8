"""What a research still reaches for near its ceilings, and that it keeps to what it decided."""

import pytest
from hypothesis import given
from hypothesis import strategies as some

from clocks import HandClock
from deepresearch_mcp.budget import SET_ASIDE, Amount, Ledger
from deepresearch_mcp.events import Degraded
from deepresearch_mcp.pipeline.pace import Pacer, breadth_of, kept
from deepresearch_mcp.pipeline.strand import Task
from deepresearch_mcp.records.plan import Priority
from deepresearch_mcp.records.request import EFFORTS
from pipeline_fakes import Heard, MemoryJournal, part

SHAPE = EFFORTS["standard"]


def ledger(share: float, **changes: float) -> Ledger:
    """One of which a share of the tokens for research is used."""
    used = Amount(tokens=int(SHAPE.max_tokens * (1 - SET_ASIDE) * share))
    return Ledger(SHAPE.model_copy(update=changes), HandClock(), carried=used)


def pacer(journal: MemoryJournal, share: float, heard: Heard | None = None, **changes: float) -> Pacer:
    shape = SHAPE.model_copy(update=changes)
    return Pacer(shape, journal, ledger(share, **changes), (Heard() if heard is None else heard).append)


@pytest.mark.parametrize(("share", "ceiling"), [(0.0, ""), (0.89, ""), (0.9, "max_tokens"), (1.0, "max_tokens")])
async def test_from_ninety_percent_on_a_round_is_narrower_and_says_why(share: float, ceiling: str):
    heard = Heard()

    assert await pacer(MemoryJournal(), share, heard).of_round(1) == ceiling
    assert [event.what[:26] for event in heard.of(Degraded)] == (["max_tokens is 90 % used: r"] if ceiling else [])


async def test_a_run_that_is_gone_on_with_decides_as_before_though_more_is_used_by_then():
    first = MemoryJournal()
    waited = Task(part("q2"), 1, ("ice",), 0)
    assert await pacer(first, 0.5).of_round(1) == ""
    assert await pacer(first, 0.95).of_task(waited) == "max_tokens"

    again = first.next_life()
    assert pacer(again, 1.0).spent(1) == ""
    assert await pacer(again, 1.0).of_round(1) == ""
    assert await pacer(again, 0.0).of_task(waited) == "max_tokens"


async def test_under_higher_ceilings_it_decides_anew():
    first = MemoryJournal()
    assert await pacer(first, 0.95).of_round(1) == "max_tokens"

    assert await pacer(first.next_life(), 0.95, max_tokens=2 * SHAPE.max_tokens).of_round(1) == ""


async def test_that_a_ceiling_is_met_is_not_kept_for_the_next_life():
    first = MemoryJournal()
    assert pacer(first, 0.99).spent(2) == ""
    assert pacer(first, 1.0).spent(2) == "max_tokens"

    assert pacer(first.next_life(), 0.5).spent(2) == ""


@given(some.lists(some.sampled_from(["high", "medium", "low"]), max_size=7))
def test_near_a_ceiling_low_priority_is_left_out_and_something_is_always_asked(priorities: list[Priority]):
    parts = [part(f"q{number}", priority=one) for number, one in enumerate(priorities)]

    left = kept(parts, "max_usd")
    assert kept(parts, "") == parts
    assert bool(left) == bool(parts)
    assert left == [one for one in parts if one.priority != "low"] or {one.priority for one in parts} == {"low"}
    assert [one for one in kept(parts, "max_usd", alone=False) if one.priority == "low"] == []


@pytest.mark.parametrize("breadth", range(1, 11))
def test_near_a_ceiling_half_as_many_queries_are_asked_and_at_least_one(breadth: int):
    shape = SHAPE.model_copy(update={"breadth": breadth})

    assert breadth_of(shape, "") == breadth
    assert max(1, breadth / 2 - 0.5) <= breadth_of(shape, "max_usd") <= max(1, breadth / 2)
