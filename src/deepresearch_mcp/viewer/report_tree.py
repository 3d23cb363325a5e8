"""The report as a tree of headings, paragraphs, lists and tables, for formats that are not made of Markdown.

What a page or a model wrote is text here and nothing else: HTML is not read, images are their words, and only http and
https addresses are links.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from unicodedata import east_asian_width

from markdown_it import MarkdownIt
from markdown_it.tree import SyntaxTreeNode

from deepresearch_mcp.pipeline.report.ending import with_ending
from deepresearch_mcp.pipeline.report.opening import shortened
from deepresearch_mcp.records.run import Run
from deepresearch_mcp.text.citations import OWN_SIGN
from deepresearch_mcp.text.markdown import visible


@dataclass(frozen=True, slots=True)
class Words:
    """A stretch of text in one style; a line break is a line feed."""

    text: str
    bold: bool = False
    italic: bool = False
    code: bool = False
    link: str = ""
    """An http or https address."""
    source: int = 0
    """The reference that it leads to; 0: none."""


Line = tuple[Words, ...]


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading; level 1 is the report's title."""

    level: int
    line: Line


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph, or the text of an item."""

    line: Line
    reference: int = 0
    """The number of the source whose entry this is, in the list of references; 0: none."""


@dataclass(frozen=True, slots=True)
class Listing:
    """Items with bullets, or with numbers from `first` on."""

    items: tuple[tuple["Block", ...], ...]
    ordered: bool = False
    first: int = 1


@dataclass(frozen=True, slots=True)
class Grid:
    """A table. Every row has as many cells as the head."""

    head: tuple[Line, ...]
    rows: tuple[tuple[Line, ...], ...]

    def shares(self) -> tuple[float, ...]:
        """The width of each column, as a share of 1: room for its longest word first, the rest by how much it holds."""
        columns = list(zip(self.head, *self.rows, strict=True))
        words = [_most_word(column) for column in columns]
        more = [max(0.0, _average(column) - least) for column, least in zip(columns, words, strict=True)]
        spare = max(0.0, _ROOM - sum(words)) / (sum(more) or 1)
        widths = [least + spare * wish for least, wish in zip(words, more, strict=True)]
        return tuple(one / sum(widths) for one in widths)


@dataclass(frozen=True, slots=True)
class Listed:
    """Lines of code, as they are."""

    text: str


@dataclass(frozen=True, slots=True)
class Quoted:
    """A passage in a page's own words."""

    blocks: tuple["Block", ...]


@dataclass(frozen=True, slots=True)
class Rule:
    """A line across the page."""


Block = Heading | Paragraph | Listing | Grid | Listed | Quoted | Rule


def tree_of(run: Run) -> tuple[Block, ...]:
    """Return the report of a run; a citation mark leads to its entry in the references."""
    # Without this rule escaped brackets stay apart, so that a page's own "[1]" is not taken for a mark of ours.
    parser = MarkdownIt("commonmark", {"html": False}).enable("table").disable("text_join")
    nodes = SyntaxTreeNode(parser.parse(with_ending(run))).children
    entries = _entries(nodes, frozenset(one.number for one in run.citations))
    return tuple(_blocks(nodes, _Marks(frozenset(entries.values()), entries)))


def title_of(run: Run, blocks: Sequence[Block]) -> str:
    """The report's title on one line; the question where it has none."""
    first = next((one for one in blocks if isinstance(one, Heading) and one.level == 1), None)
    return " ".join((plain(first.line) if first else visible(run.question)).split())[:300]


def footer_of(run: Run, title: str, room: int = 90) -> str:
    """What stands at the foot of every printed page, beside its number: which report this is, and of which day.

    `room` is for the title, in columns of a line: a Chinese character has two.
    """
    ended = (run.provenance.ended or run.provenance.started)[:10] if run.provenance else ""
    limit = next((size for size in range(room, 0, -1) if _columns(title[:size]) <= room), 1)
    return " · ".join(filter(None, (shortened(title, limit), ended, f"run {run.run_id[:12]}")))


def _columns(text: str) -> int:
    return sum(2 if east_asian_width(char) in {"W", "F"} else 1 for char in text)


def plain(line: Line) -> str:
    """The text of a line without its style."""
    return "".join(one.text for one in line)


_ROOM = 85
"""Characters that stand side by side in a table as wide as the page."""
_LEAST, _LONGEST_WORD, _MUCH = 5, 18, 120
"""Characters: of any column, of a word that its column has room for, and of a column's average text, at most."""


def _most_word(column: Sequence[Line]) -> int:
    words = (len(word) for line in column for word in plain(line).split())
    return max(_LEAST, min(_LONGEST_WORD, max(words, default=0) + 3))


def _average(column: Sequence[Line]) -> float:
    return min(_MUCH, sum(len(plain(line)) for line in column) / len(column))


