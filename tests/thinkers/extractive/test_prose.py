import pytest
from hypothesis import given
from hypothesis import strategies as st

from deepresearch_mcp.thinkers.extractive.prose import (
    clauses,
    clean,
    clip,
    dangles,
    finished,
    is_closed,
    is_prose,
    label,
    points,
)


@pytest.mark.parametrize(
    ("raw", "cleaned"),
    [
        ("An exception is *raised* **here**\nand ***now***.", "An exception is raised here and now."),
        ("The `__init__` of *args and **kwargs, x = 2 * 3 * 4.", "The __init__ of *args and **kwargs, x = 2 * 3 * 4."),
        ("Call ``open()`` or :func:`os.path.join <join>` now.", "Call open() or os.path.join now."),
        ('See [the page](https://a.example/x_(y) "T") and ![icon](i.png)it.', "See the page and it."),
        ("A [ref][1] and a `link <https://a.example>`_ here.", "A ref and a link here."),
        ("Ice floats.[1][2] It is light [citation needed].", "Ice floats. It is light."),
        ("Ice floats.[a]", "Ice floats."),
        ("It takes a[k] of the list.", "It takes a[k] of the list."),
        ("A non-\nvirtual <b>base</b> class\\*.", "A non-virtual base class*."),
        ("It is made (see section 3) of _old_ and __very old__ snow.", "It is made of old and very old snow."),
    ],
)
def test_marks_go_and_words_stay(raw: str, cleaned: str) -> None:
    assert clean(raw) == cleaned


def test_a_label_before_a_sentence_is_counted() -> None:
    assert label("Note: ice floats.") == 6
    assert label("**Warning:** ice") == 13
    assert label("Notes were taken.") == 0


@pytest.mark.parametrize(
    "text",
    [
        "Ice floats on water because it is less dense than water.",
        "iPhone sales rose by a third in the year before last.",
        "冰浮在水上，因为冰的密度比水小得多。",
        "Sea Rovers Go! Is a Norwegian Illustrated Radio Series Made Here.",
    ],
)
def test_a_sentence_that_says_something_is_prose(text: str) -> None:
    assert is_prose(text)


@pytest.mark.parametrize(
    "text",
    [
        "Too short to say much.",
        "a fragment that begins in the middle of a sentence somewhere.",
        "What is the reason why ice floats on water at all?",
        "The following words introduce a list of things that come next:",
        "Click here to read more about the density of ice and water.",
        "See also the chapter on the density of ice, water and steam.",
        "The rules are described in greater detail in the section on imports.",
        "Changed in version 3.8: the statement was illegal in the clause.",
        ">>> print(ice) shows that the value of ice is smaller than water",
        "Home Products Solutions Partners Company Contact Imprint Careers",
        "1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15 and so on 16, 17",
        "x" * 500 + " is far too long.",
        "Extraordinarily longwinded menu entries everywhere",
        "The specification for the nonlocal statement.",
        "False await else import pass None break except in raise class is return and continue for try as def from del",
    ],
)
def test_menus_code_questions_and_fragments_are_no_prose(text: str) -> None:
    assert not is_prose(text)


@pytest.mark.parametrize(
    "text", ["It floats.", "However, ice floats.", "In this case ice floats.", "Called when it ends."]
)
def test_an_opening_that_leans_on_the_sentence_before_is_known(text: str) -> None:
    assert dangles(text)


@pytest.mark.parametrize(
    "text", ["Ice floats.", "It is known that ice floats.", "Both ice and snow float.", "Its-a-me floats."]
)
def test_an_opening_that_stands_by_itself_is_known(text: str) -> None:
    assert not dangles(text)


def test_a_sentence_that_points_elsewhere_is_known() -> None:
    assert points("Few types have this operator.")
    assert not points("Few types have operators.")


def test_a_sentence_is_closed_with_one_stop() -> None:
    assert finished("Ice floats,") == "Ice floats."
    assert finished("Ice floats…") == "Ice floats…"
    assert finished("Does ice float?") == "Does ice float?"
    assert finished("冰浮在水上") == "冰浮在水上。"
    assert finished(" ,") == ""
    assert is_closed("“Ice floats.”")


def test_a_long_sentence_is_cut_at_a_clause_and_else_between_words() -> None:
    text = "Writers go on in parallel by keeping versions, whereas readers wait for the one who writes to the very end"

    assert clip(text, 70) == "Writers go on in parallel by keeping versions…"
    assert clip("one two three four five six", 12) == "one two…"
    assert clip("short", 12) == "short"
    assert clip("Donaudampfschifffahrtsgesellschaft", 12) == ""
    assert clip("冰浮在水上因为冰比水轻得多", 6) == "冰浮在水上…"


def test_an_open_bracket_is_no_place_to_cut() -> None:
    assert clip("Ice (which is frozen water, as said) floats on water and so on", 40).count("(") in {0, 1}
    assert clip("It holds (one, two, three and many more things than that) for us", 24) == "It holds (one, two…"


@given(st.text(alphabet="ab ,;()", max_size=120), st.integers(min_value=1, max_value=60))
def test_clipping_keeps_the_limit_and_cutting_into_clauses_loses_nothing(text: str, limit: int) -> None:
    assert len(clip(text, limit)) <= limit
    assert "".join(clauses(text)) == text
