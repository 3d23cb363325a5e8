"""How many tokens of passages readers are shown, and that a run does its planned work within its ceilings."""

from functools import partial
from typing import Any

import anyio
import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from clocks import HandClock
from deepresearch_mcp.budget import Amount, Ledger
from deepresearch_mcp.pipeline.queries import query_key
from deepresearch_mcp.pipeline.research.reading_room import ReadingRoom, by_point, by_topic
from deepresearch_mcp.records.evidence import FollowUp, Reading
from deepresearch_mcp.records.plan import Scope
from deepresearch_mcp.records.report import Review, ThinSpot
from deepresearch_mcp.records.request import EFFORTS, ResearchRequest
from deepresearch_mcp.settings.schema import ResearchSettings
from paying_world import HIDDEN, claims_on, paying
from pipeline_fakes import drive, part
from research_world import World

PARTS = [
    part("q1", "How do both lock their writers?"),
    part("q2", "How do both let writers wait?"),
    part("q3", "How do writers time out?"),
    part("q4", "How do both store JSON?"),
]
GRID = Scope(subjects=("Alpha", "Omega"), aspects=("writers", "JSON"))


def room(effort: str = "standard", **given: object) -> ReadingRoom:
    shape = ResearchRequest.model_validate({"question": "Why?", "effort": effort, **given}).shape
    return ReadingRoom(shape, ResearchSettings(), Ledger(shape, HandClock()))


def used(one: ReadingRoom, tokens: int) -> None:
    one.ledger.reserve(Amount(tokens=1)).settle(Amount(tokens=tokens))


def test_a_topic_with_one_sub_question_gets_as_much_as_one_with_three() -> None:
    shares = by_topic(PARTS, GRID)

    assert sum(shares.values()) == pytest.approx(1)
    assert shares["q4"] > 2 * shares["q1"] > 0.2
    assert by_topic([], GRID) == {}


def test_points_share_a_later_round_equally_however_many_queries_they_have() -> None:
    queries = [
        FollowUp(sub_question="q1", query="alpha json limits", point="s1a2"),
        FollowUp(sub_question="q1", query="omega json limits", point="s2a2"),
        FollowUp(sub_question="q1", query="omega json index", point="s2a2"),
        FollowUp(sub_question="q1", query="what a page led to"),
    ]
    alpha, omega, again, lead = (by_point(queries)[query_key(one.query)] for one in queries)

    assert alpha == pytest.approx(omega + again) == pytest.approx(2 * lead)


def test_the_first_round_leaves_tokens_for_another() -> None:
    one = room()
    one.begin(PARTS, GRID)
    for name in ("q0", "q1", "q2", "q3", "q4"):
        for share in (1.0, 1.0, 0.5):
            one.take(name, one.tokens(name, 8, share))

    assert sum(one._taken.values()) <= 0.62 * 300_000 / 2.8


def test_what_the_first_round_has_cost_already_is_not_spent_on_its_late_pages() -> None:
    one = room()
    one.begin(PARTS, GRID)
    one.take("q1", one.tokens("q1", 8))
    used(one, 186_000)

    assert one.tokens("q1", 8, 0.5) == 0
    assert one.tokens("q4", 8) >= 150, "a sub-question that comes late reads something all the same"


def test_a_later_round_gets_what_is_left_at_the_price_that_the_run_has_measured() -> None:
    cheap, dear = room(), room()
    for one, cost in ((cheap, 2), (dear, 4)):
        one.begin(PARTS, GRID)
        one.take("q1", 40_000)
        used(one, 40_000 * cost)
        one.begin_later(2, [FollowUp(sub_question="q1", query="alpha json", point="s1a2")])

    assert cheap.tokens("q1", 1, 1.0, "alpha json") >= dear.tokens("q1", 1, 1.0, "alpha json") > 0
    assert dear.tokens("q1", 1, 1.0, "what a link led to") > 0


