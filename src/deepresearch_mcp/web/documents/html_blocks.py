"""Turns HTML that is all text (a chapter of a book, a letter) into Markdown blocks, without looking for a main part."""

from collections.abc import Iterator
from typing import cast

from deepresearch_mcp.web.documents.markdown_tables import markdown_table
from deepresearch_mcp.web.pages import hidden
from deepresearch_mcp.web.pages.tree import Node, drop, inner_text, load_page

_HEADINGS = {f"h{level}": "#" * level for level in range(1, 7)}
_BLOCKS = frozenset({"p", "div", "section", "article", "blockquote", "body", "li", "dt", "dd", "figcaption", "center"})
_LISTS = frozenset({"ul", "ol", "dl"})
_INNER = _BLOCKS | _LISTS | _HEADINGS.keys() | {"table", "pre"}
_DEEPEST = 60


def html_blocks(html: str) -> list[str]:
    """Return headings, paragraphs, items, tables and code; what is hidden from readers is left out."""
    # What is hidden is looked for in whole pages alone.
    tree = load_page(html if "<body" in html.lower() else f"<html><body>{html}</body></html>")
    if tree is None:
        return []
    drop(tree, "script", "style", "head", "svg", "noscript", "template")
    hidden.take_out(tree)
    return [block for block in _blocks(tree, 0) if block.strip()]


def _blocks(element: Node, depth: int) -> Iterator[str]:
    loose = [element.text or ""]
    for child in element:
        tag = child.tag if isinstance(cast(object, child.tag), str) else ""
        if (tag in _INNER or _holds_block(child)) and depth < _DEEPEST:
            yield _line("".join(loose))
            loose = [child.tail or ""]
            yield from _block(child, tag, depth + 1)
        else:
            loose += (" " if tag == "br" else inner_text(child) if tag else "", child.tail or "")
    yield _line("".join(loose))


def _block(child: Node, tag: str, depth: int) -> Iterator[str]:
    if tag in _HEADINGS:
        words = _line(inner_text(child))
        yield f"{_HEADINGS[tag]} {words}" if words else ""
    elif tag == "table":
        yield "\n".join(markdown_table([cells for row in child.iter("tr") if (cells := _cells(row))]))
    elif tag == "pre":
        yield f"```\n{inner_text(child).strip(chr(10))}\n```"
    elif tag == "li":
        inside = [block for block in _blocks(child, depth) if block]
        yield f"- {inside[0]}" if inside else ""
        yield from inside[1:]
    else:
        yield from _blocks(child, depth)


def _cells(row: Node) -> list[str]:
    return [_line(inner_text(cell)) for cell in row if cell.tag in {"td", "th"}]


def _holds_block(element: Node) -> bool:
    """Return whether an element that is none of the known blocks holds one, as links around paragraphs do."""
    return any(child.tag in _INNER for child in element)


def _line(text: str) -> str:
    return " ".join(text.split())
