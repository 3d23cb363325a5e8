"""Writes a report as a PDF. Typst sets it: one package, which needs no program and no library of the system.

The template `print/report.typ` is ours; the report reaches it as data, so that no word of a page is ever run.
"""

import json
import re
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

import anyio.to_thread

from deepresearch_mcp.exceptions import DeepResearchError
from deepresearch_mcp.ports.documents import Documents
from deepresearch_mcp.records.run import Run
from deepresearch_mcp.version import __version__
from deepresearch_mcp.viewer import report_tree as tree
from deepresearch_mcp.viewer.report_language import language_of

if TYPE_CHECKING:
    from collections.abc import Sequence


async def as_pdf(run: Run, documents: Documents) -> bytes:
    """Return the report as a PDF, with its tables, links, outline and page numbers.

    Raises:
        DeepResearchError: The text cannot be set.
    """
    del documents
    return await anyio.to_thread.run_sync(_compiled, run, abandon_on_cancel=True)


def _compiled(run: Run) -> bytes:
    import typst

    try:
        return typst.compile(_template().encode(), format="pdf", sys_inputs={"report": json.dumps(_data(run))})
    except typst.TypstError as error:
        raise DeepResearchError("The report cannot be set as a PDF.", "Take another format, such as docx.") from error


@cache
def _template() -> str:
    return files("deepresearch_mcp.viewer").joinpath("print", "report.typ").read_text(encoding="utf-8")


def _data(run: Run) -> dict[str, Any]:
    blocks = tree.tree_of(run)
    title = tree.title_of(run, blocks)
    found = _LANGUAGE.match(language_of(run))
    return {
        "title": title,
        "made_by": f"deepresearch-server {run.provenance.version if run.provenance else __version__}",
        "language": found.group().lower() if found else "en",
        "footer": tree.footer_of(run, title),
        "blocks": [_block(one) for one in blocks],
    }


_LANGUAGE = re.compile(r"[A-Za-z]{2,3}(?![A-Za-z])")


def _block(block: tree.Block) -> dict[str, Any]:
    match block:
        case tree.Heading(level, line):
            return {"kind": "heading", "level": level, "line": _line(line)}
        case tree.Paragraph(line, 0):
            return {"kind": "paragraph", "line": _line(line)}
        case tree.Paragraph(line, number):
            return {"kind": "reference", "number": number, "line": _line(line)}
        case tree.Listing(items, ordered, first):
            shown = [[_block(one) for one in item] for item in items]
            return {"kind": "steps" if ordered else "list", "first": first, "items": shown}
        case tree.Grid(head, rows):
            cells = [[_line(cell) for cell in row] for row in rows]
            return {"kind": "table", "head": [*map(_line, head)], "rows": cells, "shares": block.shares()}
        case tree.Listed(text):
            return {"kind": "code", "text": text}
        case tree.Quoted(blocks):
            return {"kind": "quote", "blocks": [_block(one) for one in blocks]}
        case tree.Rule():
            return {"kind": "rule"}


def _line(line: tree.Line) -> "Sequence[dict[str, Any]]":
    return [{name: getattr(one, name) for name in ("text", "bold", "italic", "code", "link", "source")} for one in line]
