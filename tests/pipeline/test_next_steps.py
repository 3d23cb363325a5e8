"""What to ask after a report."""

from typing import Any

from deepresearch_mcp.pipeline.next_steps import MOST, next_steps
from deepresearch_mcp.records.evidence import Claim
from deepresearch_mcp.records.plan import SubQuestion
from deepresearch_mcp.records.report import Draft, Sentence, WrittenSection
from deepresearch_mcp.thinkers.base import Part
from pipeline_fakes import claim, page, part

ICE = page("https://one.example/ice", "Ice floats on water. Lakes freeze from above.")
WATER, LIFE = part("q1", "Why does ice float?"), part("q2", "Where do fish live?", priority="high")


def steps(*stated: Claim, gaps: tuple[str, ...] = (), life: SubQuestion = LIFE) -> tuple[str, ...]:
    sentences = tuple(Sentence(text=one.text, claim_ids=(one.claim_id, "cgone")) for one in stated)
    draft = Draft(title="T", sections=(WrittenSection(heading="A", paragraphs=(sentences,)),))
    parts = [Part(one, tuple(c for c in stated if c.sub_question == one.id)) for one in (WATER, life)]
    return next_steps("Why does ice float?", parts, draft, {one.claim_id: one for one in stated}, gaps)


def shared(name: str, **given: Any) -> Claim:
    return claim(ICE, "Ice floats on water.", sub_question=name, claim_id=f"c{name}", **{"independent": 2} | given)


def test_where_all_is_settled_there_is_nothing_to_ask() -> None:
    assert steps(shared("q1"), shared("q2")) == ()


def test_what_nobody_answered_is_asked_again_and_not_once_more_as_a_gap() -> None:
    gap = f"No source that could be read answers: {LIFE.text}"

    assert steps(shared("q1"), gaps=(gap,)) == (LIFE.text,)


SALT = "Where can this be found out: “The effect of salt”?"


def test_what_nobody_answered_and_no_gap_tells_is_not_asked_again() -> None:
    assert steps(shared("q1"), gaps=("The effect of salt.",)) == (SALT,)


def test_gaps_that_are_questions_are_asked_before_those_told_as_sentences() -> None:
    asked = steps(shared("q1"), shared("q2"), gaps=("The effect of salt.", "And what of sea ice?"))

    assert asked == ("And what of sea ice?", SALT)


def test_of_what_nothing_was_found_it_is_asked_what_can_be() -> None:
    gaps = ("Nothing was found on whether salt keeps ice afloat.",)

    assert steps(shared("q1"), shared("q2"), gaps=gaps) == ("What can be found on whether salt keeps ice afloat?",)


def test_a_part_that_is_no_question_is_made_one() -> None:
    life = part("q2", "Fish in winter")

    asked = steps(shared("q1"), gaps=("No source that could be read answers: Fish in winter",), life=life)

    assert asked == ("Where can this be found out: “Fish in winter”?",)


def test_disputes_and_lone_sources_are_followed_up_by_their_quoted_sub_question() -> None:
    asked = steps(shared("q1", verdict="disputed"), shared("q2", independent=1))

    assert asked == (
        "Why do the sources differ on “Why does ice float”, and which of them is right?",
        "Which independent source confirms, or corrects, what is said here on “Where do fish live”?",
    )


def test_one_of_each_sort_comes_before_a_second_of_any_and_the_urgent_first() -> None:
    asked = steps(
        shared("q1", verdict="disputed", independent=1),
        shared("q2", independent=1),
        gaps=tuple(f"And gap {name}?" for name in "abc"),
    )

    assert len(asked) == MOST
    assert asked[0] == "And gap a?"
    assert asked[1].startswith("Why do the sources differ")


def test_beside_a_gap_a_lone_source_is_no_news() -> None:
    assert steps(shared("q1", independent=1), shared("q2"), gaps=("The effect of salt.",)) == (SALT,)


def test_a_question_with_a_figure_that_nothing_holds_is_not_asked() -> None:
    invented = part("q2", "Where did 300 fish live in 1879?")

    asked = steps(shared("q1"), shared("q2", independent=1), life=invented)

    assert asked == ()
