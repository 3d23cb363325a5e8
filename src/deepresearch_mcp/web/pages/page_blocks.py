"""Splits a page into blocks: runs of words that no block element interrupts, each with the elements around it."""

import re
from importlib import import_module
from typing import Any

from deepresearch_mcp.web.pages.name_groups import groups_of, named_by
from deepresearch_mcp.web.pages.tree import Node

MOST_BLOCKS = 30_000
"""Blocks read of a page; a longer page is cut there."""
DEEPEST = 200
"""Levels of block elements; the words of deeper ones belong to the element at this level."""

_ETREE: Any = import_module("lxml.etree")
INLINE = frozenset(
    {"a", "abbr", "acronym", "b", "bdi", "bdo", "big", "br", "cite", "code", "data", "del", "dfn", "em", "font", "i"}
    | {"img", "ins", "kbd", "mark", "nobr", "output", "q", "rp", "rt", "ruby", "s", "samp", "small", "span", "strike"}
    | {"strong", "sub", "sup", "time", "tt", "u", "var", "wbr", "picture", "source", "center", "annotation", "label"}
)
"""Elements within a sentence."""
_SKIPPED = frozenset(
    {"script", "style", "template", "svg", "select", "textarea", "datalist", "head", "iframe", "object"}
    | {"math", "video", "audio", "canvas", "map", "input"}
    # What a page has struck out holds no longer.
    | {"s", "strike", "del"}
)
_APART = frozenset({"a", "label", "time", "button"})
"""Inline elements that are words of their own even where no space parts them from the one before."""
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_SPACES = re.compile(r"\s+")
BREAK = "\x00"
"""Stands for a <br> until white space is collapsed."""
_BREAKS = re.compile(rf" ?{BREAK}[ {BREAK}]*")
_PARAGRAPHS = re.compile(rf"{BREAK}\s*{BREAK}")
_TEX = re.compile(r"\s+")


class Frame:
    """A block element, with what is inherited from those around it and what its words add up to."""

    __slots__ = (
        "blocks",
        "cell",
        "chars",
        "depth",
        "element",
        "first",
        "groups",
        "heading",
        "is_card",
        "item",
        "linked",
        "listing",
        "named",
        "names",
        "near",
        "number",
        "numbers",
        "parent",
        "points",
        "pre",
        "quotes",
        "rank",
        "row",
        "table",
        "tag",
        "tags",
    )

    def __init__(self, element: Any, tag: str, parent: "Frame | None", first: int) -> None:  # noqa: ANN401 - lxml has no types
        self.element = element
        self.first = first
        """Place of its first block among those of the page."""
        self.tag = tag
        self.parent = parent
        self.names = f"{element.get('class') or ''} {named_by(element.get('id') or '')}"
        if role := element.get("role"):
            self.names += f" {role}"
        self.named = groups_of(self.names)
        """Groups of names that the element itself belongs to, as bits."""
        self.blocks = self.chars = self.linked = self.points = 0
        self.number = 0
        self.numbers: dict[Any, int] = {}
        """Of a list: its items and their numbers, once one was asked for."""
        self.is_card = False
        self.rank = _HEADINGS.get(tag, 0)
        """1 to 6 of a heading, else 0."""
        self.heading = self.rank
        """The rank of the heading that it stands in."""
        self.pre = tag == "pre"
        self.item: Frame | None = self if tag in {"li", "dt", "dd"} else None
        self.listing: Frame | None = self if tag in {"ul", "ol", "dl"} else None
        self.table: Frame | None = self if tag == "table" else None
        self.row: Frame | None = self if tag == "tr" else None
        self.cell: Frame | None = self if tag in {"td", "th"} else None
        self.quotes = int(tag == "blockquote")
        own = TAG_BITS.get(tag, 0)
        if parent is None:
            self.depth, self.groups, self.near, self.tags = 0, self.named, self.named, own
            return
        self.depth = parent.depth + 1
        self.groups = parent.groups | self.named
        """Groups of the element and of those around it."""
        self.near = parent.named | self.named
        self.tags = parent.tags | own
        self.heading = self.heading or parent.heading
        self.pre = self.pre or parent.pre
        self.quotes += parent.quotes
        self.item = self.item or parent.item
        self.listing = self.listing or parent.listing
        if tag != "table":
            self.table = parent.table
            if tag != "tr":
                self.row = parent.row
                self.cell = self.cell or parent.cell
        if tag in _HEADINGS and self.item:
            self.item.is_card = True


TAG_BITS = {
    tag: 1 << at
    for at, tags in enumerate(
        (
            *("nav menu", "header", "footer", "aside", "main", "article", "section", "form fieldset", "table", "ul ol"),
            *("dl", "figure figcaption", "blockquote", "button", "details summary"),
        )
    )
    for tag in tags.split()
}
"""Elements that say what they hold, as bits."""


