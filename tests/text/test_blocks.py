import pytest
from hypothesis import given
from hypothesis import strategies as st

from deepresearch_mcp.text.blocks import blocks


def read(text: str) -> list[tuple[str, str]]:
    return [(block.kind, text[block.start : block.end]) for block in blocks(text)]


def test_a_text_is_read_as_headings_prose_tables_and_listings() -> None:
    text = "# Title #\nProse\ngoes on.\n| a |\n|---|\n\n~~~\n# code\n\n~~~\nUnder\n---\nend\n````\nopen ```\n"

    assert read(text) == [
        ("heading", "# Title #"),
        ("prose", "Prose\ngoes on."),
        ("table", "| a |\n|---|"),
        ("code", "~~~\n# code\n\n~~~"),
        ("heading", "Under\n---"),
        ("prose", "end"),
        ("code", "````\nopen ```"),
    ]


def test_headings_have_a_level_and_a_title_without_marks() -> None:
    found = [(block.level, block.title) for block in blocks("## A **b** `c` ##\n\nTop\n===\n\n#\n\n####### no")]

    assert found == [(2, "A b c"), (1, "Top"), (1, ""), (0, "")]


@pytest.mark.parametrize(
    ("heading", "title"),
    [
        ("select_for_update()", "select_for_update()"),
        ("__init__() and __del__()", "__init__() and __del__()"),
        ("`__init__`", "__init__"),
        ("_private", "_private"),
        ("run(*args, **kwargs)", "run(*args, **kwargs)"),
        ("f(a, *, b=2 ** 3, *c)", "f(a, *, b=2 ** 3, *c)"),
        ("Introduction to C#", "Introduction to C#"),
        ("Introduction to C# ##", "Introduction to C#"),
        ("***Very** strong*", "***Very** strong*"),
        ("**Very `strong_`**, __and so on__ `*too*`", "Very strong_, and so on *too*"),
    ],
)
def test_a_title_loses_marks_and_never_a_part_of_a_name(heading: str, title: str) -> None:
    assert [block.title for block in blocks(f"## {heading}")] == [title]


def test_a_listing_within_a_nested_list_is_one() -> None:
    text = "  - item\n    ```\n    # no heading\n    ```\n  - next"

    assert [block.kind for block in blocks(text)] == ["prose", "code", "prose"]


def test_a_rule_under_more_than_one_line_makes_no_heading() -> None:
    assert [block.kind for block in blocks("one\ntwo\n---\nthree")] == ["prose"]


@given(st.text(alphabet="a \n#|`~-=", max_size=200))
def test_blocks_hold_all_that_is_not_blank(text: str) -> None:
    at = 0
    for block in blocks(text):
        assert text[at : block.start].strip() == ""
        assert at <= block.start < block.end
        at = block.end
    assert text[at:].strip() == ""


def test_backquotes_that_close_on_their_line_open_no_listing() -> None:
    text = "```SELECT 1```\nSaid so.\n\n```sql\nSELECT 2\n```"

    assert [(one.kind, text[one.start : one.end][:9]) for one in blocks(text)] == [
        ("prose", "```SELECT"),
        ("code", "```sql\nSE"),
    ]
