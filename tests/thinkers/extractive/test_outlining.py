from collections.abc import Callable

import pytest

from deepresearch_mcp.records.plan import Brief, SubQuestion
from deepresearch_mcp.thinkers.base import SubQuestionEvidence
from deepresearch_mcp.thinkers.extractive.outlining import heading_of, outline, title_of


@pytest.mark.parametrize(
    ("question", "heading"),
    [
        ("What are the causes of the French Revolution?", "Causes of the French Revolution"),
        ("Who is Ada Lovelace?", "Ada Lovelace"),
        ("How does PostgreSQL handle concurrent writers?", "How PostgreSQL handles concurrent writers"),
        ("Why does Python have a global statement?", "Why Python has a global statement"),
        ("How does Rust try this?", "How Rust tries this"),
        ("How does Rust pass values?", "How Rust passes values"),
        ("How do birds navigate?", "How birds navigate"),
        ("How can I learn the piano?", "How to learn the piano"),
        ("What is known about Go with regard to “speed”?", "Go: speed"),
        ("What is known about Go?", "Go"),
        ("What characterises lists?", "Lists"),
        ("How do lists and tuples differ?", "Lists and tuples compared"),
        ("How do A and B differ with regard to cost?", "A and B compared: cost"),
        ("How do cats and dogs differ in how they sleep?", "Cats and dogs compared"),
        ("Python: what do finally and else do?", "Python: what do finally and else do?"),
        ("Heat pumps: why prices rise", "Heat pumps: why prices rise"),
        ("What are metaclasses for?", "What are metaclasses for?"),
        ("Why did Rome fall?", "Why did Rome fall?"),
        ("noise limits", "Noise limits"),
        ("Wie schwimmt Eis?", "Wie schwimmt Eis?"),
    ],
)
def test_a_heading_is_a_phrase_where_the_form_allows(question: str, heading: str) -> None:
    assert heading_of(question) == heading


def test_sections_come_in_the_order_of_the_plan_and_no_heading_twice(
    brief: Callable[..., Brief], part: Callable[..., SubQuestion]
) -> None:
    texts = {"q1": "What is ice?", "q2": "Who is ice?", "q3": "What is snow?"}

    made = outline(
        brief("what is ice, and what is snow?"),
        [SubQuestionEvidence(part(text, name), ()) for name, text in texts.items()],
    )

    assert made.title == "What is ice, and what is snow?"
    assert [(section.heading, section.sub_questions) for section in made.sections] == [
        ("Ice", ("q1", "q2")),
        ("Snow", ("q3",)),
    ]


def test_what_was_found_for_the_whole_question_comes_last(
    brief: Callable[..., Brief], part: Callable[..., SubQuestion]
) -> None:
    parts = [
        SubQuestionEvidence(part("What are ice and snow?", "q0"), ()),
        SubQuestionEvidence(part("What is ice?", "q1"), ()),
    ]

    assert [section.heading for section in outline(brief(), parts).sections] == ["Ice", "Further findings"]
    assert [section.heading for section in outline(brief(), parts[:1]).sections] == ["Ice and snow"]


def test_a_long_question_is_cut_for_the_title() -> None:
    title = title_of("Is ice lighter than water? " + "Please say why in many words. " * 9)

    assert title == "Is ice lighter than water?"
    assert len(title_of("word " * 100)) <= 140
