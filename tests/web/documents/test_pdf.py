from collections.abc import Callable
from datetime import date
from io import BytesIO
from typing import Any, get_args

import pypdf
import pypdfium2
import pytest

from deepresearch_mcp.exceptions import UnreadReason
from deepresearch_mcp.web.documents.pdf import by_pdfium, by_pypdf, parse_pdf, without_pdfium

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


def pdfium(body: bytes, limit: int, today: date) -> Any:
    return by_pdfium(pypdfium2, body, limit, today)


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


def test_a_broken_page_costs_no_other(read: Any) -> None:
    body = pdf("Ice floats.", "BROKEN", "Water sinks.").replace(
        b"BT /F1 12 Tf 72 700 Td 14 TL (BROKEN", b"<< [ ( /F1 12" * 3
    )

    text = read(body, 1_000, TODAY)["text"]

    assert "Ice floats." in text
    assert "Water sinks." in text


def test_each_offset_tells_its_page(read: Any) -> None:
    page = read(pdf("Ice floats.", "", "Water sinks."), 1_000, TODAY)

    assert page["pages"] == [(0, 1), (page["text"].index("Water"), 3)]


def test_lines_of_a_paragraph_are_joined_whatever_their_width(read: Any) -> None:
    lines = (
        "The board met in the spring of the year and said that\nthe dues would rise by a tenth within the next two "
        "years,\nas the council of the town had asked."
    )

    assert read(pdf(lines), 1_000, TODAY)["text"] == " ".join(lines.split())


def test_a_sentence_that_crosses_a_page_is_whole_and_its_halves_have_their_pages(read: Any) -> None:
    page = read(pdf("We elected the fair value", "option to account for it."), 1_000, TODAY)

    assert page["text"] == "We elected the fair value option to account for it."
    assert page["pages"] == [(0, 1), (page["text"].index("option"), 2)]


def test_a_page_number_is_no_part_of_the_text(read: Any) -> None:
    said = ["Ice floats on water.", "Water sinks in oil.", "Oil floats on water.", "All is well."]

    text = read(pdf(*(f"{line}\n\n{number}" for number, line in enumerate(said, 4))), 1_000, TODAY)["text"]

    assert text.split() == " ".join(said).split()


def placed(*shown: tuple[float, float, str]) -> bytes:
    """A PDF of one page of strings at places in points from the lower left."""
    made = pdf("@")
    stream = " ".join(f"BT /F1 10 Tf {x} {y} Td ({text}) Tj ET" for x, y, text in shown)
    return made.replace(b"BT /F1 12 Tf 72 700 Td 14 TL (@) Tj T* ET", stream.encode())


def test_a_table_has_the_heads_of_its_columns_above_their_figures(read: Any) -> None:
    rows = [("Net sales", "$", "82,959", "$", "304,182"), ("Cost of sales", "", "47,074", "", "171,495")]
    shown = [
        *[(320.0, 720.0, "Three Months Ended"), (450.0, 720.0, "Nine Months Ended")],
        *[(350.0, 706.0, "June 25, 2022"), (470.0, 706.0, "June 25, 2022")],
    ]
    for at, (label, sign, three, mark, nine) in enumerate(rows):
        y = 690.0 - 14 * at
        shown += [(72.0, y, label), (350.0, y, sign), (372.0, y, three), (470.0, y, mark), (492.0, y, nine)]

    text = read(placed(*shown), 1_000, TODAY)["text"]

    assert text.split("\n") == [
        "|  | Three Months Ended June 25, 2022 | Nine Months Ended June 25, 2022 |",
        "| --- | --- | --- |",
        "| Net sales | $82,959 | $304,182 |",
        "| Cost of sales | 47,074 | 171,495 |",
    ]


def test_columns_of_text_are_read_one_after_the_other(read: Any) -> None:
    left = [f"Left column line {number} goes on and" for number in range(8)]
    right = [f"right column line {number} goes on and" for number in range(8)]
    shown = [(72.0, 700.0 - 12 * at, line) for at, line in enumerate(left)]
    shown += [(320.0, 700.0 - 12 * at, line) for at, line in enumerate(right)]

    text = " ".join(read(placed(*sorted(shown, key=lambda one: -one[1])), 2_000, TODAY)["text"].split())

    assert text == " ".join([*left, *right])


def test_pictures_without_text_are_told_as_a_scan(read: Any) -> None:
    picture = "q 500 0 0 700 0 0 cm BI /W 1 /H 1 /BPC 8 /CS /G ID \x00 EI Q"
    body = pdf("@").replace(b"BT /F1 12 Tf 72 700 Td 14 TL (@) Tj T* ET", picture.encode())

    assert read(body, 1_000, TODAY)["reason"] == "scanned"


def test_a_scan_needs_an_extra_where_pypdf_alone_reads() -> None:
    picture = "q 500 0 0 700 0 0 cm BI /W 1 /H 1 /BPC 8 /CS /G ID \x00 EI Q"
    body = pdf("@").replace(b"BT /F1 12 Tf 72 700 Td 14 TL (@) Tj T* ET", picture.encode())

    page = without_pdfium(body, 1_000, TODAY)

    assert page["reason"] == "missing_extra"
    assert "the extra `ocr`" in page["detail"]
    assert without_pdfium(pdf("Ice floats."), 1_000, TODAY)["text"] == "Ice floats."


def test_no_broken_file_does_more_than_fail(data: Callable[[str], Any]) -> None:
    for path in sorted(data("pdf_robust").glob("*.pdf"))[::12]:
        page = parse_pdf(path.read_bytes(), 100_000, TODAY)
        assert page.get("text") or page["reason"] in get_args(UnreadReason)
        page.get("text", "").encode()
