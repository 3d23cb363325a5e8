from datetime import date

import pytest

from deepresearch_mcp.web.documents.finished import finished, own_name

TODAY = date(2026, 11, 20)


class Facts:
    title = ""
    author = "Ada"

    def __init__(self, created: str) -> None:
        self.created = created


def test_without_a_title_the_first_line_is_it() -> None:
    assert finished("docx", ["## Ice", "", "floats"], 99, None, TODAY).get("title") == "Ice"


@pytest.mark.parametrize(
    ("created", "published"),
    [("2024-03-05", "2024-03-05"), ("2030-01-01", ""), ("1980-01-01", ""), ("soon", ""), ("", "")],
)
def test_a_day_that_cannot_be_is_none(created: str, published: str) -> None:
    assert finished("docx", ["x"], 99, Facts(created), TODAY).get("published") == published


def test_pages_begin_where_their_blocks_do_and_empty_ones_are_counted() -> None:
    page = finished("pptx", ["Ice", "", "floats", "late"], 8, None, TODAY, pages=True)

    assert (page.get("text"), page.get("pages")) == ("Ice\n\nflo", [(0, 1), (5, 3)])


def test_nothing_is_a_reason() -> None:
    assert finished("docx", ["", " "], 99, None, TODAY).get("reason") == "empty"


@pytest.mark.parametrize(
    ("name", "own"),
    [
        ("untitled", ""),
        ("(anonymous)", ""),
        ("Untitled Document", ""),
        ("PowerPoint Presentation", ""),
        ("Microsoft Word - Ice report.doc", "Ice report.doc"),
        ("Untitled works of the twelfth century", "Untitled works of the twelfth century"),
        ("Ice", "Ice"),
    ],
)
def test_what_programs_write_by_themselves_is_no_title_and_no_author(name: str, own: str) -> None:
    assert own_name(name) == own
