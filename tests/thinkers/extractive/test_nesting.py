import pytest

from deepresearch_mcp.thinkers.extractive.nesting import nested


@pytest.mark.parametrize(
    ("question", "inner"),
    [
        ("What country was the author of Halmar a citizen of", "Who is the author of Halmar?"),
        (
            "Who was the first president of the association which published Review of Coastal Engineering",
            "What is the association which published Review of Coastal Engineering?",
        ),
        (
            "What kind of ship brought the relief to Hoshino Makoto's birthplace",
            "What is Hoshino Makoto's birthplace?",
        ),
        (
            "Which office was held by the singer who portrayed Marta Lindgren in the film",
            "Who is the singer who portrayed Marta Lindgren in the film?",
        ),
        ("What is the capital of France", ""),
        ("Who is the wife of Kim Jong-chul", ""),
        ("Why does ice float", ""),
        ("How large was the band of the regiment", ""),
    ],
)
def test_what_must_be_known_first_becomes_a_question_of_its_own(question: str, inner: str) -> None:
    assert nested(question) == inner
