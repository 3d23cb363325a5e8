"""Who stands with a name for a text."""

import pytest

from deepresearch_mcp.quality.authors import author_grade, is_person
from deepresearch_mcp.quality.loading import own_scale
from pipeline_fakes import page

SCALE = own_scale()
GRADES = SCALE.author


def worth(author: str = "", text: str = "Ice floats.", *, answers: bool = False) -> float:
    document = page("https://a.example/x", text).model_copy(update={"author": author})
    return author_grade(document, SCALE, answers=answers)


@pytest.mark.parametrize(
    ("author", "text", "wanted"),
    [
        ("Jane Doe", "Ice floats.", GRADES.person),
        ("Dr. Jane Doe", "Ice floats.", GRADES.credentials),
        ("Jane Doe", "Jane Doe, Department of Physics\n\nIce floats.", GRADES.credentials),
        ("Jane Doe", "Ice floats.\n" * 200 + "Jane Doe, PhD", GRADES.person),
        ("", "# Ice\n\nBy Jane van der Doe\n\nIce floats.", GRADES.person),
        ("", "By Jane Doe, PhD\n\nIce floats.", GRADES.credentials),
        ("", "By comparison, ice floats.", GRADES.unnamed),
        ("", "By Editorial Staff\n\nIce floats.", GRADES.organisation),
        ("Reuters", "Ice floats.", GRADES.organisation),
        ("The Ice Team", "Ice floats.", GRADES.organisation),
        ("", "Ice floats.", GRADES.unnamed),
    ],
)
def test_a_person_is_worth_more_than_an_office_and_an_office_more_than_no_one(author: str, text: str, wanted: float):
    assert worth(author, text) == wanted


def test_a_publisher_that_answers_for_its_texts_stands_in_for_a_name():
    assert worth(answers=True) == GRADES.organisation
    assert worth("Jane Doe", answers=True) == GRADES.person


@pytest.mark.parametrize(
    "name", ["Jane Doe", "Jane Q. Doe and John Smith", "J. K. Rowling", "山田太郎", "Doe, Jane and Smith, Ann"]
)
def test_names_of_people_are_known(name: str):
    # A name turned round shows one word before its comma: that alone is no person.
    assert is_person(name, SCALE) is (not name.startswith("Doe,"))


@pytest.mark.parametrize("name", ["", "admin", "Jane", "News Desk", "ACME Inc", "our editors", "x y z a b c d e"])
def test_offices_are_no_people(name: str):
    assert not is_person(name, SCALE)
