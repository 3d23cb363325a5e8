"""Text that is kept brings along what it belongs to."""

import pytest

from deepresearch_mcp.web.pages.block_heads import with_heads
from deepresearch_mcp.web.pages.page_blocks import page_blocks
from deepresearch_mcp.web.pages.tree import load_page


def kept(body: str, *, title: str = "") -> list[str]:
    """Return the texts kept of a page if the trees keep only those that begin with "Text"."""
    page = load_page(f"<html><body>{body}</body></html>")
    assert page is not None
    blocks = page_blocks(page)
    found = with_heads(blocks, [block.text.startswith("Text") for block in blocks], title=title)
    return [block.text for block, is_kept in zip(blocks, found, strict=True) if is_kept]


ROW = "<tr><th>Sales</th><td>Text 10</td></tr><tr><th>Costs</th><td>5</td></tr>"


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("<h2>A</h2><p>Text a</p><h2>B</h2><p>b</p>", ["A", "Text a"]),
        ("<h1>A</h1><h2>B</h2><h3>C</h3><p>Text</p>", ["A", "B", "C", "Text"]),
        ("<div><h2>A</h2></div><div><p>Text</p></div>", ["A", "Text"]),
        ("<section><h2>A</h2><p>a</p></section><p>Text</p>", ["Text"]),
        ("<div><header><h2>A</h2><p>by me</p></header><p>Text</p></div>", ["A", "Text"]),
        ("<div><h3>A</h3><div><h2>Note</h2><p>n</p></div><p>Text</p></div>", ["A", "Text"]),
        ("<nav><h2>A</h2><p>Text</p></nav>", ["Text"]),
        ("<details><summary>Q</summary>Text</details><details><summary>R</summary>r</details>", ["Q", "Text"]),
        ("<dl><dt>a()</dt><dd>Text</dd><dt>b()</dt><dd>c</dd></dl>", ["a()", "Text"]),
        ("<dl><dt>a()</dt><dt>b()</dt><dd>Text</dd></dl>", ["a()", "b()", "Text"]),
        ("<dl><dt>A</dt><dd><dl><dt>a()</dt><dd>Text</dd></dl></dd></dl>", ["A", "a()", "Text"]),
        ("<dl><div><dt>a</dt><dd>Text</dd></div><div><dt>b</dt><dd>c</dd></div></dl>", ["a", "Text"]),
        ("<dl><dt>a</dt><dd>b</dd></dl><dl><dd>Text</dd></dl>", ["Text"]),
        (f"<table>{ROW}</table>", ["Sales", "Text 10"]),
        (f"<table><tr><th></th><th>2024</th></tr>{ROW}</table>", ["2024", "Sales", "Text 10"]),
        (f"<table><caption>$m</caption>{ROW}</table><table><caption>C</caption></table>", ["$m", "Sales", "Text 10"]),
    ],
)  # fmt: skip
def test_what_names_kept_text_is_kept(body: str, found: list[str]) -> None:
    assert kept(body) == found


def test_the_title_that_is_told_anyway_is_not_added() -> None:
    body = "<h1>Ice floats</h1><h2>B</h2><p>Text</p>"

    assert kept(body, title="Ice floats | News") == ["B", "Text"]
    assert kept(body, title="News") == ["Ice floats", "B", "Text"]


def test_a_heading_as_long_as_a_paragraph_names_nothing() -> None:
    assert kept(f"<h2>{'word ' * 100}</h2><p>Text</p>") == ["Text"]
