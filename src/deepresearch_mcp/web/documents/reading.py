"""Chooses the parser of a document by its kind; runs in a parser process.

The parsers of office files and books are our own, over the XML in them: so they need no optional package, and refuse
entities and archives that unpack without end in one place.
"""

from datetime import date
from importlib import import_module
from typing import TYPE_CHECKING, Protocol, cast

from deepresearch_mcp.web.documents.archives import Archive, BadArchive
from deepresearch_mcp.web.documents.text_files import parse_text
from deepresearch_mcp.web.parsed import Parsed, unread_page

if TYPE_CHECKING:
    from deepresearch_mcp.records.sources import MediaKind

_ARCHIVES = {"docx": "parse_docx", "xlsx": "parse_xlsx", "pptx": "parse_pptx", "epub": "parse_epub"}


class _OfArchive(Protocol):
    def __call__(self, archive: Archive, limit: int, today: date, /) -> Parsed: ...


def read_document(body: bytes, kind: "MediaKind", limit: int, today: date) -> Parsed | None:
    """Read a document that is more than text; None for other kinds. Each parser is loaded when it is needed."""
    if kind == "pdf":
        from deepresearch_mcp.web.documents.pdf import parse_pdf

        return parse_pdf(body, limit, today)
    if kind == "email":
        from deepresearch_mcp.web.documents.emails import parse_email

        return parse_email(body, limit, today)
    if kind not in _ARCHIVES:
        return None
    parse = cast(_OfArchive, getattr(import_module(f"deepresearch_mcp.web.documents.{kind}"), _ARCHIVES[kind]))
    try:
        return parse(Archive(body), limit, today)
    except BadArchive as error:
        return unread_page("unparsable", str(error))


def read_text(text: str, kind: "MediaKind", limit: int, today: date) -> Parsed:
    """Read a document that is text of some kind."""
    from deepresearch_mcp.web.documents.csv_files import parse_csv
    from deepresearch_mcp.web.documents.notebooks import notebook_of, parse_notebook
    from deepresearch_mcp.web.documents.subtitles import is_subtitles, parse_subtitles

    if kind in {"json", "notebook"} and (notebook := notebook_of(text)) is not None:
        return parse_notebook(notebook, limit, today)
    if kind == "csv":
        return parse_csv(text, limit)
    if kind == "subtitles" or (kind == "text" and is_subtitles(text[:1_000])):
        return parse_subtitles(text, limit)
    return parse_text(text, "json" if kind == "notebook" else kind, limit)