class Block:
    """A run of words."""

    __slots__ = ("chars", "frame", "linked", "links", "text")

    def __init__(self, text: str, frame: Frame, linked: int, links: int) -> None:
        self.text = text
        """White space collapsed, but for listings; a <br> is a line break."""
        self.frame = frame
        self.chars = len(text)
        self.linked = linked
        """Characters inside links."""
        self.links = links


def page_blocks(tree: Node) -> list[Block]:
    """Return the blocks of a page's body, in page order, at most `MOST_BLOCKS`."""
    body = tree if tree.tag == "body" else tree.find(".//body")
    walk = _Walk()
    walk.over(tree if body is None else body)
    return walk.found


class _Walk:
    def __init__(self) -> None:
        self.found: list[Block] = []
        self.parts: list[str] = []
        self.linked = self.links = 0

    def over(self, body: Any) -> None:  # noqa: ANN401, C901, PLR0912, PLR0915 - one loop over events, for its speed
        frame = Frame(body, "body", None, 0)
        stack: list[tuple[Any, Frame]] = [(body, frame)]
        parts, inside = self.parts, 0
        walker = _ETREE.iterwalk(body, events=("start", "end"))
        ended = ""
        for event, element in walker:
            tag = element.tag
            if not isinstance(tag, str):
                if event == "end" and element.tail:
                    parts.append(element.tail)
                    self.linked += len(element.tail) if inside else 0
                continue
            if event == "start":
                if tag in _SKIPPED:
                    if tag == "math":
                        parts.append(_tex(element))
                    walker.skip_subtree()
                    continue
                if tag in INLINE:
                    if tag == "a":
                        inside += 1
                        self.links += 1
                    elif tag == "br":
                        parts.append(BREAK)
                    if ended in _APART and tag in _APART:
                        parts.append(" ")
                elif element is not body and len(stack) < DEEPEST:
                    self.end(frame)
                    frame = Frame(element, tag, frame, len(self.found))
                    stack.append((element, frame))
                else:
                    parts.append(" ")
                ended = ""
                if text := element.text:
                    parts.append(text)
                    if inside:
                        self.linked += len(text)
                continue
            if tag == "a":
                inside -= 1
            if element is stack[-1][0]:
                self.end(frame)
                stack.pop()
                if not stack or len(self.found) > MOST_BLOCKS:
                    break
                inner, frame = frame, stack[-1][1]
                _add_up(inner, frame)
            elif tag not in INLINE:
                parts.append(" ")
            ended = tag
            if text := element.tail:
                parts.append(text)
                if inside:
                    self.linked += len(text)
                if not text.isspace():
                    ended = ""
        self.end(stack[-1][1] if stack else frame)
        while len(stack) > 1:
            inner = stack.pop()[1]
            _add_up(inner, stack[-1][1])

    def end(self, frame: Frame) -> None:
        """End the run of words that an element holds."""
        if not self.parts:
            self.linked = self.links = 0
            return
        whole = "".join(self.parts)
        self.parts.clear()
        linked, links = self.linked, self.links
        self.linked = self.links = 0
        if frame.pre:
            self.add(whole.replace(BREAK, "\n").strip("\n"), frame, linked, links)
            return
        if BREAK not in whole:
            self.add(" ".join(whole.split()), frame, linked, links)
            return
        pieces = _PARAGRAPHS.split(whole)
        size = max(1, len(whole))
        for piece in pieces:
            text = _BREAKS.sub("\n", _SPACES.sub(" ", piece)).strip()
            text = "\n".join(line.strip() for line in text.split("\n"))
            share = len(piece) / size
            self.add(text, frame, int(linked * share), round(links * share))

    def add(self, text: str, frame: Frame, linked: int, links: int) -> None:
        if not text or text.isspace():
            return
        block = Block(text, frame, min(linked, len(text)), links)
        self.found.append(block)
        frame.blocks += 1
        frame.chars += block.chars
        frame.linked += block.linked
        frame.points += text.count(". ") + text.count(", ") + (text[-1] in ".!?:;。")


def _add_up(inner: Frame, outer: Frame) -> None:
    outer.blocks += inner.blocks
    outer.chars += inner.chars
    outer.linked += inner.linked
    outer.points += inner.points


def _tex(element: Any) -> str:  # noqa: ANN401 - lxml has no types
    """Return a formula as TeX if it is given, else its words."""
    for note in element.iter("annotation"):
        if "tex" in (note.get("encoding") or "").lower() and note.text:
            return f" ${_TEX.sub(' ', note.text).strip()}$ "
    alternative = element.get("alttext")
    if alternative:
        return f" ${_TEX.sub(' ', alternative).strip()}$ "
    return f" {' '.join(''.join(element.itertext()).split())} "
