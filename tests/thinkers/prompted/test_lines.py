from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deepresearch_mcp.prompts.templates import load
from deepresearch_mcp.thinkers.prompted import lines

PARSERS: dict[str, Callable[[str], object]] = {
    "plan": lines.plan, "read": lines.read, "judge": lines.judge, "compare": lines.compare,
    "assess": lines.assess, "outline": lines.outline,
    "write": lines.write, "conclude": lines.conclude, "critique": lines.critique, "revise": lines.revise,
    "repair": lines.repair,
}  # fmt: skip


@pytest.mark.parametrize("name", PARSERS)
def test_the_example_in_the_prompt_can_be_read(name: str) -> None:
    assert PARSERS[name](load(name).plain) is not None


@pytest.mark.parametrize("name", PARSERS)
def test_prose_is_no_answer(name: str) -> None:
    assert PARSERS[name]("I am sorry, I cannot help with that.\n\nIs there anything else.") is None


@pytest.mark.parametrize("name", PARSERS)
@given(text=st.text(alphabet=st.sampled_from('pcs12 |:-\n"NONEfactuality sufficiency')))
def test_no_text_makes_a_parser_fail(name: str, text: str) -> None:
    PARSERS[name](text)


def test_a_plan_is_read_with_bullets_numbers_and_bare_questions() -> None:
    answer = lines.plan(
        "Here you are:\n1. How dense is ice? | ice density | density of ice 0 °C |\n- Why does it matter?"
    )

    assert answer is not None
    assert [(part.question, part.queries) for part in answer.sub_questions] == [
        ("How dense is ice?", ["ice density", "density of ice 0 °C"]),
        ("Why does it matter?", []),
    ]


def test_a_claim_keeps_strokes_in_its_quote_and_loses_the_quotation_marks() -> None:
    answer = lines.read('| p1 | Ice is light. | “a | b”\n|---|---|---|\n* P2 | Water is not. | "c"')

    assert answer is not None
    assert [(item.passage_id, item.claim, item.quote) for item in answer.claims] == [
        ("p1", "Ice is light.", "a | b"),
        ("P2", "Water is not.", "c"),
    ]


def test_a_claim_is_read_with_its_weight_and_its_points_or_without() -> None:
    answer = lines.read(
        'p1 | 3 | d1, s1a2 | Ice is light. | "| a | b |"\np2 | 1 | - | It is cold. | "cold"\n'
        'p3 | h2 | It melts. | "melts"'
    )

    assert answer is not None
    assert [(item.claim, item.quote, item.weight, item.covers) for item in answer.claims] == [
        ("Ice is light.", "| a | b |", "3", ["d1", "s1a2"]),
        ("It is cold.", "cold", "1", []),
        ("It melts.", "melts", "", ["h2"]),
    ]


def test_nothing_found_is_an_answer() -> None:
    read, revised = lines.read("**NONE**"), lines.revise("None.")

    assert read is not None
    assert read.claims == []
    assert revised is not None
    assert revised.changes == []


def test_verdicts_are_read() -> None:
    answer = lines.judge("c1 | supported\nc2 | partly | date | 2")

    assert answer is not None
    assert [(item.claim_id, item.verdict, item.fault, item.sentence) for item in answer.verdicts] == [
        ("c1", "supported", "", ""),
        ("c2", "partly", "date", "2"),
    ]


def test_an_assessment_is_read() -> None:
    answer = lines.assess("**Sufficiency:** 6\nq1 | yes | none |\nq2 | no | ice 1998\nq3 | no")

    assert answer is not None
    assert answer.sufficiency == 6
    assert [(part.id, part.answered, part.queries) for part in answer.parts] == [
        ("q1", True, []),
        ("q2", False, ["ice 1998"]),
        ("q3", False, []),
    ]


def test_gaps_are_read_and_none_is_no_gap() -> None:
    some, none = lines.gaps("sufficiency: 6\n- The year is not known."), lines.gaps("Sufficiency: 9\nNONE")

    assert some is not None
    assert none is not None
    assert (some.sufficiency, some.gaps) == (6, ["The year is not known."])
    assert (none.sufficiency, none.gaps) == (9, [])
    assert lines.gaps("The year is not known.") is None


def test_an_outline_needs_no_title() -> None:
    with_title, without = lines.outline("Title: On ice\nDensity | q1, q2"), lines.outline("Density | q1")

    assert with_title is not None
    assert (with_title.title, with_title.sections[0].sub_question_ids) == ("On ice", ["q1", "q2"])
    assert without is not None
    assert without.title == ""


def test_sentences_are_read_with_what_they_rest_on() -> None:
    written, opening = lines.write("[c1, c3] | It floats."), lines.conclude("s1 and s2 | It does.")

    assert written is not None
    assert (written.sentences[0].claim_ids, written.sentences[0].text) == (["c1", "c3"], "It floats.")
    assert opening is not None
    assert opening.sentences[0].sentence_ids == ["s1", "s2"]


def test_a_critique_is_read_without_its_marks_among_the_notes() -> None:
    answer = lines.critique("Factuality: 8\nCoherence: 7/10\nNotes:\n- The opening | evades the question.\nNONE")

    assert answer is not None
    assert (answer.factuality, answer.coherence, answer.notes) == (8, 7, ["The opening | evades the question."])


def test_changes_and_repairs_are_read() -> None:
    revised, repaired = lines.revise("s2 | c1 | Better.\nnew | c2 | More."), lines.repair("1 | Softer.\n2 |")

    assert revised is not None
    assert [(item.sentence_id, item.claim_ids, item.text) for item in revised.changes] == [
        ("s2", ["c1"], "Better."),
        ("new", ["c2"], "More."),
    ]
    assert repaired is not None
    assert [(item.n, item.text) for item in repaired.sentences] == [("1", "Softer."), ("2", "")]


def test_comparisons_are_read_and_none_is_an_answer() -> None:
    answer, nothing = lines.compare("d1 | same\nd2 | contradict | date"), lines.compare("NONE")

    assert answer is not None
    assert [(one.pair_id, one.relation, one.reason) for one in answer.comparisons] == [
        ("d1", "same", ""),
        ("d2", "contradict", "date"),
    ]
    assert nothing is not None
    assert nothing.comparisons == []
