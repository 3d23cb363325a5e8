"""Blocks of a section as Markdown: prose, lists, steps, tables and passages, judgement told apart from fact."""

import re
from collections.abc import Iterable, Sequence
from itertools import groupby

from deepresearch_mcp.pipeline.numbering import Numbering
from deepresearch_mcp.pipeline.report.code_origin import origin_of
from deepresearch_mcp.pipeline.report.mark_groups import prose
from deepresearch_mcp.pipeline.report.pieces import is_empty, shown_empty
from deepresearch_mcp.pipeline.report.quoted_passage import quoted_passage
from deepresearch_mcp.records.report import EMPTY_CELL, Block, Sentence, WrittenSection
from deepresearch_mcp.text.citations import NOTE
from deepresearch_mcp.text.markdown import escape, inline

_LABEL_AND_ONE = 2
"""Columns of a table whose marks stand in its cells: a row has one cell beside its label."""
_WITH_STEPS = frozenset({"list", "steps", "code"})
OURS = "Our assessment"
EXAMPLE = "Our example"
COPIED = "From"
"""Stands before the mark of the page that code was taken from. `cited_text` reads no statement in it."""
_LABEL = re.compile(r"(?P<label>[^.:;!?`*]{1,50}): +(?P<rest>\S.*)", re.DOTALL)
"""What an item of a list speaks of, before what it says."""
_RUN_IN = re.compile(r"(?P<label>[^.:;!?`*]{1,60}): +(?P<rest>(?:`|[^\w\s]*[^\Wa-z]).*)", re.DOTALL)
"""The same of a paragraph, whose text goes on with a capital: a colon may also stand inside a sentence."""


def section_markdown(section: WrittenSection, numbering: Numbering, *, note: bool = False) -> str:
    """All blocks of a section. With `note` the first block that judges is followed by the line on its mark."""
    parts: list[str] = []
    done = 0
    labelled = are_labelled(row for block in section.blocks if block.kind == "prose" for row in block.rows)
    told: list[Sentence] = []
    for before, block in zip((None, *section.blocks), section.blocks, strict=False):
        # A list between steps belongs to the step before it: the numbers go on behind it, and where the writer said so.
        together = bool(before) and {before.kind, block.kind} <= _WITH_STEPS
        if block.title or not (together or block.kind != "steps" or block.first > 1):
            done = 0
        if block.title:
            title = _one_line(block.title)
            parts.append(f"### {escape(title) if block.kind == 'passage' else inline(title)}")
        parts.append(block_markdown(block, numbering, done, labelled=labelled, told=told))
        told += block.sentences
        done += len(block.rows) if block.kind == "steps" else 0
        if note and judges(block.sentences):
            parts.append(NOTE)
            note = False
    return "\n\n".join(filter(None, parts))


def written_text(section: WrittenSection) -> str:
    """A section as it was written, without numbers of sources: they are known once the whole report stands."""
    return section_markdown(section, Numbering({}, {}, ()))


def block_markdown(
    block: Block, numbering: Numbering, done: int = 0, *, labelled: bool = False, told: Sequence[Sentence] = ()
) -> str:
    """One block without its title. `done`: how many steps stand before it; a list behind these is indented.

    `labelled`: a label that begins a paragraph stands out. `told`: what stands before it in its section.
    """
    match block.kind:
        case "table":
            return _table(block, numbering)
        case "list" | "steps":
            return _items(block, numbering, done)
        case "passage":
            text = "\n\n".join(one.text for row in block.rows for one in row)
            return quoted_passage(text, numbering.mark(block.sentences))
        case "code":
            return _code(block, numbering, told)
        case "prose":
            return "\n\n".join(paragraph(row, numbering, labelled=labelled) for row in block.rows)


def judges(sentences: Iterable[Sentence]) -> bool:
    """Whether any of the sentences or cells is a judgement that is shown."""
    return any(one.kind == "judgement" and not is_empty(one) for one in sentences)


def are_labelled(paragraphs: Iterable[Sequence[Sentence]]) -> bool:
    """Whether two or more of the paragraphs begin with what they speak of, as "Storage that lies: Every …"."""
    return sum(bool(row and (row[0].label or _RUN_IN.fullmatch(row[0].text.strip()))) for row in paragraphs) > 1


