"""What a question asks for, by its form."""

import pytest

from deepresearch_mcp.thinkers.extractive.scoping import scope_of


def test_a_comparison_has_subjects_aspects_and_its_recommendation() -> None:
    scope = scope_of("Compare Ora and Belvo on (a) price and (b) speed, and recommend one for a small shop.")

    assert scope.subjects == ("Ora", "Belvo")
    assert scope.aspects == ("price", "speed")
    assert [one.kind for one in scope.deliverables] == ["comparison", "comparison", "recommendation"]
    assert len(scope.cells) == 4


def test_aspects_may_stand_in_running_text_with_a_time() -> None:
    scope = scope_of("Compare Ora, Belvo and Kestrel by revenue, margins and debt since 2022, and judge which is best.")

    assert scope.subjects == ("Ora", "Belvo", "Kestrel")
    assert scope.aspects == ("revenue", "margins", "debt")
    assert scope.constraints == ("since 2022",)


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("Why does ice float?", "explanation"),
        ("How do I write a manager in Widget?", "how_to"),
        ("How many people live in Varn?", "figure"),
        ("Is it true that ice sinks?", "verdict"),
        ("Which is safest by default: Ora or Belvo?", "recommendation"),
        ("When was Varn founded?", "timeline"),
        ("Who wrote the song of Varn?", "answer"),
    ],
)
def test_the_form_of_a_question_says_what_is_to_be_delivered(question: str, kind: str) -> None:
    [asked] = scope_of(question).deliverables

    assert asked.kind == kind
