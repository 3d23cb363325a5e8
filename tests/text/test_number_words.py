import pytest

from deepresearch_mcp.text.number_words import ending, in_digits


@pytest.mark.parametrize(
    ("words", "digits"),
    [
        ("twenty-five", "25"),
        ("one hundred and one thousand", "101000"),
        ("two million three hundred thousand and forty", "2300040"),
        ("one two", "1 , 2"),
        ("twenty twelve", "20 , 12"),
        ("five million", "5000000"),
        ("5 million", "5 million"),
        ("the tenth", "the 10th"),
        ("an hour", "an hour"),
        ("phone", "phone"),
        ("zero", "0"),
    ],
)
def test_number_words_are_written_in_digits(words: str, digits: str) -> None:
    assert in_digits(words, one=True) == digits


def test_the_pronoun_one_can_be_left_alone() -> None:
    assert in_digits("one of two", one=False) == "one of 2"


def test_ordinals_end_as_they_are_spoken() -> None:
    assert [ending(number) for number in (1, 2, 3, 4, 11, 12, 13, 21, 112)] == [
        "st",
        "nd",
        "rd",
        "th",
        "th",
        "th",
        "th",
        "st",
        "th",
    ]


def test_words_that_only_multiply_end_in_numbers_that_can_be_written() -> None:
    assert "100" in in_digits("hundred " * 5_000, one=True)