def paragraph(
    sentences: Sequence[Sentence], numbering: Numbering, *, labelled: bool = False, opening: bool = False
) -> str:
    """A paragraph with its marks; where its neighbours are `labelled` too, its label in bold."""
    first = sentences[0] if sentences and labelled else None
    found = _RUN_IN.fullmatch(first.text.strip()) if first and not first.label else None
    bold, rest = _parted(sentences, found) if found else ("", sentences)
    return bold + prose(rest, numbering, opening=opening)


def plain(sentences: Sequence[Sentence]) -> str:
    """Running text without marks, so that judgements are introduced in words."""
    parts: list[str] = []
    for ours, group in groupby(sentences, lambda one: one.kind == "judgement"):
        own = list(group)
        said = " ".join(f"{one.label}: {one.text}" if one.label else one.text for one in own)
        parts.append(f"{OURS}{' –' if own[0].label else ':'} {said}" if ours else said)
    return " ".join(parts)


def _items(block: Block, numbering: Numbering, done: int) -> str:
    labels = [_LABEL.fullmatch(row[0].text.strip()) if row and not row[0].label else None for row in block.rows]
    labelled = len(labels) > 1 and 2 * sum(found is not None for found in labels) >= len(labels)
    lines: list[str] = []
    for number, (row, found) in enumerate(zip(block.rows, labels, strict=True), done + 1):
        mark = f"{number}." if block.kind == "steps" else "   -" if done else "-"
        bold, rest = _parted(row, found) if labelled and found else ("", row)
        lines.append(f"{mark} {bold}{prose(rest, numbering)}")
    return "\n".join(lines)


def _code(block: Block, numbering: Numbering, told: Sequence[Sentence]) -> str:
    """A fence that nothing in the code can close, and whose code it is: a page's own, or ours and what it rests on."""
    said = "\n".join(one.text for one in block.sentences)
    fence = "`" * max(3, 1 + max(map(len, re.findall(r"`+", said)), default=0))
    return f"{fence}{''.join(block.head)}\n{said}\n{fence}\n\n{_whose(said, block, numbering, told)}".rstrip()


def _whose(said: str, block: Block, numbering: Numbering, told: Sequence[Sentence]) -> str:
    if page := origin_of(said, numbering.texts(block.sentences)):
        return f"{COPIED} {numbering.mark(block.sentences, source=page)}."
    # The marks of the text that leads to the code are not repeated.
    mark = numbering.judged(block.sentences, numbering.pages(*told))
    return f"{EXAMPLE} {mark}." if mark else ""


def _parted(row: Sequence[Sentence], found: re.Match[str]) -> tuple[str, Sequence[Sentence]]:
    """The label of a row in bold, and the row without it."""
    return f"**{inline(found['label'])}:** ", (row[0].model_copy(update={"text": found["rest"]}), *row[1:])


def _table(block: Block, numbering: Numbering) -> str:
    """A table. Where it has several columns of facts, the marks of each row stand in a last column of their own."""
    width = max((len(block.head), *(len(row) for row in block.rows)))
    apart = width > _LABEL_AND_ONE and any(map(numbering.pages, _facts(block.sentences)))
    head = [
        *(inline(one, cell=True) for one in block.head),
        *[""] * (width - len(block.head)),
        *[numbering.words.sources] * apart,
    ]
    lines = [_row(head), _row("---" for _ in head)]
    for row in block.rows:
        cells = [shown_empty(cell) or _cell(cell, numbering, apart=apart) for cell in row]
        cells += [EMPTY_CELL] * (width - len(cells))
        lines.append(_row([*cells, *[numbering.mark(_facts(row))] * apart]))
    return "\n".join(lines)


def _facts(cells: Iterable[Sentence]) -> list[Sentence]:
    return [cell for cell in cells if cell.kind != "judgement" and not is_empty(cell)]


def _cell(cell: Sentence, numbering: Numbering, *, apart: bool) -> str:
    if cell.kind == "judgement":
        # In a row the marks of facts stand apart, so that a cell of ours needs its own.
        return numbering.marked(cell, numbering.judged((cell,)), cell=True)
    return numbering.unmarked(cell, cell=True) if apart else numbering.sentence(cell, cell=True)


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _one_line(text: str) -> str:
    return " ".join(text.split())
