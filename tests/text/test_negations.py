import pytest

from deepresearch_mcp.text.negations import contradicts, negations


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("It is not so, never was, and can't be without help", 4),
        ("It cannot; neither did it; hardly anybody; none", 4),
        ("It won’t", 1),
        ("Not only this but also that. No doubt. No. 5 and no 10", 0),
        ("No more than 20, not less than 5 and no later than May", 0),
        ("It is no more, and no longer asked for", 2),
        ("no help", 1),
        ("Das ist nicht kein Problem, ohne uns", 3),
        ("Il ne va pas, sans rien", 2),
        ("No vino nadie, nunca", 3),
        ("It is so", 0),
    ],
)
def test_negations_are_counted_in_four_languages(text: str, count: int) -> None:
    assert negations(text) == count


@pytest.mark.parametrize(
    ("claim", "evidence", "differs"),
    [
        ("The board raised rates", "The board did not raise rates", True),
        ("The board did not raise rates", "The board raised rates", True),
        ("The board failed to raise rates", "The board did not raise rates", False),
        ("Rates rose", "The board did not meet, and rates rose.", False),
        ("The board did not raise rates", "Nothing helped: the board raised rates", True),
        ("It does not work that way", "People do not think it works", False),
        ("Die Bank erhöht die Zinsen", "Die Bank erhöht die Zinsen nicht", True),
        ("It is not.", "It is not, so be it.", False),
    ],
)
def test_texts_contradict_where_one_denies_what_the_other_states(claim: str, evidence: str, *, differs: bool) -> None:
    assert contradicts(claim, evidence) is differs
