"""Extracts the text of a PDF page by page; runs in a parser process."""

import re
from collections.abc import Iterator, Sequence
from contextlib import closing
from datetime import date
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import Any, NamedTuple

from deepresearch_mcp.web.documents import ocr, pypdf_words
from deepresearch_mcp.web.documents.finished import own_name
from deepresearch_mcp.web.documents.page_breaks import joined_pages
from deepresearch_mcp.web.documents.paragraphs import Block, Vocabulary, blocks_of, body_size
from deepresearch_mcp.web.documents.pdfium_words import page_words
from deepresearch_mcp.web.documents.words import PageWords
from deepresearch_mcp.web.pages.markdown import tidy
from deepresearch_mcp.web.parsed import Parsed, unread_page

MOST_PAGES = 2_000
_HYPHEN = re.compile(r"(?<=[a-z])-\n(?=[a-z])")
_REMEDY = "Install the program tesseract and the extra `ocr` to have scans read."
_DATE = re.compile(r"D:(\d{4})(\d{2})(\d{2})")


class _Facts(NamedTuple):
    title: object
    author: object
    created: object


def parse_pdf(body: bytes, limit: int, today: date) -> Parsed:
    """Extract paragraphs, headings and tables in reading order, at most `limit` characters, with their pages.

    Uses pypdfium2 where it is installed (much faster), else pypdf.
    """
    if find_spec("pypdfium2"):
        return by_pdfium(import_module("pypdfium2"), body, limit, today)
    return without_pdfium(body, limit, today)


def without_pdfium(body: bytes, limit: int, today: date) -> Parsed:
    """Parse a PDF with pypdf; a scan needs the extra."""
    page = by_pypdf(body, limit, today)
    return page if page.get("reason") != "scanned" else unread_page("missing_extra", page.get("detail", ""))


def by_pdfium(pdfium: ModuleType, body: bytes, limit: int, today: date) -> Parsed:
    """Parse a PDF with pypdfium2. `pdfium` is its module, which is imported only where it is installed."""
    import_module("pypdfium2.raw")
    try:
        document = pdfium.PdfDocument(body)
    except pdfium.PdfiumError as error:
        return _encrypted() if "password" in str(error).lower() else _unparsable()
    with closing(document):
        facts = document.get_metadata_dict()
        named = _Facts(facts.get("Title"), facts.get("Author"), facts.get("CreationDate"))
        parsed = _parsed(_pdfium_pages(document, pdfium), len(document), named, limit, today)
        program = ocr.tesseract() if parsed.get("reason") == "scanned" else ""
        return _recognised(document, program, parsed, named, limit, today) if program else parsed


def _recognised(document: Any, program: str, scanned: Parsed, facts: _Facts, limit: int, today: date) -> Parsed:  # noqa: ANN401 - a document of pypdfium2
    """Return what tesseract reads on the pictures of the first pages; `scanned` if that is nothing."""
    texts = [_HYPHEN.sub("", text) for text in ocr.recognised(document, program)]
    blocks = [[Block(" ".join(block.split())) for block in text.split("\n\n")] for text in texts]
    text, starts = joined_pages([_cleaned(page) for page in blocks], Vocabulary([]))
    if not text:
        return scanned
    flags = ["ocr", "truncated"] if len(document) > len(texts) or len(text) > limit else ["ocr"]
    return _answer(text, starts, facts, limit, today, flags)


def _pdfium_pages(document: Any, pdfium: ModuleType) -> Iterator[PageWords]:  # noqa: ANN401 - an object of a library that is imported late
    for number in range(min(len(document), MOST_PAGES)):
        try:
            with closing(document[number]) as page:
                yield page_words(pdfium, page)
        except pdfium.PdfiumError:
            yield PageWords([], [])


def by_pypdf(body: bytes, limit: int, today: date) -> Parsed:
    """Read a file with pypdf."""
    opened = pypdf_words.opened(body)
    if isinstance(opened, str):
        return _encrypted() if opened == "encrypted" else _unparsable()
    facts = opened.facts
    named = _Facts(facts.get("/Title"), facts.get("/Author"), facts.get("/CreationDate"))
    return _parsed(opened.pages(MOST_PAGES), opened.length, named, limit, today)


def _parsed(pages: Iterator[PageWords], count: int, facts: _Facts, limit: int, today: date) -> Parsed:
    length = 0
    read: list[PageWords] = []
    for page in pages:
        length += sum(len(word.text) + 1 for word in page.words)
        read.append(page)
        if length > limit:
            break
    vocabulary, size = Vocabulary(read), body_size(read)
    text, starts = joined_pages([_cleaned(blocks_of(page, size, vocabulary)) for page in read], vocabulary)
    if not text.strip():
        if any(page.pictures for page in read):
            return unread_page("scanned", f"The PDF holds pictures of its pages and no text. {_REMEDY}")
        return unread_page("empty", "The PDF holds no text.")
    flags = ["truncated"] if len(text) > limit or len(read) < count else []
    if any(page.hidden for page in read):
        flags.append("hidden_text")
    return _answer(text, starts, facts, limit, today, flags)


def _answer(
    text: str, starts: Sequence[tuple[int, int]], facts: _Facts, limit: int, today: date, flags: list[str]
) -> Parsed:
    published = _published(str(facts.created or ""), today)
    return {
        "kind": "pdf",
        "text": text[:limit],
        "title": own_name(_plain(facts.title)) or _first_line(text),
        "author": own_name(_plain(facts.author)),
        "published": published.isoformat() if published else "",
        "flags": flags,
        "pages": [(at, page) for at, page in starts if at < limit],
    }


def _cleaned(blocks: Sequence[Block]) -> list[Block]:
    """Remove control and invisible characters before offsets are counted."""
    clean = (block._replace(text=tidy(block.text)) for block in blocks)
    return [block for block in clean if block.text]


def _published(created: str, today: date) -> date | None:
    """Return the day the file was created, the closest thing to a publication date that a PDF has."""
    match = _DATE.match(created)
    try:
        made = date(int(match[1]), int(match[2]), int(match[3])) if match else None
    except ValueError:
        return None
    return made if made and made.year >= 1990 and made <= today else None


def _first_line(text: str) -> str:
    lines = (line.strip("#| ") for line in text.split("\n"))
    return next((line for line in lines if len(line) > 3), "")[:200]


def _plain(value: object) -> str:
    return " ".join(tidy(str(value or "")).split())[:300]


def _encrypted() -> Parsed:
    return unread_page("encrypted", "The file is locked with a password.")


def _unparsable() -> Parsed:
    return unread_page("unparsable", "The file is not a PDF that can be read.")
