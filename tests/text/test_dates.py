import pytest

from deepresearch_mcp.text.dates import dates, months_named


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("March 2024, Mar. 2024, März 2024, mars 2024, marzo de 2024", {"2024-03"}),
        (
            "March 5, 2024; 5 March 2024; 5th of March 2024; Mar. 5 2024; 2024-03-05T10:00; 2024/3/5; 5.3.2024",
            {"2024-03-05"},
        ),
        ("am 5. März 2024, le 5 mars 2024, el 5 de marzo de 2024", {"2024-03-05"}),
        ("03/05/2024", {"2024-03-05"}),
        ("25/12/2024", {"2024-12-25"}),
        ("March 5-7, 2024 and 8 to 9 May", {"2024-03-05", "2024-03-07", "--05-08", "--05-09"}),
        ("March 5", {"--03-05"}),
        ("Set to 1 may only be read; FTS5 may be used; 2 may not; until 3 May", {"--05-03"}),
        ("Q1 2024, the first quarter of 2024 and the last quarter of 2023", {"2024-Q1", "2023-Q4"}),
        ("the 1990s and 1980's", {"1990s", "1980s"}),
        ("between 1999 and 2001", {"1999", "2001"}),
        ("2018–19 and 2009/10", {"2018", "2019", "2009", "2010"}),
        ("2010-11", {"2010-11", "2011"}),
        ("2010-05", {"2010-05"}),
        ("2010-45", {"2010"}),
        ("1,999 people, 1999.5, 1999%, $1999, 5000, v1.2024, 40/50/2024, 2024-13-45, March 45", set[str]()),
    ],
)
def test_each_date_has_one_canonical_form(text: str, found: set[str]) -> None:
    assert dates(text) == found


def test_months_are_known_by_name_and_by_number() -> None:
    found = [("2024-03-05",), ("--06-06",), ("1999", "1990s", "2024-Q1")]

    assert months_named("in may, on 2024-03-05 and 6 june", found) == {3, 5, 6}