def _entries(nodes: Sequence[SyntaxTreeNode], known: frozenset[int]) -> dict[int, int]:
    """The entries of the references, the last list of its kind: the place of each in the text → its number."""
    found: dict[int, int] = {}
    for node in nodes:
        if node.type == "bullet_list":
            heads = [paragraph for item in node.children for paragraph in item.children[:1] if paragraph.map]
            numbered = ((int(entry[1]), one) for one in heads if (entry := _ENTRY.match(_source_text(one))))
            found = {number: _place(one) for number, one in numbered if number in known} or found
    return {place: number for number, place in found.items()}


def _place(node: SyntaxTreeNode) -> int:
    return node.map[0] if node.map else -1


def _source_text(node: SyntaxTreeNode) -> str:
    return node.children[0].content if node.children else ""


@dataclass(frozen=True, slots=True)
class _Marks:
    """Finds citation marks in our own words."""

    sources: frozenset[int] = frozenset()
    """Those that have an entry in the references."""
    entries: Mapping[int, int] = field(default_factory=dict[int, int])

    def linked(self, words: Words) -> Iterator[Words]:
        """The words with each number of a mark apart."""
        marks = [found for found in _MARK.finditer(words.text) if self._all_known(found[1])]
        spans = [digits.span() for mark in marks for digits in _NUMBER.finditer(words.text, *mark.span())]
        edges = [0, *(edge for span in spans for edge in span), len(words.text)]
        for start, end in pairwise(edges):
            text = words.text[start:end]
            if text:
                number = _NUMBER.match(text) if (start, end) in spans else None
                yield replace(words, text=text, source=int(number[1])) if number else replace(words, text=text)

    def _all_known(self, inside: str) -> bool:
        numbers = [int(one[1]) for one in _NUMBER.finditer(inside)]
        return bool(numbers) and all(one in self.sources for one in numbers)


_MARK = re.compile(rf"\[((?:{OWN_SIGN} )?\d{{1,4}}[a-z]{{0,2}}(?:, ?(?:\d{{1,4}})?[a-z]{{0,2}})*)\]")
_NUMBER = re.compile(r"(?<!\d)(\d{1,4})(?:[a-z]{1,2}(?:,[a-z]{1,2})*)?")
_ENTRY = re.compile(r"\[(\d{1,4})\] ")


def _blocks(nodes: Sequence[SyntaxTreeNode], marks: _Marks) -> Iterator[Block]:
    for node in nodes:
        match node.type:
            case "heading":
                yield Heading(int(node.tag[1]), _line(node, marks))
            case "paragraph":
                entry = marks.entries.get(_place(node), 0)
                yield Paragraph(_line(node, _NO_MARKS if entry else marks), entry)
            case "bullet_list" | "ordered_list":
                items = tuple(tuple(_blocks(item.children, marks)) for item in node.children)
                yield Listing(items, node.type == "ordered_list", int(node.attrs.get("start", 1)))
            case "table":
                rows = [row for part in node.children for row in part.children]
                head, *body = (tuple(_line(cell, marks) for cell in row.children) for row in rows)
                yield Grid(head, tuple(body))
            case "fence" | "code_block":
                yield Listed(_safe(node.content.rstrip("\n")))
            case "blockquote":
                yield Quoted(tuple(_blocks(node.children, marks)))
            case "hr":
                yield Rule()
            case _:  # HTML and definitions of links are no part of what is read.
                continue


_NO_MARKS = _Marks()


def _line(node: SyntaxTreeNode, marks: _Marks) -> Line:
    return tuple(one for inline in node.children for one in _words(inline.children, Words(""), marks))


def _words(nodes: Sequence[SyntaxTreeNode], style: Words, marks: _Marks) -> Iterator[Words]:
    for node in nodes:
        match node.type:
            case "strong":
                yield from _words(node.children, replace(style, bold=True), marks)
            case "em":
                yield from _words(node.children, replace(style, italic=True), marks)
            case "link":
                address = _address(str(node.attrs.get("href", "")))
                yield from _words(node.children, replace(style, link=address), _NO_MARKS if address else marks)
            case "code_inline":
                yield replace(style, text=_safe(node.content), code=True)
            case "softbreak":
                yield replace(style, text=" ")
            case "hardbreak":
                yield replace(style, text="\n")
            case "image":
                yield from _words(node.children, style, marks)
            case "text":
                yield from marks.linked(replace(style, text=_safe(node.content)))
            case _:
                yield replace(style, text=_safe(node.content))


def _safe(text: str) -> str:
    return _NO_CHARACTERS.sub("", visible(text))


_NO_CHARACTERS = re.compile(r"[\ufdd0-\ufdef\ufffe\uffff]")
"""What no XML may hold, and no font shows."""
_HTTP = re.compile(r"https?://[^\s<>\"]{1,8000}", re.IGNORECASE)


def _address(href: str) -> str:
    return href if _HTTP.fullmatch(href) else ""
