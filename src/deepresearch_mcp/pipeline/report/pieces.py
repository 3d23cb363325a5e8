"""Takes a draft apart into sentences and cells, each with what its place adds, and puts it together again."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from deepresearch_mcp.pipeline.report.leaning import leans
from deepresearch_mcp.records.report import EMPTY_CELL, NOT_APPLICABLE, Block, Draft, Sentence, WrittenSection
from deepresearch_mcp.text.citations import strip_marks
from deepresearch_mcp.text.keywords import content_words
from deepresearch_mcp.text.markdown import code_masked
from deepresearch_mcp.text.sentences import sentences


@dataclass(frozen=True, slots=True)
class Piece:
    """A sentence or a cell, as it is judged."""

    sentence: Sentence
    row: str = ""
    """Of a cell: the label of its row, which may fill several cells."""
    column: str = ""
    """Of a cell: the head of its column."""
    apart: bool = False
    """It stands by itself, in a cell or a list, and is no part of running text."""
    passage: bool = False
    """It is given as a page's own words."""
    code: bool = False
    """It is an example of code, whose lines stay as they are."""
    described: bool = False
    """It says which versions and dates the sources describe."""
    before: str = ""
    """The sentence before it, if it points back at that one."""
    section: str = field(default="", compare=False)
    """The heading that it stands under, for a reader; the same words under two headings are one piece."""

    @property
    def statement(self) -> str:
        """What is judged: a cell states something only with its row and column, a labelled sentence with its label."""
        where = " – ".join(filter(None, (self.row, self.column))) or self.sentence.label
        return f"{where}: {self.sentence.text}" if where else self.sentence.text

    @property
    def is_whole(self) -> bool:
        """Whether it stays one piece, whatever it is made of."""
        return self.passage or self.code or bool(self.row or self.column)

    @property
    def place(self) -> str:
        """Where it stands, for the one that mends it; empty in running text."""
        return f"a cell of a table, row “{self.row}”, column “{self.column}”" if self.row or self.column else ""


Change = Callable[[Piece], Sequence[Sentence]]
"""What stands in the place of a piece; nothing takes it out."""


def without_typed_marks(sentence: Sentence) -> Sentence:
    """Without marks that a writer may have typed all the same: the program numbers."""
    text = " ".join(strip_marks(sentence.text).split())
    return sentence.model_copy(
        update={
            "text": text,
            "claim_ids": tuple(dict.fromkeys(sentence.claim_ids)),
            "premises": tuple(dict.fromkeys(sentence.premises)),
        }
    )


def pieces_of(sentence: Sentence) -> tuple[Sentence, ...]:
    """Two sentences handed in as one, taken apart: each has to be carried, and to carry the marks.

    A word or two, as "Yes.", stay with what follows.
    """
    whole = without_typed_marks(sentence)
    parts: list[str] = []
    glued = False
    for span in sentences(code_masked(whole.text)):
        part = whole.text[span.start : span.end]
        parts[-1:] = [f"{parts[-1]} {part}"] if glued else [*parts[-1:], part]
        glued = len(content_words(parts[-1])) < _SENTENCE_WORDS
    if glued and len(parts) > 1:
        parts[-2:] = [" ".join(parts[-2:])]
    if len(parts) < 2:
        return (whole,)
    first, *rest = parts
    more = (whole.model_copy(update={"text": part, "opens": False, "label": ""}) for part in rest)
    return (whole.model_copy(update={"text": first}), *more)


_SENTENCE_WORDS = 2
"""Content words of the shortest sentence that states something by itself."""


def pieces_in(draft: Draft, language: str = "") -> Iterator[Piece]:
    """Everything in the sections that has to be proved, in reading order."""
    for section in draft.sections:
        yield from pieces_in_section(section, language)


def pieces_in_section(section: WrittenSection, language: str = "") -> Sequence[Piece]:
    """The same for one section."""
    seen: list[Piece] = []

    def note(piece: Piece) -> Sequence[Sentence]:
        seen.append(piece)
        return (piece.sentence,)

    edited_section(section, note, language)
    return seen


def running(written: Sequence[Sentence], language: str = "", *, described: bool = False) -> list[Piece]:
    """The pieces of running text; `described`: it says which versions and dates the sources describe."""
    place = _Place(language)
    parts = (part for sentence in written for part in pieces_of(sentence))
    return [place.next(Piece(part, described=described)) for part in parts]


def edited(
    written: Sequence[Sentence], change: Change, language: str = "", *, described: bool = False
) -> tuple[Sentence, ...]:
    """Running text with each sentence replaced by its change; paragraphs begin where they began, with their label."""
    kept: list[Sentence] = []
    opens, label = False, ""
    for piece in running(written, language, described=described):
        opens = opens or piece.sentence.opens
        label = piece.sentence.label if piece.sentence.opens else piece.sentence.label or label
        for one in change(piece):
            kept.append(one.model_copy(update={"opens": opens, "label": label}))
            opens, label = False, ""
    return tuple(kept)


class _Place:
    """Goes through a text as it was written, and notes what each piece that leans stands behind."""

    def __init__(self, language: str) -> None:
        self._language = language
        self._last = ""

    def next(self, piece: Piece) -> Piece:
        text, before = piece.sentence.text, self._last
        self._last = text
        return replace(piece, before=before) if before and leans(text, self._language) else piece


