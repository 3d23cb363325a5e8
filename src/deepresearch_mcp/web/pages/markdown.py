"""Renders trafilatura's tree of the main text as plain Markdown, word for word as a reader sees it.

trafilatura's own Markdown escapes underscores and brackets and marks emphasis, so that a quote copied from the page
would not be found in it.
"""

import re
from collections.abc import Iterator

from deepresearch_mcp.injection.invisible import without_unseen
from deepresearch_mcp.text.entries import SAID, TERM
from deepresearch_mcp.web.pages.tree import Node, inner_text

_BLOCKS = frozenset({"p", "head", "quote", "list", "table", "div", "ab", "fw", "entry", "item", "row", "cell", "body"})
_CELLS = frozenset({"tr", "td", "th"})
"""Tags of a table within a quotation, which trafilatura leaves as HTML."""
_MARKS = {"dt": TERM, "dd": SAID}
"""Marks of the items of a definition list."""
_BREAK = "\x00"
"""Stands for a line break until white space in the source, line ends included, is collapsed."""
_ANCHOR = "¶"
"""Text of the self-link at the end of a heading, which documentation shows only under the pointer."""
_HEADING = re.compile(r"#{1,6}(?:\s|$)")
_NO_HEADING = " " * 4
"""Before words that would be taken for a heading, such as the comment of a command or a prompt."""
_SPACES = re.compile(r"\s+")
_BLANK = re.compile(r"\n{3,}")
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ufffe\uffff\ud800-\udfff]")
DEEPEST = 60
"""Levels of nested lists, quotes and divisions that are rendered; deeper levels become plain text."""


def tidy(text: str) -> str:
    """Normalise line ends, remove control, surrogate and invisible characters, and collapse blank lines to one."""
    text = text.replace("\r\n", "\n").replace("\r", "\n").replace("\x0c", "\n").replace("\u2028", "\n")
    return _BLANK.sub("\n\n", without_unseen(_CONTROL.sub("", text))).strip()


def to_markdown(body: Node) -> str:
    """Render headings, paragraphs, lists, tables, quotes and code blocks, without escapes or emphasis."""
    return tidy("\n\n".join(block for block in _blocks(body, 0) if block.strip()))


def _blocks(element: Node, depth: int) -> Iterator[str]:
    """Yield the blocks inside an element and the loose text between them."""
    loose = [element.text or ""]
    for child in element:
        if child.tag in _BLOCKS or _is_code_block(child):
            yield _line("".join(loose))
            loose = [child.tail or ""]
            yield from _block(child, depth)
        else:
            loose += (_words(child), child.tail or "")
    yield _line("".join(loose))


def _block(element: Node, depth: int) -> Iterator[str]:
    if depth > DEEPEST:
        yield _line(inner_text(element))
    elif element.tag == "head":
        words = _line(_words(element)).replace("\n", " ").lstrip()
        yield f"{_level(element)} {words}" if words else ""
    elif element.tag == "list":
        yield "\n".join(_items(element, depth))
    elif element.tag == "table":
        yield "\n".join(_rows(element))
    elif element.tag == "code":
        yield f"```\n{_code(element)}\n```"
    elif element.tag == "quote":
        for block in _blocks(element, depth + 1):
            yield "\n".join(f"> {line}" for line in block.split("\n")) if block.strip() else ""
    else:
        yield from _blocks(element, depth + 1)


def _level(head: Node) -> str:
    rend = head.get("rend") or ""
    return "#" * int(rend[1:]) if re.fullmatch(r"h[1-6]", rend) else "##"


def _items(element: Node, depth: int) -> Iterator[str]:
    ordered = element.get("rend") == "ol"
    for number, item in enumerate(element, 1):
        parts = [block for block in _blocks(item, depth + 1) if block.strip()]
        if not parts:
            continue
        role = (item.get("rend") or "")[:2]
        mark = f"{number}. " if ordered else _MARKS.get(role, "- ")
        lines = "\n".join(parts).split("\n")
        yield "\n".join([mark + lines[0], *(f"{' ' * len(mark)}{line}" for line in lines[1:])])


def _rows(table: Node) -> Iterator[str]:
    for number, row in enumerate(table.iter("row")):
        cells = [_line(_words(cell)).replace("\n", " ").strip() for cell in row.iter("cell")]
        if not any(cells):
            continue
        yield f"| {' | '.join(cells)} |"
        if number == 0 and any(cell.get("role") == "head" for cell in row.iter("cell")):
            yield f"|{'---|' * len(cells)}"


def _is_code_block(element: Node) -> bool:
    return element.tag == "code" and "\n" in _code(element)


def _code(element: Node) -> str:
    return _words(element).replace(_BREAK, "\n").strip("\n")


def _words(element: Node) -> str:
    """Return all text inside, with line breaks kept and a space around each inner block."""
    if element.tag == "lb":
        return _BREAK
    if element.tag == "graphic":
        return ""
    parts = [element.text or ""]
    for child in element:
        inner = _words(child)
        parts += ((f" {inner} " if child.tag in _BLOCKS or child.tag in _CELLS else inner), child.tail or "")
    return "".join(parts)


def _line(text: str) -> str:
    lines = (_SPACES.sub(" ", line).strip().removesuffix(_ANCHOR).rstrip() for line in text.split(_BREAK))
    return "\n".join(f"{_NO_HEADING}{line}" if _HEADING.match(line) else line for line in lines if line)
