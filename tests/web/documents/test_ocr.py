from datetime import date
from pathlib import Path
from typing import Any

import pypdfium2
import pytest

from deepresearch_mcp.web.documents import ocr
from deepresearch_mcp.web.documents.pdf import by_pdfium
from pdf_files import drawn

SCAN = drawn("q 500 0 0 700 0 0 cm BI /W 1 /H 1 /BPC 8 /CS /G ID x EI Q")


@pytest.fixture
def program(tmp_path: Path) -> Any:
    """A program in the place of tesseract that does what a line of shell does with the picture on its input."""

    def made(line: str) -> str:
        file = tmp_path / "tesseract"
        file.write_text(f"#!/bin/sh\n{line}\n")
        file.chmod(0o755)
        return str(file)

    return made


def test_a_page_is_handed_over_as_a_picture_and_its_words_come_back(program: Any) -> None:
    document = pypdfium2.PdfDocument(SCAN)

    [head] = ocr.recognised(document, program("head -c 2"))

    assert head == "P5"


@pytest.mark.parametrize("line", ["exit 3", "exec /nowhere/at/all"])
def test_a_program_that_fails_gives_no_words(program: Any, line: str) -> None:
    assert ocr.recognised(pypdfium2.PdfDocument(SCAN), program(line)) == [""]


def test_a_missing_program_gives_no_words(tmp_path: Path) -> None:
    assert ocr.recognised(pypdfium2.PdfDocument(SCAN), str(tmp_path / "none")) == [""]


def test_lines_of_a_picture_lose_their_padding() -> None:
    assert ocr.portable(b"ab--cd--", 2, 2, 4) == b"P5 2 2 255\nabcd"


@pytest.mark.skipif(not ocr.tesseract(), reason="tesseract is not installed")
def test_words_in_a_picture_are_read() -> None:
    large = drawn("BT /F1 30 Tf 72 600 Td (Ice floats on water.) Tj ET")
    page = pypdfium2.PdfDocument(large)[0].render(scale=2, grayscale=True)
    grey = "".join(f"{value:02x}" for value in ocr.portable(bytes(page.buffer), page.width, page.height, page.stride))
    pixels = grey[2 * len(f"P5 {page.width} {page.height} 255\n") :]
    scan = drawn(f"q 612 0 0 792 0 0 cm BI /W {page.width} /H {page.height} /BPC 8 /CS /G /F /AHx ID {pixels}> EI Q")

    read = by_pdfium(pypdfium2, scan, 1_000, date(2026, 11, 20))

    assert "Ice floats on water." in read.get("text", "")
    assert read.get("flags") == ["ocr"]
