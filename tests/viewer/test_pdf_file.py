import io
from collections.abc import Iterator
from typing import Any

import pypdf
import pytest

from deepresearch_mcp.viewer.pdf_file import as_pdf
from exported_runs import HOSTILE, MVCC, run_of

NO_DOCUMENTS: Any = None


async def opened(**given: Any) -> pypdf.PdfReader:
    return pypdf.PdfReader(io.BytesIO(await as_pdf(run_of(**given), NO_DOCUMENTS)))


def links(reader: pypdf.PdfReader) -> Iterator[Any]:
    for page in reader.pages:
        for one in page.get("/Annots") or ():
            yield one.get_object()


async def test_a_report_is_pages_with_text_tables_and_numbers() -> None:
    reader = await opened(report=f"{run_of().report}\n\n" + "More.\n\n" * 40)

    text = [page.extract_text() for page in reader.pages]
    assert "never blocked; each statement sees" in text[0]
    assert "PRAGMA journal_mode=WAL" in text[0]
    assert len(text) > 1
    assert [f"{number} / {len(text)}" in page for number, page in enumerate(text, 1)] == [True] * len(text)
    assert all("run 7k2m9qd4x0w5" in page for page in text)


async def test_references_and_marks_are_links_and_headings_an_outline() -> None:
    reader = await opened()

    targets = [one["/A"]["/URI"] for one in links(reader) if "/URI" in one.get("/A", {})]
    inside = [one for one in links(reader) if "/URI" not in one.get("/A", {})]
    assert f"{MVCC}#:~:text=each%20SQL%20statement" in targets
    assert len(targets) == 2
    assert len(inside) >= 8
    assert [one.title for one in reader.outline if not isinstance(one, list)] == [
        "How do PostgreSQL and SQLite handle concurrent writers?"
    ]
    root: Any = reader.trailer["/Root"]
    assert (root["/Lang"], root["/MarkInfo"]["/Marked"]) == ("en", True)
    assert reader.metadata
    assert reader.metadata.title == "How do PostgreSQL and SQLite handle concurrent writers?"


async def test_a_hostile_report_is_only_text_in_it() -> None:
    raw = await as_pdf(run_of(HOSTILE), NO_DOCUMENTS)
    reader = pypdf.PdfReader(io.BytesIO(raw))

    assert not [one for one in links(reader) if "/URI" in one.get("/A", {})]
    for name in (b"/JavaScript", b"/JS", b"/Launch", b"/EmbeddedFile", b"/OpenAction", b"/SubmitForm"):
        assert name not in raw
    text = "".join(page.extract_text() for page in reader.pages)
    assert '#read("/etc/passwd")' in text.replace("\n", "")
    assert "root:" not in text


@pytest.mark.parametrize("language", ["ar", "pt-BR", "zh-Hant", "", "not a language"])
async def test_a_report_in_any_language_is_set(language: str) -> None:
    reader = await opened(report="# مرحبا\n\n中文 и русский.\n", language=language)

    assert len(reader.pages) == 1


async def test_one_report_gives_one_file() -> None:
    assert await as_pdf(run_of(), NO_DOCUMENTS) == await as_pdf(run_of(), NO_DOCUMENTS)
