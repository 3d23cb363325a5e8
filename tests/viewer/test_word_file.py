import io
import re
from typing import Any
from zipfile import ZipFile

import docx
import pytest
from docx.document import Document

from deepresearch_mcp.viewer.word_file import as_docx
from exported_runs import HOSTILE, MVCC, run_of

NO_DOCUMENTS: Any = None


async def opened(report: str = "", **given: Any) -> tuple[Document, ZipFile]:
    made = await as_docx(run_of(report, **given) if report else run_of(**given), NO_DOCUMENTS)
    return docx.Document(io.BytesIO(made)), ZipFile(io.BytesIO(made))


async def test_a_report_is_a_word_document_with_its_headings_tables_and_lists() -> None:
    document, parts = await opened()

    styles = [(one.text, one.style.name) for one in document.paragraphs if one.style and one.text]
    assert styles[0] == ("How do PostgreSQL and SQLite handle concurrent writers?", "Title")
    assert ("Side by side", "Heading 1") in styles
    assert ("Details", "Heading 2") in styles
    [table] = document.tables
    assert [cell.text for cell in table.rows[0].cells] == ["What", "PostgreSQL", "SQLite", "Sources"]
    assert table.rows[1].cells[3].text == "[1, 2]"
    assert (table.columns[1].width or 0) > (table.columns[3].width or 0)
    assert "BEGIN IMMEDIATE;\nCOMMIT;" in [one.text for one in document.paragraphs]
    xml = parts.read("word/document.xml").decode()
    assert xml.count("<w:tblHeader/>") == 1
    assert len(re.findall("<w:numPr>", xml)) == 7
    told = document.core_properties
    assert (told.title, told.author) == (styles[0][0], "deepresearch-server 0.16.0")


async def test_marks_lead_to_references_and_these_to_their_pages() -> None:
    document, parts = await opened()

    xml = parts.read("word/document.xml").decode()
    anchors = set(re.findall(r'w:anchor="([^"]+)"', xml))
    assert anchors == set(re.findall(r'w:bookmarkStart [^>]*w:name="([^"]+)"', xml)) == {"source-1", "source-2"}
    targets = {one.target_ref for one in document.part.rels.values() if one.is_external}
    assert f"{MVCC}#:~:text=each%20SQL%20statement" in targets
    assert len(targets) == 2


async def test_pages_are_numbered() -> None:
    _, parts = await opened()

    footer = parts.read("word/footer1.xml").decode()
    assert re.findall(r'w:instr="([^"]+)"', footer) == ["PAGE", "NUMPAGES"]
    assert "run 7k2m9qd4x0w5" in footer


@pytest.mark.parametrize("title", ["Why does ice float on water, and what would lakes be without it? " * 3, "冰" * 90])
async def test_a_long_question_does_not_push_the_number_of_the_page_to_a_second_line(title: str) -> None:
    document, _ = await opened(f"# {title}\n\nIt is less dense.\n")

    footer = document.sections[0].footer.paragraphs[0].text
    assert "…" in footer
    # 166 mm hold about a hundred characters of 8 points; a Chinese one is as wide as two.
    assert len(footer) + footer.count("冰") <= 100


async def test_a_hostile_report_is_only_text_in_it() -> None:
    document, parts = await opened(HOSTILE)

    xml = parts.read("word/document.xml").decode()
    assert not re.search(r"<w:(?:fldSimple|instrText|fldChar|object|altChunk|drawing|pict|hyperlink r:id)", xml)
    assert not [one.target_ref for one in document.part.rels.values() if one.is_external]
    assert not [one for one in parts.namelist() if "vba" in one.lower() or "embed" in one.lower()]
    text = "\n".join(one.text for one in document.paragraphs)
    assert "DDEAUTO" in text
    assert "<script>alert(1)</script>" in text
    assert document.tables[0].rows[0].cells[0].text == "=1+1"


async def test_text_from_the_right_is_set_from_the_right() -> None:
    _, parts = await opened(HOSTILE, language="ar")

    xml = parts.read("word/document.xml").decode()
    arabic = next(one for one in re.findall(r"<w:p>.*?</w:p>", xml, re.DOTALL) if "هذا نص" in one)
    assert "<w:bidi/>" in arabic
    assert "<w:rtl/>" in arabic
    assert 'w:bidi="ar"' in parts.read("word/styles.xml").decode()


async def test_one_report_gives_one_file() -> None:
    assert await as_docx(run_of(), NO_DOCUMENTS) == await as_docx(run_of(), NO_DOCUMENTS)


@pytest.mark.parametrize("report", ["", "# \n", "| a |\n| - |\n"])
async def test_a_report_of_next_to_nothing_is_a_document_too(report: str) -> None:
    made = await as_docx(run_of(report), NO_DOCUMENTS)

    assert docx.Document(io.BytesIO(made)).sections
