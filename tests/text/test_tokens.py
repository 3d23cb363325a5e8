import pytest
from hypothesis import given
from hypothesis import strategies as st

from deepresearch_mcp.text.tokens import estimate, first_fitting, upper_bound

KNOWN = [
    # Counted with o200k.
    ("The quick brown fox jumps over the lazy dog.", 10),
    ("def add(a, b):\n    return a + b\n", 12),
    ("Der schnelle braune Fuchs springt über den faulen Hund.", 14),
    ("今天的天气很好，我们去公园吧。", 10),
    ("Сегодня хорошая погода, пойдём в парк.", 12),
    ("9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08", 43),
]


@pytest.mark.parametrize(("text", "tokens"), KNOWN)
def test_the_bound_holds_and_the_estimate_is_near(text: str, tokens: int) -> None:
    assert upper_bound(text) >= tokens
    assert 0.6 * tokens <= estimate(text) <= 1.6 * tokens


def test_nothing_costs_nothing() -> None:
    assert estimate("") == 0
    assert upper_bound("") == 0


def test_prose_is_not_reserved_for_three_times_over() -> None:
    prose = (
        "The committee said in its report that the rates of the bank would not rise before the end of the year. " * 20
    )

    assert upper_bound(prose) <= 1.8 * estimate(prose)


def test_a_word_in_a_language_with_accents_is_counted_as_one_word() -> None:
    assert estimate("élégamment préféré") < 10


@given(st.text(alphabet=st.characters(), max_size=300))
def test_no_bound_is_above_the_bytes_or_below_the_estimate_of_characters(text: str) -> None:
    size = len(text.encode("utf-8", "surrogatepass"))

    assert 0 <= upper_bound(text) <= size
    assert 0 <= estimate(text) <= size


@pytest.mark.parametrize(
    "text",
    ["😀🎉🚀", "ᚠᚢᚦ" * 20, "x" * 50, "    \n   " * 20, "aGVsbG8gd29ybGQ=" * 5, "नमस्ते दुनिया", "!?" * 20, " " * 40],
)
def test_data_and_rare_scripts_are_bounded_near_their_bytes(text: str) -> None:
    assert upper_bound(text) >= min(len(text.encode()), len(text) // 4)


def test_the_first_texts_that_fit_together_are_kept_and_the_first_one_always() -> None:
    texts = ("four", "five5", "six666")

    assert first_fitting(texts, 9, len) == ("four", "five5")
    assert first_fitting(texts, 3, len) == ("four",)
    assert first_fitting((), 9) == ()
