"""The spots that a draft leaves open: empty cells, and cells and sentences that say nothing was found."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from deepresearch_mcp.pipeline.report.pieces import head_of, is_empty, shown_empty
from deepresearch_mcp.records.report import EMPTY_CELL, Block, Draft, Sentence

_CELL = 100
"""Characters of a cell that stands beside an open one."""


@dataclass(frozen=True, slots=True)
class Spot:
    """A cell or sentence of a draft that states nothing."""

    section: int
    block: int
    row: int
    column: int
    """The place of the cell in its row, or of the sentence in its paragraph or item."""
    words: str
    """What is missing: the name of its row, or the sentence."""
    column_name: str
    under: str
    """The heading of its section, and the title of its block."""
    beside: str = ""
    """The other cells of its row, in words."""
    before: str = ""
    """The sentence before it in its paragraph or item."""
    is_cell: bool = True

    @property
    def at(self) -> tuple[int, int, int, int]:
        """Its place in the draft."""
        return self.section, self.block, self.row, self.column

    @property
    def place(self) -> str:
        """Where it stands, for a reader."""
        if not self.is_cell:
            behind = f", behind “{self.before}”" if self.before else ""
            return f"sentence of “{self.under}”{behind}: {self.words}"
        beside = f" (its row has {self.beside})" if self.beside else ""
        return f"cell of “{self.under}”, row “{self.words}”, column “{self.column_name}”{beside}"


def open_spots(draft: Draft) -> list[Spot]:
    """All of them in reading order, without those in tables that are mostly empty: these become lists."""
    return [
        spot
        for at, section in enumerate(draft.sections)
        for number, block in enumerate(section.blocks)
        for spot in (
            _cells(block, at, number, section.heading)
            if block.kind == "table"
            else _sentences(block, at, number, f"{section.heading}: {block.title}" if block.title else section.heading)
        )
    ]


def _cells(table: Block, section: int, number: int, heading: str) -> Iterator[Spot]:
    cells = [cell for row in table.rows for cell in row[1:]]
    if 2 * sum(_is_open(cell) for cell in cells) > len(cells):
        return
    under = f"{heading}: {table.title}" if table.title else heading
    for at, row in enumerate(table.rows):
        for column, cell in enumerate(row[1:], 1):
            if _is_open(cell):
                others = ((other, one) for other, one in enumerate(row[1:], 1) if not is_empty(one) and one is not cell)
                beside = "; ".join(f"{head_of(table, other)}: {one.text[:_CELL]}" for other, one in others)
                yield Spot(section, number, at, column, row[0].text, head_of(table, column), under, beside)


def _is_open(cell: Sentence) -> bool:
    return shown_empty(cell) == EMPTY_CELL or (cell.absence and not cell.rests_on)


def _sentences(block: Block, section: int, number: int, under: str) -> Iterator[Spot]:
    for at, row in enumerate(block.rows):
        for column, (before, one) in enumerate(zip((None, *row), row, strict=False)):
            if one.absence and not one.rests_on:
                behind = " ".join(filter(None, (before.label, before.text))) if before else ""
                yield Spot(section, number, at, column, one.text, "", under, before=behind, is_cell=False)


def with_filled(draft: Draft, filled: Mapping[tuple[int, int, int, int], Sentence]) -> Draft:
    """The draft with these sentences in the spots at these places; a label stays where it was."""

    def block(section: int, number: int, given: Block) -> Block:
        rows = tuple(
            tuple(
                new.model_copy(update={"label": one.label})
                if (new := filled.get((section, number, at, column)))
                else one
                for column, one in enumerate(row)
            )
            for at, row in enumerate(given.rows)
        )
        return given.model_copy(update={"rows": rows})

    sections = (
        one.model_copy(update={"blocks": tuple(block(at, number, given) for number, given in enumerate(one.blocks))})
        for at, one in enumerate(draft.sections)
    )
    return draft.model_copy(update={"sections": tuple(sections)})
