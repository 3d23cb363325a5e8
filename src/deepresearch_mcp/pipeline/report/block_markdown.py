"""Blocks of a section as Markdown: prose, lists, steps, tables and passages, judgement told apart from fact."""

from collections.abc import Iterator, Sequence
from itertools import groupby

from deepresearch_mcp.pipeline.numbering import Numbering
from deepresearch_mcp.pipeline.report.pieces import is_empty
from deepresearch_mcp.records.report import EMPTY_CELL, Block, Sentence, WrittenSection
from deepresearch_mcp.text.markdown import escape

_MOST_MARKS = 6
"""Marks in front of a run of judgements; where there are more, each sentence keeps its own."""
OURS = "Our assessment"


def section_markdown(section: WrittenSection, numbering: Numbering) -> str:
    """All blocks of a section."""
    parts: list[str] = []
    for block in section.blocks:
        if block.title:
            parts.append(f"### {escape(_one_line(block.title))}")
        parts.append(block_markdown(block, numbering))
    return "\n\n".join(filter(None, parts))


def block_markdown(block: Block, numbering: Numbering) -> str:
    """One block without its title."""
    match block.kind:
        case "table":
            return _table(block, numbering)
        case "list" | "steps":
            return _items(block, numbering)
        case "passage":
            text = "\n\n".join(prose(row, numbering) for row in block.rows)
            return "\n".join(f"> {line}".rstrip() for line in text.splitlines())
        case "prose":
            return "\n\n".join(prose(row, numbering) for row in block.rows)


def prose(sentences: Sequence[Sentence], numbering: Numbering) -> str:
    """Running text. A run of judgements is introduced once, with the marks of all its premises."""
    return " ".join(_runs(sentences, numbering))


def plain(sentences: Sequence[Sentence]) -> str:
    """Running text without marks; judgements are introduced all the same."""
    parts: list[str] = []
    for ours, group in groupby(sentences, lambda one: one.kind == "judgement"):
        said = " ".join(one.text for one in group)
        parts.append(f"{OURS}: {said}" if ours else said)
    return " ".join(parts)


def _runs(sentences: Sequence[Sentence], numbering: Numbering) -> Iterator[str]:
    for ours, group in groupby(sentences, lambda one: one.kind == "judgement"):
        run = tuple(group)
        yield _assessment(run, numbering) if ours else numbering.paragraph(run)


def _assessment(run: Sequence[Sentence], numbering: Numbering) -> str:
    label, told = _label(run, numbering)
    said = " ".join(escape(one.text) if told else numbering.sentence(one) for one in run)
    return f"{label} {said}"


def _label(run: Sequence[Sentence], numbering: Numbering) -> tuple[str, bool]:
    """What introduces judgements, and whether it names all that they rest on."""
    marks = numbering.marks(run)
    if not marks or len(marks) > _MOST_MARKS:
        return f"*{OURS}:*", False
    return f"*{OURS}, from {' '.join(marks)}:*", True


def _items(block: Block, numbering: Numbering) -> str:
    every = block.sentences
    # Where all items are ours, one line above them says so.
    ours = len(block.rows) > 1 and all(one.kind == "judgement" for one in every)
    above, told = _label(every, numbering) if ours else ("", False)
    lines: list[str] = []
    for number, row in enumerate(block.rows, 1):
        mark = f"{number}." if block.kind == "steps" else "-"
        if not ours:
            text = prose(row, numbering)
        elif told:
            text = " ".join(escape(one.text) for one in row)
        else:
            text = numbering.paragraph(row)
        lines.append(f"{mark} {text}")
    listed = "\n".join(lines)
    return f"{above}\n\n{listed}" if above else listed


def _table(block: Block, numbering: Numbering) -> str:
    width = max((len(block.head), *(len(row) for row in block.rows)))
    head = [*block.head, *[""] * (width - len(block.head))]
    lines = [_row(escape(_one_line(one)) for one in head), _row("---" for _ in head)]
    ours = False
    for row in block.rows:
        cells = [_cell(cell, numbering) for cell in row]
        ours = ours or any(cell.kind == "judgement" and not is_empty(cell) for cell in row)
        lines.append(_row([*cells, *[EMPTY_CELL] * (width - len(cells))]))
    text = "\n".join(lines)
    return f"{text}\n\n*{OURS} is set in italics.*" if ours else text


def _row(cells: Iterator[str] | Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _cell(cell: Sentence, numbering: Numbering) -> str:
    if is_empty(cell):
        return EMPTY_CELL
    if cell.kind != "judgement":
        return numbering.sentence(cell)
    marks = "".join(numbering.marks((cell,)))
    return f"*{escape(_one_line(cell.text))}* {marks}".rstrip()


def _one_line(text: str) -> str:
    return " ".join(text.split())
