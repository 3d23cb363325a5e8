from collections.abc import Callable
from datetime import date
from io import BytesIO
from typing import Any, cast, get_args

import pypdf
import pypdf.errors
import pytest

from deepresearch_mcp.exceptions import UnreadReason
from deepresearch_mcp.web.documents.pdf import by_pdfium, by_pypdf, parse_pdf

TODAY = date(2026, 11, 20)


def pdf(*pages: str, password: str = "", **metadata: str) -> bytes:
    """A PDF of lines of text, written by hand: one font, one line a page."""
    objects = ["<< /Type /Catalog /Pages 2 0 R >>", ""]
    kids: list[str] = []
    for text in pages:
        stream = f"BT /F1 12 Tf 72 700 Td 14 TL {' '.join(f'({line}) Tj T*' for line in text.split(chr(10)))} ET"
        objects.append(f"<< /Length {len(stream)} >>\nstream\n{stream}\nendstream")
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents {len(objects)} 0 R"
            " /Resources << /Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >> >>"
        )
        kids.append(f"{len(objects)} 0 R")
    objects[1] = f"<< /Type /Pages /Count {len(kids)} /Kids [{' '.join(kids)}] >>"
    out = BytesIO(b"%PDF-1.4\n")
    out.seek(0, 2)
    offsets = []
    for number, text in enumerate(objects, 1):
        offsets.append(out.tell())
        out.write(f"{number} 0 obj\n{text}\nendobj\n".encode())
    start = out.tell()
    rows = "".join(f"{offset:010} 00000 n \n" for offset in offsets)
    out.write(f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n{rows}".encode())
    out.write(f"trailer\n<< /Size {len(objects) + 1} /Root 1 0 R >>\nstartxref\n{start}\n%%EOF\n".encode())
    if not (password or metadata):
        return out.getvalue()
    writer = pypdf.PdfWriter(clone_from=pypdf.PdfReader(out))
    writer.add_metadata({f"/{name}": value for name, value in metadata.items()})
    if password:
        writer.encrypt(password, algorithm="RC4-128")
    made = BytesIO()
    writer.write(made)
    return made.getvalue()


class PdfiumError(Exception):
    """As the module's own."""


class FakePdfium:
    """pypdfium2 as far as it is asked, with pypdf behind it: the extra is not installed everywhere."""

    PdfiumError = PdfiumError

    class PdfDocument:
        def __init__(self, body: bytes) -> None:
            try:
                self._reader = pypdf.PdfReader(BytesIO(body))
                self._pages = list(self._reader.pages)
            except pypdf.errors.FileNotDecryptedError as error:
                raise PdfiumError("Failed to load document (PDFium: Incorrect password error).") from error
            except pypdf.errors.PyPdfError as error:
                raise PdfiumError("Failed to load document (PDFium: Data format error).") from error

        def __len__(self) -> int:
            return len(self._pages)

        def __getitem__(self, number: int) -> Any:
            text = self._pages[number].extract_text()
            if "BROKEN" in text:
                raise PdfiumError("Failed to load page.")
            return FakePage(text)

        def get_metadata_dict(self) -> dict[str, str]:
            return {key.removeprefix("/"): str(value) for key, value in (self._reader.metadata or {}).items()}

        def close(self) -> None:
            self._pages = []


class FakePage:
    def __init__(self, text: str) -> None:
        self._text = text

    def get_textpage(self) -> "FakePage":
        return self

    def get_text_range(self) -> str:
        return self._text.replace("\n", "\r\n")

    def close(self) -> None:
        pass


def pdfium(body: bytes, limit: int, today: date) -> Any:
    return by_pdfium(cast(Any, FakePdfium), body, limit, today)


@pytest.fixture(params=[by_pypdf, pdfium, parse_pdf], ids=["pypdf", "pdfium", "whichever"])
def read(request: pytest.FixtureRequest) -> Any:
    return request.param


def test_pages_are_joined_by_a_blank_line(read: Any) -> None:
    page = read(pdf("Ice floats.\nIt is light.", "", "Water sinks."), 1_000, TODAY)

    assert page["text"].split("\n\n")[-1] == "Water sinks."
    assert page["text"].startswith("Ice floats.")
    assert (page["kind"], page["title"], page["published"], page["flags"]) == ("pdf", "Ice floats.", "", [])


def test_words_divided_at_the_end_of_a_line_are_made_whole(read: Any) -> None:
    assert "expansion" in read(pdf("The expan-\nsion of ice"), 1_000, TODAY)["text"]


def test_the_file_s_own_facts_are_read(read: Any) -> None:
    body = pdf("Ice floats.", Title="On  Ice", Author="Ada", CreationDate="D:20240305101112Z")

    page = read(body, 1_000, TODAY)

    assert (page["title"], page["author"], page["published"]) == ("On Ice", "Ada", "2024-03-05")


@pytest.mark.parametrize("created", ["D:20301231", "D:19700101", "D:20249999", "yesterday"])
def test_a_date_that_cannot_be_is_none(read: Any, created: str) -> None:
    assert read(pdf("Ice floats.", CreationDate=created), 1_000, TODAY)["published"] == ""


def test_a_long_file_is_read_as_far_as_wanted(read: Any) -> None:
    page = read(pdf(*["Ice floats. " * 8] * 20), 150, TODAY)

    assert len(page["text"]) == 150
    assert page["flags"] == ["truncated"]


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (pdf(""), "empty"),
        (pdf("Secret.", password="word"), "encrypted"),
        (b"%PDF-1.4 and nothing more", "unparsable"),
        (b"", "unparsable"),
    ],
    ids=["no text", "locked", "cut off", "nothing"],
)
def test_what_cannot_be_read_has_its_reason(read: Any, body: bytes, reason: str) -> None:
    assert read(body, 1_000, TODAY)["reason"] == reason


def test_a_broken_page_costs_no_other() -> None:
    assert pdfium(pdf("Ice floats.", "BROKEN", "Water sinks."), 1_000, TODAY)["text"] == "Ice floats.\n\nWater sinks."


def test_no_broken_file_does_more_than_fail(data: Callable[[str], Any]) -> None:
    for path in sorted(data("pdf_robust").glob("*.pdf"))[::12]:
        page = parse_pdf(path.read_bytes(), 100_000, TODAY)
        assert page.get("text") or page["reason"] in get_args(UnreadReason)
        page.get("text", "").encode()
