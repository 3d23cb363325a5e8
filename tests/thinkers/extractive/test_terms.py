import pytest

from deepresearch_mcp.thinkers.extractive.terms import (
    asked,
    coverage,
    grams,
    kind_names,
    names,
    pairs,
    phrases,
    split_topic,
    stems,
    telling,
    unique,
    wanted,
    weight,
)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Who founded the University of California?", ("University of California",)),
        ("J. K. Rowling met G. Stanley Hall in the U.S. today.", ("J. K. Rowling", "G. Stanley Hall", "U.S.")),
        ("Seasonality is a pattern.", ()),
        ("Seasonality is a pattern; that Seasonality recurs.", ("Seasonality",)),
        ("PostgreSQL is a database.", ("PostgreSQL",)),
        ("Execution of Python code stops.", ("Python",)),
        (
            "The film “Grey Harbour” uses os.path.join() and max_retries.",
            ("Grey Harbour", "os.path.join()", "max_retries"),
        ),
        ("What is Hoshino Makoto's birthplace?", ("Hoshino Makoto",)),
        ("Then It Was The. And so on, I said.", ()),
    ],
)
def test_names_are_found_whole_and_common_words_are_not(text: str, found: tuple[str, ...]) -> None:
    assert names(text) == found


def test_a_question_is_its_content_words() -> None:
    assert asked("What is the name of the river in Rome?") == ("river", "rome")
    assert wanted("rivers and river") == ("river",)


def test_a_question_of_common_words_keeps_what_it_can() -> None:
    assert asked("What do finally and else do?") == ("finally", "else")
    assert asked("What is the difference?") == ("difference",)


def test_phrases_keep_names_whole_and_drop_what_shapes_a_question() -> None:
    assert phrases("What kind of ship brought the relief to Hoshino Makoto's birthplace?") == (
        "ship",
        "brought",
        "relief",
        "Hoshino Makoto",
        "birthplace",
    )


def test_a_name_over_the_end_of_a_line_is_taken_word_by_word() -> None:
    assert phrases("the Bank\nof England") == ("Bank", "England")


def test_names_meet_with_and_without_their_accents() -> None:
    assert stems("Akinoshū") == stems("Akinoshu")


def test_pairs_tell_what_single_words_do_not() -> None:
    asked = pairs("What does a with statement do with an exception?")

    assert asked & pairs("The with statement")
    assert not asked & pairs("The try statement")
    assert not asked & pairs("What it is, and what it does")


def test_an_adverb_is_not_its_adjective() -> None:
    assert stems("finally") != stems("final")


def test_common_words_count_where_they_are_asked_for() -> None:
    assert stems("or else", also=frozenset({"else"})) == ["els"]
    assert stems("und ice", "de") == ["ice"]


def test_coverage_is_the_share_of_words_found_anywhere() -> None:
    assert coverage(("a", "b"), ["a"], ["c"]) == 0.5
    assert coverage((), ["a"]) == 0.0


def test_words_of_any_page_count_half_and_tell_no_topic() -> None:
    assert coverage(wanted("global change"), ["chang"]) == pytest.approx(1 / 3)
    assert weight("global") == 2 * weight("chang") == 1.0
    assert telling(wanted("global change")) == {"global"}
    assert telling(wanted("great change")) == {"great", "chang"}


def test_words_that_share_a_root_share_grams() -> None:
    assert grams("biolog") & grams("biologist")
    assert grams("ice") == {"ice"}
    assert not grams("")


def test_a_topic_before_a_colon_is_parted_from_what_is_asked() -> None:
    assert split_topic("Python: what does else do?") == ("Python", "what does else do?")
    assert split_topic("What is ice?") == ("", "What is ice?")
    assert split_topic("one two three four five six seven: what?")[0] == ""


def test_repeats_in_another_case_are_dropped_and_the_first_stays_first() -> None:
    assert unique(["Ice", "ice", "sea"]) == ("Ice", "sea")


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("What does the with statement do?", ("with statement",)),
        ("How do I write a for loop in Orasql?", ("for loop",)),
        ("What is the `not in` operator?", ("not in operator",)),
        ("What does the on delete option do?", ("on delete option",)),
        ("How do the and and or operators differ?", ("and operator", "or operator")),
        ("What is operator overloading in keyword arguments?", ()),
    ],
)
def test_a_common_word_before_a_kind_is_a_name(question: str, expected: tuple[str, ...]) -> None:
    assert kind_names(question) == expected
    assert set(expected[:1]) <= set(phrases(question))
