"""Blocks are rendered as Markdown that holds every word as a reader sees it."""

import pytest

from deepresearch_mcp.text.entries import entries
from deepresearch_mcp.web.pages.block_text import to_markdown
from deepresearch_mcp.web.pages.page_blocks import page_blocks
from deepresearch_mcp.web.pages.tree import load_page


def rendered(body: str) -> str:
    page = load_page(f"<html><body>{body}</body></html>")
    assert page is not None
    return to_markdown(page_blocks(page))


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ("<h2>Ice<br>and water¶</h2><p>Floats.</p>", "## Ice and water\n\nFloats."),
        ("<ul><li>a</li><li>b<ul><li>c</li></ul></li></ul><p>d</p>", "- a\n- b\n  - c\n\nd"),
        ("<ol start='3'><li>a</li><li><p>b</p><p>c</p></li></ol>", "3. a\n4. b\n   c"),
        ("<ul><li><h3>Card</h3><p>Text</p></li></ul>", "### Card\n\nText"),
        ("<blockquote><p>a</p><p>b</p></blockquote>", "> a\n\n> b"),
        ("<pre>x = 1\n# y</pre>", "```\nx = 1\n# y\n```"),
        ("<p># no heading</p><p>last</p>", "    # no heading\n\nlast".strip()),
    ],
)
def test_each_kind_of_block_has_its_form(body: str, text: str) -> None:
    assert rendered(body) == text


def test_an_entry_keeps_its_listing_its_table_and_what_follows() -> None:
    explained = f"<p>Waits.</p><pre>a:\n  b</pre><p>Then</p><table>{ROWS}</table><p>New in 3.11.</p>"

    text = rendered(f"<dl><dt>f(x)</dt><dd>{explained}</dd></dl><p>Other</p>")

    [entry] = entries(text)
    assert entry.title == "f(x)"
    assert text[entry.start : entry.end] == (
        "* f(x)\n: Waits.\n\n  ```\n  a:\n    b\n  ```\n\n  Then\n\n  | Sales | 10 | 20 |\n"
        "  | Costs | 5 | 8 |\n\n  New in 3.11."
    )


ROWS = "<tr><td>Sales</td><td>10</td><td>20</td></tr><tr><td>Costs</td><td>5</td><td>8</td></tr>"


def test_the_rows_of_a_table_s_head_give_each_column_one_name() -> None:
    head = "<tr><th></th><th colspan='2'>Three months ended</th></tr><tr><th>$m</th><th>2023</th><th>2024</th></tr>"

    assert rendered(f"<table>{head}{ROWS}</table>") == (
        "| $m | Three months ended 2023 | Three months ended 2024 |\n|---|---|---|\n"
        "| Sales | 10 | 20 |\n| Costs | 5 | 8 |"
    )


def test_a_table_without_a_head_keeps_its_rows() -> None:
    assert rendered(f"<table>{ROWS}</table>") == "| Sales | 10 | 20 |\n| Costs | 5 | 8 |"


def test_a_cell_that_spans_columns_leaves_the_others_in_their_place() -> None:
    row = "<tr><td>All</td><td colspan='2'>15</td><td>x</td></tr>"

    assert rendered(f"<table>{row}<tr><td>a</td><td>b</td><td>c</td><td>d</td></tr></table>").startswith(
        "| All | 15 |  | x |"
    )


def test_a_table_that_lays_out_a_page_is_no_table() -> None:
    assert rendered(f"<table><tr><td><p>{'word ' * 200}</p></td></tr><tr><td>b</td></tr></table>").startswith("word")
