"""Writes a report as a Word document (DOCX), with its tables, links, headings and page numbers."""

import io
from datetime import datetime
from typing import TYPE_CHECKING
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

import anyio.to_thread

from deepresearch_mcp.ports.documents import Documents
from deepresearch_mcp.records.run import Run
from deepresearch_mcp.version import __version__
from deepresearch_mcp.viewer import report_tree as tree
from deepresearch_mcp.viewer.report_language import language_of

if TYPE_CHECKING:
    from docx.document import Document

    from deepresearch_mcp.viewer.word_parts import Writer


_FOOT = 50
"""Columns of the title in the footer: with day, run and number it fits on one line, also in a wider font."""


async def as_docx(run: Run, documents: Documents) -> bytes:
    """Return the report as a Word document. What a page says is text in it: no field, no macro, no object."""
    del documents
    return await anyio.to_thread.run_sync(_made, run, abandon_on_cancel=True)


def _made(run: Run) -> bytes:
    from deepresearch_mcp.viewer.word_parts import Writer, blank_document

    blocks = tree.tree_of(run)
    title = tree.title_of(run, blocks)
    document = blank_document(language_of(run), tree.footer_of(run, title, _FOOT))
    _describe(document, run, title)
    writer = Writer(document)
    for block in blocks:
        _write(writer, block)
    made = io.BytesIO()
    document.save(made)
    return _without_times(made)


def _without_times(made: io.BytesIO) -> bytes:
    """The same file with one time for all its parts, so that one report gives one file."""
    again = io.BytesIO()
    with ZipFile(made) as old, ZipFile(again, "w", ZIP_DEFLATED) as new:
        for part in old.infolist():
            new.writestr(ZipInfo(part.filename), old.read(part), ZIP_DEFLATED)
    return again.getvalue()


def _describe(document: "Document", run: Run, title: str) -> None:
    told = document.core_properties
    told.title, told.comments = title[:250], f"run {run.run_id}"
    told.author = f"deepresearch-server {run.provenance.version if run.provenance else __version__}"
    told.last_modified_by = told.author
    if run.provenance and (ended := run.provenance.ended or run.provenance.started):
        told.created = told.modified = datetime.fromisoformat(ended).replace(tzinfo=None)


def _write(writer: "Writer", block: tree.Block, depth: int = 0) -> None:
    match block:
        case tree.Heading(level, line):
            writer.paragraph(line, "Title" if level == 1 else f"Heading {min(level - 1, 9)}")
        case tree.Paragraph(line, number):
            writer.paragraph(line, depth=depth, reference=number)
        case tree.Listing(items, ordered, first):
            number = writer.numbering(first) if ordered else writer.bullets
            for item in items:
                _write_item(writer, item, number, depth)
        case tree.Grid():
            writer.table(block)
        case tree.Listed(text):
            writer.code(text, depth)
        case tree.Quoted(blocks):
            for one in blocks:
                _write(writer, one, depth + 1)
        case tree.Rule():
            writer.rule()


def _write_item(writer: "Writer", item: tuple[tree.Block, ...], number: int, depth: int) -> None:
    """The first paragraph bears the bullet or the number; what follows stands below it."""
    first, rest = (item[0], item[1:]) if item and isinstance(item[0], tree.Paragraph) else (None, item)
    line, reference = (first.line, first.reference) if first else ((), 0)
    writer.paragraph(line, numbered=(number, depth), reference=reference)
    for one in rest:
        _write(writer, one, depth + 1)
