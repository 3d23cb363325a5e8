"""What a removal leaves behind that says nothing any more: a lone transition, a colon, the number of a lost step."""

from collections.abc import Collection, Iterator, Mapping, Sequence

from deepresearch_mcp.pipeline.report.leaning import steps_named, without_steps
from deepresearch_mcp.pipeline.report.pieces import is_empty, pieces_of, without_typed_marks
from deepresearch_mcp.records.evidence import Claim
from deepresearch_mcp.records.report import Block, Draft, Sentence, WrittenSection

EMPTIED = "nothing was left that it leads in to"

Left = dict[Sentence, Sentence | None]
"""A sentence that stays by itself, and what becomes of it; None takes it out."""


def left_over(
    draft: Draft, gone: Collection[Sentence], topics: Collection[Sentence], claims: Mapping[str, Claim]
) -> Left:
    """What else of a draft has to go or change, once the sentences and cells in `gone` are out.

    A paragraph that lost all but its topic sentence has nothing left to say, a colon needs its list, and the number of
    a step needs that step, unless it is one of a page. Sentences are known by their words and claims.
    """
    found: Left = {}
    for section in draft.sections:
        blocks = section.blocks
        for at, block in enumerate(blocks):
            if block.kind == "prose":
                found |= _of_paragraph(block, blocks[at + 1] if at + 1 < len(blocks) else None, gone, topics)
    lost = set(gone).union(one for one, said in found.items() if said is None)
    return found | _of_steps(draft, lost, claims)


def _of_paragraph(block: Block, behind: Block | None, gone: Collection[Sentence], topics: Collection[Sentence]) -> Left:
    parts = [part for one in block.sentences for part in pieces_of(one)]
    left = [one for one in parts if one not in gone]
    if not left:
        return {}
    list_stands = behind is not None and behind.kind != "prose" and _stands(behind, gone)
    lost = len(left) < len(parts)
    last = left[-1]
    if _leads(last) and not list_stands and (lost or behind is None or behind.kind != "prose"):
        states = bool(last.rests_on) and last not in topics
        stop = last.model_copy(update={"text": f"{last.text.rstrip().rstrip(':：')}."})
        found: Left = {} if states else _hollow(left[:-1], topics)
        found[last] = stop if states else None
        return found
    return _hollow(left, topics) if lost and not list_stands else {}


def _hollow(left: Sequence[Sentence], topics: Collection[Sentence]) -> Left:
    says_nothing = all(one in topics or not (one.rests_on or one.absence) for one in left)
    return dict.fromkeys(left) if says_nothing else {}


def _leads(sentence: Sentence) -> bool:
    return sentence.text.rstrip().endswith((":", "："))


def _stands(block: Block, gone: Collection[Sentence]) -> bool:
    """Whether anything of a list, table or example is left."""
    if block.kind == "table":
        cells = [without_typed_marks(cell) for row in block.rows for cell in row[1:]]
        return any(not is_empty(cell) and cell not in gone for cell in cells)
    return any(_is_left(row, gone) for row in block.rows)


def _is_left(row: Sequence[Sentence], gone: Collection[Sentence]) -> bool:
    return any(part not in gone for one in row for part in pieces_of(one))


def _of_steps(draft: Draft, gone: Collection[Sentence], claims: Mapping[str, Claim]) -> Left:
    """Sentences that name the number of a step which is not there, or which moved when another one went."""
    counts = {id(one): _steps(one, gone) for one in draft.sections}
    most = max((left for _, left in counts.values()), default=0)
    found: Left = {}
    for section in draft.sections:
        was, left = counts[id(section)]
        for one in _running(section):
            numbers = steps_named(one.text)
            if not numbers or one in gone or _quotes_steps(one, claims):
                continue
            if (was and left < was) or max(numbers) > (left if was else most):
                text = without_steps(one.text)
                found[one] = one.model_copy(update={"text": text}) if text else None
    return found


def _quotes_steps(sentence: Sentence, claims: Mapping[str, Claim]) -> bool:
    own = (claims[name] for name in sentence.rests_on if name in claims)
    return any("step " in f"{claim.text} {claim.quotes[0].text}".casefold() for claim in own)


def _steps(section: WrittenSection, gone: Collection[Sentence]) -> tuple[int, int]:
    """How many steps a section had, and has left."""
    rows = [row for block in section.blocks if block.kind == "steps" for row in block.rows]
    return len(rows), sum(_is_left(row, gone) for row in rows)


def _running(section: WrittenSection) -> Iterator[Sentence]:
    for block in section.blocks:
        if block.kind in {"prose", "list", "steps"}:
            yield from (part for one in block.sentences for part in pieces_of(one))