def test_a_round_ends_when_its_time_is_over() -> None:
    clock = HandClock()
    one = ReadingRoom(EFFORTS["standard"], ResearchSettings(), Ledger(EFFORTS["standard"], clock))
    one.begin(PARTS, GRID)
    clock.advance(0.63 * 400)

    assert one.is_over
    assert one.tokens("q1", 8) == 0
    one.begin_later(2, [])
    assert not one.is_over


def test_thin_spots_are_read_for_only_with_what_writing_does_not_need() -> None:
    one = room()
    one.ledger.enter("writing")
    assert all(one.of_spots(3))
    used(one, 290_000)

    assert not any(one.of_spots(3))
    assert not one.searches_while_writing
    assert one.of_spots(0) == []


def test_money_that_pays_for_less_than_the_tokens_leaves_less_to_read() -> None:
    rich, poor = room(), room()
    poor.usd_a_token = 10 * poor.shape.max_usd / poor.shape.max_tokens
    for one in (rich, poor):
        one.begin(PARTS, GRID)

    assert poor.tokens("q1", 8) < rich.tokens("q1", 8) / 2


# Whole runs, paid at the prices of a real one


def run(effort: str, **given: Any) -> World:
    ice = paying(effort, **given)
    anyio.run(partial(drive, ice.clock, ice.research.run, step=0.5, limit=3_000))
    return ice


def test_a_standard_run_fills_an_open_cell_in_a_second_round_and_is_still_written_edited_and_reviewed() -> None:
    ice = run("standard")

    assert ice.findings.rounds >= 2
    assert claims_on(ice, HIDDEN)
    assert ice.thinker.refused == []
    assert {"sketch", "section", "edit", "review"} <= set(ice.thinker.spent)
    assert ice.ledger.used.tokens <= 450_000
    assert ice.findings.ceiling == ""
    assert {one.status for one in ice.findings.assessment.coverage} == {"covered"}


def test_a_quick_run_does_all_of_its_work_and_says_that_a_cell_is_open() -> None:
    ice = run("quick")

    assert ice.ledger.used.tokens <= 100_000
    assert not {"sketch", "section", "edit"} & set(ice.thinker.refused)
    assert "review" in ice.thinker.spent


def test_a_run_that_costs_half_as_much_again_as_usual_still_makes_a_second_round_and_is_written() -> None:
    ice = run("standard", factor=1.4)

    assert ice.findings.rounds >= 2
    assert ice.ledger.used.tokens <= 450_000
    assert not {"sketch", "section"} & set(ice.thinker.refused)


@settings(max_examples=3, deadline=None)
@given(factor=some.floats(0.3, 4.0), tokens=some.integers(20_000, 300_000))
def test_no_ceiling_is_crossed_whatever_calls_cost(factor: float, tokens: int) -> None:
    ice = run("standard", factor=factor, max_tokens=tokens)

    assert ice.ledger.used.tokens <= tokens


@pytest.mark.parametrize("factor", [1.0, 1.25])
def test_what_a_reviewer_misses_is_searched_for_read_and_judged_whatever_the_rounds_have_used(factor: float) -> None:
    ice = paying("standard", factor=factor)
    missing = tuple(
        ThinSpot(missing=f"Whether tapes {word} storage", query=f"omega tapes {word} special", decisive=True)
        for word in ("outlast", "replace", "slow")
    )
    script = ice.thinker.inner.script
    read = script["read"]
    # No page says anything of it, so that each has to be searched for.
    script["read"] = lambda asked, part, *rest: Reading() if "tapes" in part.text else read(asked, part, *rest)
    script["review"] = Review(worth=7, missing=missing)
    anyio.run(partial(drive, ice.clock, ice.research.run, step=0.5, limit=3_000))

    assert {one.query for one in missing} <= set(ice.engines[0].texts)
    told = {gap.missing: gap for gap in ice.findings.gaps}
    assert not any(gap.ceiling for name, gap in told.items() if "tapes" in name)
    assert not {"hold", "repair", "section", "edit"} & set(ice.thinker.refused)
    assert ice.ledger.used.tokens <= 450_000
