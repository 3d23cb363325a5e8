import pytest

from deepresearch_mcp.thinkers.extractive.nesting import nested


@pytest.mark.parametrize(
    ("question", "inner"),
    [
        ("What country was the author of Brand a citizen of", "Who is the author of Brand?"),
        (
            "Who was the first president of the association which published Journal of Psychotherapy Integration",
            "What is the association which published Journal of Psychotherapy Integration?",
        ),
        (
            "What kind of plane dropped the bomb on Akinoshu Kenji's birthplace",
            "What is Akinoshu Kenji's birthplace?",
        ),
        (
            "Which office was held by the woman who portrayed Corliss Archer in the film",
            "Who is the woman who portrayed Corliss Archer in the film?",
        ),
        ("What is the capital of France", ""),
        ("Who is the wife of Kim Jong-chul", ""),
        ("Why does ice float", ""),
        ("How large was the band of the regiment", ""),
    ],
)
def test_what_must_be_known_first_becomes_a_question_of_its_own(question: str, inner: str) -> None:
    assert nested(question) == inner
