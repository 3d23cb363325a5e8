from datetime import date
from io import BytesIO
from typing import Any

import pypdf
import pypdfium2
import pytest
from pypdf.generic import DictionaryObject, NameObject, StreamObject

from deepresearch_mcp.web.documents.ink import Ink
from deepresearch_mcp.web.documents.pdf import by_pdfium, by_pypdf

TODAY = date(2026, 11, 20)
PLAIN = "Ice floats on water because it is less dense, and lakes freeze from above."
SECRET = "Nobody sees this."


def read(stream: str, by: Any) -> Any:
    """What is read of a PDF of one page that is drawn by these operators."""
    writer = pypdf.PdfWriter()
    page = writer.add_blank_page(612, 792)
    font = {"/Type": "/Font", "/Subtype": "/Type1", "/BaseFont": "/Helvetica"}
    named = DictionaryObject({NameObject(key): NameObject(value) for key, value in font.items()})
    fonts = DictionaryObject({NameObject("/F1"): named})
    page[NameObject("/Resources")] = DictionaryObject({NameObject("/Font"): fonts})
    content = StreamObject()
    content.set_data(f"BT /F1 12 Tf 72 700 Td 14 TL {stream} ET".encode())
    page[NameObject("/Contents")] = writer._add_object(content)  # pyright: ignore[reportPrivateUsage] -- no public way
    made = BytesIO()
    writer.write(made)
    return by(made.getvalue(), 10_000, TODAY)


def pdfium(body: bytes, limit: int, today: date) -> Any:
    return by_pdfium(pypdfium2, body, limit, today)


@pytest.fixture(params=[by_pypdf, pdfium], ids=["pypdf", "pdfium"])
def by(request: pytest.FixtureRequest) -> Any:
    return request.param


def drawn(by: Any, before: str, after: str = "") -> Any:
    """A page on which one line stands between operators."""
    return read(f"({PLAIN}) Tj T* {before} ({SECRET}) Tj {after} T* (The end.) Tj", by)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("3 Tr", "0 Tr"),
        ("7 Tr", "0 Tr"),
        ("q 3 Tr", "Q"),
        ("1 g", "0 g"),
        ("1 1 1 rg", "0 0 0 rg"),
        ("0 0 0 0 k", "0 g"),
        ("/F1 0.5 Tf", "/F1 12 Tf"),
    ],
)
def test_text_that_is_drawn_invisibly_is_left_out_and_noted(by: Any, before: str, after: str) -> None:
    page = drawn(by, before, after)

    assert SECRET not in page["text"]
    assert "less dense" in page["text"]
    assert "The end." in page["text"]
    assert page["flags"] == ["hidden_text"]


@pytest.mark.parametrize(
    "before", ["0 Tr", "0.2 g", "0 0 1 rg", "0 0 0 1 k", "/F1 1 Tf 9 0 0 9 72 600 Tm", "0 0 50 50 re f 1 g"]
)
def test_text_that_is_seen_stays(by: Any, before: str) -> None:
    page = drawn(by, before)

    assert SECRET in page["text"]
    assert page["flags"] == []


def test_what_recognition_made_of_a_scan_is_kept(by: Any) -> None:
    page = read(f"(1) Tj T* 3 Tr ({PLAIN}) Tj 0 Tr T* (2) Tj", by)

    assert "less dense" in page["text"]
    assert page["flags"] == []


def test_a_state_that_was_never_saved_is_the_first_one() -> None:
    ink = Ink()

    for operator, operands in ((b"Tr", [3]), (b"Q", []), (b"Tr", [])):
        ink.follow(operator, operands)

    assert not ink.hides(12)
