from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deepresearch_mcp.prompts.templates import load
from deepresearch_mcp.thinkers.prompted import lines

PARSERS: dict[str, Callable[[str], object]] = {
    "plan": lines.plan, "read": lines.read, "judge": lines.judge, "consolidate": lines.consolidate,
    "assess": lines.assess, "look_back": lines.assess, "sketch": lines.sketch,
    "gaps": lines.gaps, "fill": lines.fill, "review": lines.review, "repair": lines.repair,
}  # fmt: skip


@pytest.mark.parametrize("name", PARSERS)
def test_the_example_in_the_prompt_can_be_read(name: str) -> None:
    assert PARSERS[name](load(name).plain) is not None


@pytest.mark.parametrize("name", PARSERS)
def test_prose_is_no_answer(name: str) -> None:
    assert PARSERS[name]("I am sorry, I cannot help with that.\n\nIs there anything else.") is None


@pytest.mark.parametrize("name", PARSERS)
@given(text=st.text(alphabet=st.sampled_from('pcs12 |:-\n"NONEworth sufficiency')))
def test_no_text_makes_a_parser_fail(name: str, text: str) -> None:
    PARSERS[name](text)


def test_a_plan_in_lines_says_what_is_asked_for_and_what_is_expected() -> None:
    answer = lines.plan(
        """DELIVER | comparison | Ice and water
- DELIVER | What to do
SUBJECTS | ice | water
ASPECTS | density |
CONSTRAINT | in winter
PREMISE | Ice sinks. | ice sinks water
EXPECT | Lost, as no sub-question stands above it. | a b
1. ASK | How dense is ice? | ice density | water density
EXPECT | Ice has 0.917 g/cm³. | ice density g/cm³
**EXPECT** | It has open hexagons.
ASK | Why does it float?
"""
    )

    assert answer is not None
    assert [(one.kind, one.text) for one in answer.deliverables] == [
        ("comparison", "Ice and water"),
        ("what to do", "What to do"),
    ]
    assert (answer.subjects, answer.aspects, answer.constraints) == (["ice", "water"], ["density"], ["in winter"])
    assert [(one.statement, one.query) for one in answer.premises] == [("Ice sinks.", "ice sinks water")]
    assert [(one.question, one.queries) for one in answer.sub_questions] == [
        ("How dense is ice?", ["ice density", "water density"]),
        ("Why does it float?", []),
    ]
    assert [(one.statement, one.query) for one in answer.sub_questions[0].expect] == [
        ("Ice has 0.917 g/cm³.", "ice density g/cm³"),
        ("It has open hexagons.", ""),
    ]


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


def test_verdicts_are_read() -> None:
    answer = lines.judge("c1 | supported\nc2 | partly | date | 2")

    assert answer is not None
    assert [(item.claim_id, item.verdict, item.fault, item.sentence) for item in answer.verdicts] == [
        ("c1", "supported", "", ""),
        ("c2", "partly", "date", "2"),
    ]


def test_an_assessment_is_read() -> None:
    answer = lines.assess(
        "**Sufficiency:** 6\ns1a2 | thin | the default | ice 1998\nd1 | open | who found out\nq1 | done"
    )

    assert answer is not None
    assert (answer.sufficiency, answer.done) == (6, ["q1"])
    assert [(one.point, one.status, one.missing, one.queries) for one in answer.open] == [
        ("s1a2", "thin", "the default", ["ice 1998"]),
        ("d1", "open", "who found out", []),
    ]
    assert lines.assess("s1a2 | thin | the default") is None


def test_claims_that_are_one_fact_are_read_and_none_is_no_such_claim() -> None:
    some, none = (
        lines.consolidate("same | c1, c4\nwithin | c5, c6\ncontradict | c2, c7 | version"),
        lines.consolidate("NONE"),
    )

    assert some is not None
    assert [one.claim_ids for one in some.same] == [["c1", "c4"]]
    assert [(one.claim_ids, one.reason) for one in some.contradict] == [(["c2", "c7"], "version")]
    assert none is not None
    assert (none.same, none.contradict) == ([], [])
    assert lines.consolidate("They all differ.") is None


def test_nothing_found_is_an_answer() -> None:
    read = lines.read("**NONE**")

    assert read is not None
    assert read.claims == []


def test_a_sketch_is_read_with_its_positions_and_sections() -> None:
    answer = lines.sketch(
        "Title: On ice\nd1 | c2, c5 | It floats | mostly.\n"
        "Density | table | c1, c2 | Ice is light.\nFish | c7 | They live."
    )

    assert answer is not None
    assert answer.title == "On ice"
    assert [(one.deliverable, one.premises, one.position) for one in answer.positions] == [
        ("d1", ["c2", "c5"], "It floats mostly.")
    ]
    assert [(one.heading, one.form, one.facts, one.thesis) for one in answer.sections] == [
        ("Density", "table", ["c1", "c2"], "Ice is light."),
        ("Fish", "prose", ["c7"], "They live."),
    ]
    assert lines.sketch("Density | table | c1 | Ice is light.") is not None
    assert lines.sketch("d1 | c1 | It floats.") is None


def test_a_review_is_read_with_what_it_asks_for() -> None:
    answer = lines.review(
        "**Worth:** 7/10\n2 | Say why | and how.\nSection 3 | Shorter.\nopening | No advice.\norder | 2, 1\n"
        "search | ice density"
    )

    assert answer is not None
    assert answer.worth == 7
    assert [(one.section, one.why) for one in answer.rewrite] == [("2", "Say why and how."), ("3", "Shorter.")]
    assert (answer.opening, answer.order, answer.queries) == ("No advice.", ["2", "1"], ["ice density"])
    assert lines.review("It is good.") is None


def test_repairs_are_read() -> None:
    repaired = lines.repair("1 | Softer.\n2 |")

    assert repaired is not None
    assert [(item.n, item.text) for item in repaired.sentences] == [("1", "Softer."), ("2", "")]
