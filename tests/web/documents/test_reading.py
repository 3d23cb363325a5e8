import json
from datetime import date
from typing import Any

import pytest

from deepresearch_mcp.web.documents.reading import read_document, read_text
from deepresearch_mcp.web.extract import parsed
from office_files import book, shape, slides, word_file, workbook
from pdf_files import drawn

TODAY = date(2026, 11, 20)
NOTEBOOK = json.dumps({"nbformat": 4, "cells": [{"cell_type": "markdown", "source": "Ice floats."}]})
FILES: dict[str, tuple[bytes, str]] = {
    "pdf": (drawn("BT /F1 12 Tf 72 700 Td (Ice floats.) Tj ET"), ""),
    "docx": (word_file("<w:p><w:r><w:t>Ice floats.</w:t></w:r></w:p>"), ""),
    "xlsx": (workbook('<row><c r="A1" t="str"><v>Ice floats.</v></c></row>'), ""),
    "pptx": (slides(shape("Ice floats.")), ""),
    "epub": (book("<p>Ice floats.</p>"), ""),
    "csv": (b"a,b\nIce floats.,1\n", "/ice.csv"),
    "email": (b"From: Ada <a@b.example>\nSubject: Ice\n\nIce floats.\n", "/ice.eml"),
    "notebook": (NOTEBOOK.encode(), "/ice.ipynb"),
    "subtitles": (b"1\n00:00:01,000 --> 00:00:02,000\nIce floats.\n", "/ice.srt"),
    "markdown": (b"Ice floats.", "/ice.md"),
    "text": (b"Ice floats.", "/ice"),
}


@pytest.mark.parametrize("kind", FILES)
def test_every_kind_of_document_is_known_by_its_content_or_its_suffix_and_read(kind: str) -> None:
    body, path = FILES[kind]

    page = parsed(body, f"https://a.example{path}", "", "", 10_000, 1_000_000, TODAY)

    assert page.get("kind") == kind
    assert "Ice floats." in page.get("text", "")


@pytest.mark.parametrize("kind", ["pdf", "docx", "xlsx", "pptx", "epub"])
@pytest.mark.parametrize("cut", [0.3, 0.6, 0.95])
def test_a_file_that_was_cut_off_ends_as_text_or_reason(kind: Any, cut: float) -> None:
    body, _ = FILES[kind]

    page = read_document(body[: int(len(body) * cut)], kind, 10_000, TODAY)

    assert page is not None
    assert page.get("text") or page.get("reason")


def test_json_that_is_no_notebook_is_read_as_json() -> None:
    assert read_text('{"a": 1}', "notebook", 100, TODAY).get("kind") == "json"
