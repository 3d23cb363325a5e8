"""Parses a cited text: its statements, their citations, and marks and references without a counterpart."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from deepresearch_mcp.cited_text.assigning import Assigning, Group, SentenceOrRow, paragraphs, sentence_ends, table_rows
from deepresearch_mcp.cited_text.citation_marks import marked
from deepresearch_mcp.cited_text.masked_text import CitationMark
from deepresearch_mcp.cited_text.own_judgement import tells_unmarked, without_judgements
from deepresearch_mcp.cited_text.references import Reference, listing
from deepresearch_mcp.text.blocks import blocks
from deepresearch_mcp.text.keywords import words
from deepresearch_mcp.text.sentences import Span
from deepresearch_mcp.text.stopwords import STOPWORDS
from deepresearch_mcp.text.urls import normalise_url


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence, also in a list item, or the row or cell of a table."""

    text: str
    """The form compared with pages: one line without citation marks, addresses and list marks."""
    start: int
    end: int
    """`start` and `end` locate it in the given text, including its marks."""
    marks: tuple[CitationMark, ...]
    closed: bool = False
    """It has no mark of its own; the mark at the end of its paragraph or list cites it."""


@dataclass(frozen=True)
class CitedText:
    """A parsed text. All offsets count characters of the given text."""

    statements: tuple[Statement, ...]
    """Everything that states something, cited or not, in order."""
    marks: tuple[CitationMark, ...]
    references: tuple[Reference, ...]

    @cached_property
    def claims(self) -> tuple[Statement, ...]:
        """Statements that cite something."""
        return tuple(one for one in self.statements if one.marks)

    @cached_property
    def uncited(self) -> tuple[Statement, ...]:
        """Longer statements without a citation, except questions and lead-ins that end with a colon."""
        return tuple(
            one for one in self.statements if not one.marks and one.text[-1] not in ":：?？" and _states(one.text)
        )

    @cached_property
    def dangling(self) -> tuple[CitationMark, ...]:
        """Marks that name a number or note without a reference."""
        return tuple(mark for mark in self.marks if mark.dangles)

    @cached_property
    def unused(self) -> tuple[Reference, ...]:
        """References that no mark names and no link of the text leads to."""
        used = {id(mark.reference) for mark in self.marks if mark.reference}
        linked = {normalise_url(mark.url) for mark in self.marks if mark.reference is None and mark.url}
        return tuple(
            one for one in self.references if id(one) not in used and not (one.url and normalise_url(one.url) in linked)
        )


def parse_cited_text(text: str) -> CitedText:
    """Parse a cited text in Markdown, HTML or plain form, in any language. Takes time linear in its length.

    Marks: `[3]`, `[1, 4-6]`, `[1][2]`, `[^note]`, `【3†source】`, superscripts, links in Markdown and HTML, labelled
    links, bare addresses, and `(Smith, 2020)`, which leads nowhere. A mark belongs to the sentence it stands in or
    directly behind. Set apart behind a full stop it closes the sentences since the mark before it in its paragraph;
    the only marks of a paragraph, at its very end, close all of it; a line of nothing but marks closes the paragraph,
    list or table before it. The marks of headings belong to no statement. What one of our own reports labels as its
    assessment is no statement.
    """
    book = listing(text)
    found = marked(text, book.references, book.shut)
    groups: list[Group] = []
    headings: list[Span] = []
    ends = sentence_ends(text, found.plain, found.marks, unmarked=tells_unmarked(text))
    for block in blocks(found.plain):
        if block.kind == "heading":
            headings.append(Span(block.start, block.end))
        elif block.kind == "table":
            groups += table_rows(found.plain, block)
        elif block.kind == "prose":
            groups += paragraphs(found.plain, block, ends)
    Assigning(text, found.plain, groups, headings).assign(found.marks)
    return CitedText(tuple(_statements(text, found.plain, groups)), found.marks, book.references)


_SCRAP = 5
_SENTENCE = 2
"""Content words required to state something: without a full stop (`_SCRAP`), with one or with a citation."""
_STOPS = tuple(".!。！．।")
_WIDE = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\u0e00-\u0e7f]")
_WIDE_WORD = 2.5
"""Characters of Chinese, Japanese or Thai that count as one content word."""


_STOP = frozenset[str]().union(*STOPWORDS.values())


def _weight(text: str) -> float:
    wide = sum(1 for _ in _WIDE.finditer(text))
    # Stopwords of all languages count, because detecting the language would take longer than all the rest.
    return wide / _WIDE_WORD + sum(word not in _STOP for word in words(_WIDE.sub(" ", text)))


