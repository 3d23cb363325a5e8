from collections.abc import Callable

import pytest

from deepresearch_mcp.records.evidence import Claim
from deepresearch_mcp.records.plan import Brief
from deepresearch_mcp.records.report import Sentence, WrittenSection
from deepresearch_mcp.thinkers.extractive.concluding import conclude

MakeBrief = Callable[..., Brief]
MakeClaim = Callable[..., Claim]


def section(*texts: str, heading: str = "Ice") -> WrittenSection:
    sentences = tuple(Sentence(text=text, claim_ids=(f"c{text}",)) for text in texts)
    return WrittenSection(heading=heading, paragraphs=(sentences,))


def test_the_answer_leads_with_the_sentence_that_answers(brief: MakeBrief) -> None:
    answer = "Ice floats because it is less dense than water."
    said = conclude(brief(), [section("Tea was carried over land for years.", answer)], [], 600)

    assert said[0].text == answer
    assert said[0].claim_ids == (f"c{answer}",)


def test_each_section_speaks_before_one_speaks_twice(brief: MakeBrief) -> None:
    question = "How do lists and tuples differ?"
    sections = [
        section("Lists are mutable sequences.", "Lists differ from tuples in many ways.", heading="Lists"),
        section("Tuples are immutable sequences.", heading="Tuples"),
    ]

    said = conclude(brief(question), sections, [], 600)

    assert 2 <= len(said) <= 3
    assert {"Lists", "Tuple"} <= {sentence.text[:5] for sentence in said}


def test_the_sum_of_the_sentences_keeps_the_limit(brief: MakeBrief) -> None:
    texts = [
        f"Ice of lake number {n} floats because it is less dense than the water of lake {n * 7}." for n in range(9)
    ]

    said = conclude(brief(), [section(text) for text in texts], [], 230)

    assert said
    assert len(" ".join(sentence.text for sentence in said)) <= 230


def test_sentences_that_repeat_each_other_are_said_once(brief: MakeBrief) -> None:
    text = "Ice floats because it is less dense than water"

    assert len(conclude(brief(), [section(f"{text}."), section(f"{text} is.")], [], 600)) == 1


def test_what_falls_far_behind_the_answer_is_not_said(brief: MakeBrief) -> None:
    sections = [section("Ice floats because floating ice is less dense."), section("However, this is tea")]

    assert len(conclude(brief(), sections, [], 600)) == 1


def test_a_date_is_preferred_where_a_date_is_asked_for(brief: MakeBrief) -> None:
    said = conclude(
        brief("When was the bridge opened?"),
        [section("The bridge was opened by the queen of the land.", "The bridge was opened in May 1932.")],
        [],
        140,
    )

    assert "1932" in said[0].text


def test_a_short_answer_is_one_sentence(brief: MakeBrief) -> None:
    said = conclude(brief(), [section("Ice floats because it is light."), section("Ice is frozen water.")], [], 140)

    assert len(said) == 1
    assert len(said[0].text) <= 140


def test_a_sentence_too_long_for_the_answer_is_cut_to_the_clause_that_answers(brief: MakeBrief) -> None:
    long = (
        "After the long winter of the year before, as the old books tell us with great care and in many words, "
        "ice floats because it is less dense than water, which nobody in that town had ever really thought about before"
    )

    [said] = conclude(brief(), [section(long)], [], 140)

    assert len(said.text) <= 140
    assert "ice floats because it is less dense than water" in said.text
    assert "…" in said.text


def test_words_that_turn_the_meaning_are_not_cut_off_before_what_they_turn(brief: MakeBrief) -> None:
    long = (
        "The old professor of the town denied in every one of his lectures and in all of his many books, "
        "ice floats because it is less dense than water, as if that were true"
    )

    [said] = conclude(brief(), [section(long)], [], 140)

    assert said.text.startswith("The old professor of the town denied")


@pytest.mark.parametrize("limit", [1, 5, 20, 60])
def test_however_little_room_there_is_it_is_kept(brief: MakeBrief, limit: int) -> None:
    text = "Ice floats because it is less dense than water; and so on and on and on it goes for ever."

    said = conclude(brief(), [section(text)], [], limit)

    assert len(" ".join(sentence.text for sentence in said)) <= limit


def test_a_longer_answer_that_fits_nowhere_is_cut_as_well(brief: MakeBrief) -> None:
    words = " ".join(f"ice{n} floats on water{n}" for n in range(60))

    [said] = conclude(brief(), [section(words)], [], 250)

    assert len(said.text) <= 250


def test_without_sections_the_claims_answer_and_disputed_ones_last(brief: MakeBrief, claim: MakeClaim) -> None:
    disputed = claim("Ice floats because it is less dense than water.", "s1", verdict="disputed")
    sure = claim("Ice floats because it is lighter than water.", "s2", verdict="supported")

    said = conclude(brief(), [], [disputed, sure], 140)

    assert said[0].claim_ids == (sure.claim_id,)


def test_nothing_to_go_by_gives_no_answer(brief: MakeBrief) -> None:
    assert conclude(brief(), [], [], 140) == ()
    assert conclude(brief(), [section("Ice floats.")], [], 0) == ()
