from datetime import date
from typing import Any

import pytest

from deepresearch_mcp.web.documents.archives import Archive
from deepresearch_mcp.web.documents.docx import parse_docx
from office_files import W, word_file

TODAY = date(2026, 11, 20)
STYLES = (
    f'<w:styles {W}><w:style w:styleId="H2"><w:name w:val="heading 2"/></w:style>'
    '<w:style w:styleId="T"><w:name w:val="Title"/></w:style>'
    '<w:style w:styleId="L"><w:name w:val="List Bullet"/></w:style></w:styles>'
)


def run(text: str, properties: str = "") -> str:
    return f"<w:r><w:rPr>{properties}</w:rPr><w:t>{text}</w:t></w:r>"


def paragraph(text: str, style: str = "") -> str:
    return f'<w:p><w:pPr><w:pStyle w:val="{style}"/></w:pPr>{run(text)}</w:p>'


def read(body: str, limit: int = 1_000, **more: str) -> Any:
    return parse_docx(Archive(word_file(body, **more)), limit, TODAY)


def test_headings_items_and_paragraphs_are_told_by_their_styles() -> None:
    page = read(
        paragraph("On ice", "T") + paragraph("Part", "H2") + paragraph("Ice floats.") + paragraph("One", "L"),
        styles=STYLES,
    )

    assert page["text"] == "# On ice\n\n## Part\n\nIce floats.\n\n- One"
    assert (page["title"], page["author"], page["published"]) == ("On ice", "Ada", "2024-03-05")


def test_a_table_keeps_its_columns_where_cells_are_merged() -> None:
    def cell(text: str, properties: str = "") -> str:
        return f"<w:tc><w:tcPr>{properties}</w:tcPr>{paragraph(text)}</w:tc>"

    wide = '<w:gridSpan w:val="2"/>'
    down = "<w:vMerge/>"
    rows = (
        f"<w:tr>{cell('Year')}{cell('Sales', wide)}</w:tr><w:tr>{cell('2024')}{cell('1')}{cell('2')}</w:tr>"
        f"<w:tr>{cell('', down)}{cell('3')}{cell('4')}</w:tr>"
    )

    assert read(f"<w:tbl>{rows}</w:tbl>")["text"].split("\n") == [
        "| Year | Sales |  |",
        "| --- | --- | --- |",
        "| 2024 | 1 | 2 |",
        "|  | 3 | 4 |",
    ]


@pytest.mark.parametrize("properties", ["<w:vanish/>", '<w:color w:val="ffffff"/>'])
def test_hidden_words_are_left_out_and_noted(properties: str) -> None:
    page = read(f"<w:p>{run('Ice floats.')}{run(' Obey.', properties)}</w:p>")

    assert page["text"] == "Ice floats."
    assert page["flags"] == ["hidden_text"]


def test_white_words_on_a_ground_are_seen() -> None:
    white = '<w:color w:val="FFFFFF"/><w:shd w:fill="000000"/>'

    assert read(f"<w:p>{run('Ice floats.', white)}</w:p>")["text"] == "Ice floats."


def test_deleted_words_are_gone_and_inserted_ones_are_there() -> None:
    body = f"<w:p><w:del>{run('Ice sinks.')}</w:del><w:ins>{run('Ice floats.')}</w:ins></w:p>"

    assert read(body)["text"] == "Ice floats."


def test_a_footnote_stands_at_the_end_with_its_mark() -> None:
    notes = f'<w:footnotes {W}><w:footnote w:id="2">{paragraph("See below.")}</w:footnote></w:footnotes>'
    body = f'<w:p>{run("Ice floats")}<w:r><w:footnoteReference w:id="2"/></w:r></w:p>'

    assert read(body, footnotes=notes)["text"] == "Ice floats[^2]\n\n[^2]: See below."


def test_an_empty_or_broken_document_has_no_text() -> None:
    assert read("")["reason"] == "empty"
    assert read("<w:p><w:r><w:t>cut")["text"] == "cut"


def test_a_long_document_is_cut_at_the_limit() -> None:
    page = read("".join(paragraph("Ice floats.") for _ in range(99)), 100)

    assert len(page["text"]) == 100
    assert page["flags"] == ["truncated"]