def edited_section(section: WrittenSection, change: Change, language: str = "") -> WrittenSection | None:
    """The section with each sentence and cell replaced by its change; None where nothing is left.

    A cell stays one cell. Its change is put together, or leaves it empty; a row goes with its last cell.
    """
    place = _Place(language)

    def within(piece: Piece) -> Sequence[Sentence]:
        return change(replace(piece, section=section.heading))

    blocks = (_table(one, within) if one.kind == "table" else _rows(one, within, place) for one in section.blocks)
    kept = tuple(block for block in blocks if block.rows)
    # What leads in to a list or table that is gone leads nowhere.
    kept = tuple(one for at, one in enumerate(kept) if not _leads_nowhere(kept, at, section))
    return section.model_copy(update={"blocks": kept}) if kept else None


def edited_sections(draft: Draft, change: Change, language: str = "") -> tuple[WrittenSection, ...]:
    """All sections with each sentence and cell replaced by its change, those without any left out."""
    return tuple(done for section in draft.sections if (done := edited_section(section, change, language)))


def _leads_nowhere(kept: Sequence[Block], at: int, section: WrittenSection) -> bool:
    block, last = kept[at], at + 1 == len(kept)
    alone = block.kind == "prose" and len(block.sentences) == 1 and is_lead_in(block.sentences[0])
    return alone and last and len(kept) < len(section.blocks)


def is_lead_in(sentence: Sentence) -> bool:
    """Whether a sentence without a claim only leads in to what follows it."""
    return not sentence.rests_on and sentence.text.rstrip().endswith((":", "："))


def _rows(block: Block, change: Change, place: _Place) -> Block:
    apart, passage = block.kind in {"list", "steps"}, block.kind == "passage"
    if block.kind == "code":
        lines = [tuple(kept for one in row for kept in change(Piece(one, apart=True, code=True))) for row in block.rows]
        return block.model_copy(update={"rows": tuple(row for row in lines if row)})

    def piece(one: Sentence) -> Piece:
        found = Piece(one, apart=apart, passage=passage)
        return found if passage else place.next(found)

    def row(written: Sequence[Sentence]) -> tuple[Sentence, ...]:
        each = (s for one in written for s in ((without_typed_marks(one),) if passage else pieces_of(one)))
        kept, label = list[Sentence](), ""
        for one in each:
            # A paragraph keeps its label where its first sentence goes or is worded anew.
            label = one.label or label
            for new in change(piece(one)):
                kept.append(new.model_copy(update={"label": label}))
                label = ""
        return tuple(kept)

    return block.model_copy(update={"rows": tuple(kept for written in block.rows if (kept := row(written)))})


def _table(block: Block, change: Change) -> Block:
    rows: list[tuple[Sentence, ...]] = []
    labels = _label_columns(block)
    for written in block.rows:
        cells = [without_typed_marks(cell) for cell in written]
        label = " – ".join(cell.text for cell in cells[:labels] if not is_empty(cell))
        done = [
            _cell(
                Piece(cell, label if at >= labels else "", head_of(block, at), apart=True), change, is_label=at < labels
            )
            for at, cell in enumerate(cells)
        ]
        if any(not is_empty(cell) for cell in (done[labels:] or done)):
            rows.append(tuple(done))
    return block.model_copy(update={"rows": tuple(rows)})


def _label_columns(block: Block) -> int:
    """How many of the first columns name the row: two where the first groups rows and the second has no claim.

    "3.8 | Default loop on Windows | …" below "3.8 | Delays | …" needs both to say which row it is.
    """
    named = [row[0].text for row in block.rows if row]
    second = [row[1] for row in block.rows if len(row) > len(("group", "subject"))]
    groups = len(set(named)) < len(named) or any(not name.strip() for name in named)
    return 2 if groups and len(second) == len(named) and not any(cell.rests_on for cell in second) else 1


def head_of(block: Block, at: int) -> str:
    """The head of a column of a table; "" where it has none."""
    return block.head[at] if at < len(block.head) else ""


def _cell(piece: Piece, change: Change, *, is_label: bool) -> Sentence:
    cell = piece.sentence
    if is_empty(cell):
        return cell if is_label else Sentence(text=shown_empty(cell))
    # The label of a row needs no claim; one that has a claim is held to it.
    if is_label and not cell.rests_on:
        return cell
    kept = change(piece)
    if not kept:
        return Sentence(text=EMPTY_CELL)
    ids = (name for one in kept for name in one.claim_ids)
    premises = (name for one in kept for name in one.premises)
    return kept[0].model_copy(
        update={
            "text": " ".join(one.text for one in kept),
            "claim_ids": tuple(dict.fromkeys(ids)),
            "premises": tuple(dict.fromkeys(premises)),
        }
    )


def is_empty(cell: Sentence) -> bool:
    """Whether a cell states nothing: nothing was found for it, or it does not apply."""
    return cell.text.strip().casefold() in _EMPTY


def shown_empty(cell: Sentence) -> str:
    """How a cell without content reads: whether nothing was found, or its column has no such thing; else ""."""
    if not is_empty(cell):
        return ""
    return NOT_APPLICABLE if cell.text.strip().casefold() == NOT_APPLICABLE else EMPTY_CELL


_EMPTY = frozenset({"", "-", "–", "—", "…", "?", NOT_APPLICABLE})