def _states(text: str) -> bool:
    return _weight(text) >= (_SENTENCE if text.endswith(_STOPS) else _SCRAP)


def _statements(text: str, plain: str, groups: Sequence[Group]) -> Iterator[Statement]:
    for piece in without_judgements(text, (piece for group in groups for piece in group.pieces)):
        yield from _of_row(plain, piece) if piece.cells else _of_sentence(text, plain, piece)


def _of_sentence(text: str, plain: str, piece: SentenceOrRow) -> Iterator[Statement]:
    said = _clean(plain[piece.start : piece.end])
    bold = re.fullmatch(r"(?:\*\*|__)[^*_]+(?:\*\*|__)[:：]?", text[piece.start : piece.end].strip())
    if not said or (bold and not piece.marks) or _weight(said) < _SENTENCE:
        return
    start = min([piece.start, *(mark.start for mark in piece.marks)])
    end = max([piece.end, *(mark.end for mark in piece.marks)])
    if piece.marks:
        yield Statement(said, start, end, tuple(piece.marks))
    else:
        yield Statement(said, start, end, piece.closed_by, closed=bool(piece.closed_by))


_PAIR = 2
"""Cells of a row that are one statement with its marks: a name and what is said of it."""
_NAMING = 300
"""Most characters of a row's first cell that are put before a cited cell. A row can have thousands of cells."""


def _of_row(plain: str, piece: SentenceOrRow) -> Iterator[Statement]:
    """Yield the whole row; or, if several cells or one in the middle are cited, each cited cell with the first cell.

    A last cell of marks alone behind several cells, as under a head "Sources", cites each of these.
    """
    cells = [_clean(plain[cell.start : cell.end]) for cell in piece.cells]
    owners: dict[int, list[CitationMark]] = {}
    starts = [cell.start for cell in piece.cells]
    for mark in piece.marks:
        at = bisect_right(starts, mark.start) - 1
        owner = at if at >= 0 and mark.start < piece.cells[at].end else len(cells) - 1
        owners.setdefault(owner, []).append(mark)
    if owners.keys() == {len(cells) - 1} and not cells[-1] and sum(map(bool, cells)) > _PAIR:
        owners = {owner: list(piece.marks) for owner, cell in enumerate(cells) if owner and _is_told(cell)}
    # Marks cite the whole row if their cell holds nothing else, or if only the first or only the last cell is cited.
    whole = [owner for owner in owners if not cells[owner] or (len(owners) == 1 and owner in {0, len(cells) - 1})]
    row = ", ".join(filter(None, cells))
    if whole or not owners:
        marks = tuple(piece.marks) or piece.closed_by
        if row and _weight(row) >= _SENTENCE:
            yield Statement(row, piece.start, piece.end, marks, closed=not piece.marks and bool(marks))
        return
    for owner, marks in sorted(owners.items()):
        said = f"{cells[0][:_NAMING]}: {cells[owner]}" if owner and cells[0] else cells[owner]
        if _weight(said) >= _SENTENCE:
            yield Statement(said, piece.cells[owner].start, piece.cells[owner].end, tuple(marks))


def _is_told(cell: str) -> bool:
    """Whether a cell says something: not a dash, and not that it does not apply."""
    return cell.casefold() != "n/a" and any(map(str.isalnum, cell))


_ESCAPES = re.compile(r"\\([!-/:-@\[-`{-~])")
_EMPHASIS = re.compile(r"(?<!\\)\*{1,3}|~~|(?<!\w)_{1,3}(?=\S)|(?<=\S)_{1,3}(?!\w)|`")
_EMPTY = re.compile(r"[(（\[［][\s,;，；、–-]+[)）\]］]")
"""Brackets left empty by masking; those of a call such as `main()` contain no blank and do not match."""
_LEFT_OVER = re.compile(
    # Commas before a stop, or before the last semicolon of a run of them. The look-behind makes each run be read once.
    r"(?<![\s,;，；、])(?:(?:\s*+[,;，；、])++\s*+(?=[。!?！？)）]|\.(?!\.)|\Z)|(?:\s*+[,;，；、])+\s*+(?=[;；]))"
    r"|\s+(?=[,;:!?，。；：！？）)]|\.(?![.\w]| \.))"
)


def _clean(text: str) -> str:
    """Reduce to words on one line, without markup and without punctuation left over from removed marks."""
    text = _EMPTY.sub(" ", _ESCAPES.sub(r"\1", _EMPHASIS.sub("", text)))
    return _LEFT_OVER.sub("", " ".join(text.split())).strip()
