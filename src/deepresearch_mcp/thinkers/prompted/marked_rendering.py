"""Blocks as Markdown with marks, which `marked_text` reads back as they were."""

from collections.abc import Callable, Iterable, Sequence

from deepresearch_mcp.records.report import Block, Draft, Sentence
from deepresearch_mcp.thinkers.prompted.marked_text import BAR, DESCRIBED

NameOf = Callable[[str], str]
"""From the id of a claim to its local name; "": it has none."""


def render_blocks(blocks: Iterable[Block], name_of: NameOf) -> str:
    """The same blocks as Markdown with marks."""
    return "\n\n".join(_rendered(block, name_of) for block in blocks)


def render_report(draft: Draft, name_of: NameOf, *, numbered: bool = False) -> str:
    """A draft as Markdown with marks; `numbered`: its sections are numbered from 1."""
    parts = [f"# {draft.title}", *_paragraphs(draft.in_short, name_of)]
    if draft.described:
        parts.append(f"{DESCRIBED} {_row(draft.described, name_of)}")
    for number, section in enumerate(draft.sections, 1):
        parts += [f"## {f'{number}. ' if numbered else ''}{section.heading}", render_blocks(section.blocks, name_of)]
    return "\n\n".join(part for part in parts if part)


def _paragraphs(opening: Sequence[Sentence], name_of: NameOf) -> list[str]:
    found: list[list[Sentence]] = []
    for one in opening:
        if one.opens or not found:
            found.append([])
        found[-1].append(one)
    return [_row(row, name_of) for row in found]


def _rendered(block: Block, name_of: NameOf) -> str:
    if block.kind == "table":
        rows = [_table_row(block.head), _table_row(["---"] * len(block.head))]
        rows += [_table_row([_sentence(cell, name_of) for cell in row]) for row in block.rows]
        body = "\n".join(rows)
    elif block.kind in {"list", "steps"}:
        signs = [f"{n}." if block.kind == "steps" else "-" for n in range(block.first, block.first + len(block.rows))]
        body = "\n".join(f"{sign} {_row(row, name_of)}" for sign, row in zip(signs, block.rows, strict=True))
    elif block.kind == "code":
        names = ", ".join(name for one in block.sentences for own in one.rests_on if (name := name_of(own)))
        said = "\n".join(one.text for one in block.sentences)
        body = f"```{''.join(block.head)}\n{said}\n```\n\n[!{names}]"
    else:
        body = "\n\n".join(_row(row, name_of) for row in block.rows)
    return f"### {block.title}\n\n{body}" if block.title else body


_SIGNS = {"fact": "", "synthesis": "=", "judgement": "!"}


def _table_row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cell.replace('|', BAR) for cell in cells)} |"


def _row(row: Sequence[Sentence], name_of: NameOf) -> str:
    return " ".join(_sentence(one, name_of) for one in row)


def _sentence(sentence: Sentence, name_of: NameOf) -> str:
    if sentence.label:
        stop = "." if ":" in sentence.label else ":"
        bare = sentence.model_copy(update={"label": ""})
        return f"**{sentence.label}{stop}** {_sentence(bare, name_of)}"
    names = ", ".join(name for one in sentence.rests_on if (name := name_of(one)))
    sign = "?" if sentence.absence and not names else _SIGNS[sentence.kind]
    if not names and sign not in {"!", "?"}:
        return sentence.text
    mark, text = f"[{sign}{names}]", sentence.text
    # Before a full stop, as a writer sets it; behind an ellipsis.
    if text.endswith((".", "!", "?")) and not text.endswith(".."):
        return f"{text[:-1]} {mark}{text[-1]}"
    return f"{text} {mark}"
