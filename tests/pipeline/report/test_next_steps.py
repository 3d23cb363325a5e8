"""What to ask after a report."""

from typing import Any

import pytest

from deepresearch_mcp.pipeline.report.next_steps import MOST, next_steps
from deepresearch_mcp.records.evidence import Claim
from deepresearch_mcp.records.plan import SubQuestion
from deepresearch_mcp.records.report import Draft, Sentence, WrittenSection
from deepresearch_mcp.thinkers.base import SubQuestionEvidence
from pipeline_fakes import claim, page, part

ICE = page("https://one.example/ice", "Ice floats on water. Lakes freeze from above.")
WATER, LIFE = part("q1", "Why does ice float?"), part("q2", "Where do fish live?", priority="high")


def steps(*stated: Claim, gaps: tuple[str, ...] = (), life: SubQuestion = LIFE) -> tuple[str, ...]:
    sentences = tuple(Sentence(text=one.text, claim_ids=(one.claim_id, "cgone")) for one in stated)
    draft = Draft(title="T", sections=(WrittenSection(heading="A", paragraphs=(sentences,)),))
    parts = [SubQuestionEvidence(one, tuple(c for c in stated if c.sub_question == one.id)) for one in (WATER, life)]
    return next_steps("Why does ice float?", parts, draft, {one.claim_id: one for one in stated}, gaps)


def shared(name: str, **given: Any) -> Claim:
    return claim(ICE, "Ice floats on water.", sub_question=name, claim_id=f"c{name}", **{"independent": 2} | given)


def test_where_all_is_settled_there_is_nothing_to_ask() -> None:
    assert steps(shared("q1"), shared("q2")) == ()


@pytest.mark.parametrize(
    "gap",
    [
        f"No source that could be read answers: {LIFE.text}",
        "The effect of salt.",
        "And what of sea ice?",
        "Nothing was found on whether salt keeps ice afloat.",
    ],
)
def test_a_gap_is_told_once_and_not_again_as_a_next_step(gap: str) -> None:
    assert steps(shared("q1"), gaps=(gap,)) == ()


def test_a_dispute_on_what_a_gap_has_told_is_not_asked_again() -> None:
    gap = "It could not be settled why ice floats."

    assert steps(shared("q1", verdict="disputed"), gaps=(gap,)) == ()


def test_disputes_and_lone_sources_are_followed_up_by_their_quoted_sub_question() -> None:
    asked = steps(shared("q1", verdict="disputed"), shared("q2", independent=1))

    assert asked == (
        "Why do the sources differ on “Why does ice float”, and which of them is right?",
        "Which independent source confirms, or corrects, what is said here on “Where do fish live”?",
    )


def test_the_urgent_dispute_comes_first() -> None:
    asked = steps(shared("q1", verdict="disputed"), shared("q2", verdict="disputed"))

    assert [step.split("“")[1].split("”")[0] for step in asked] == ["Where do fish live", "Why does ice float"]
    assert len(asked) <= MOST


def test_beside_a_gap_a_lone_source_is_no_news() -> None:
    assert steps(shared("q1", independent=1), shared("q2"), gaps=("The effect of salt.",)) == ()


def test_a_question_with_a_figure_that_nothing_holds_is_not_asked() -> None:
    invented = part("q2", "Where did 300 fish live in 1879?")

    asked = steps(shared("q1"), shared("q2", independent=1), life=invented)

    assert asked == ()
