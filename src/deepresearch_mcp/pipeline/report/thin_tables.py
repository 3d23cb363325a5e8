"""Tables with little in them: what a row or column that is mostly empty holds becomes a list below the table."""

from collections.abc import Sequence

from deepresearch_mcp.pipeline.report.pieces import head_of, is_empty
from deepresearch_mcp.records.report import Block, Draft, Sentence, WrittenSection

_MOST_EMPTY = 0.5
"""Share of its cells up to which a row, column or table may be empty."""
_ROWS = 2
"""Rows of the smallest table; one row compares nothing."""


def without_thin(draft: Draft) -> Draft:
    """The draft with no table, row or column that is mostly empty; nothing that a cell states is lost."""
    sections = map(_section, draft.sections)
    return draft.model_copy(update={"sections": tuple(one for one in sections if one.blocks)})


def _section(written: WrittenSection) -> WrittenSection:
    blocks = (one for block in written.blocks for one in (_parted(block) if block.kind == "table" else (block,)))
    return written.model_copy(update={"blocks": tuple(blocks)})


def _parted(table: Block) -> list[Block]:
    """The table, smaller, and a list of what was in the rest; a list alone where it is mostly empty."""
    width = max((len(table.head), *map(len, table.rows)))
    whole = [(*row, *[Sentence(text="")] * (width - len(row))) for row in table.rows]
    columns = range(1, width)
    kept = [at for at in columns if not _is_thin([row[at] for row in whole])]
    rows = [row for row in whole if not _is_thin([row[at] for at in kept])]
    if len(whole) - len(rows) == 1 and len(rows) >= _ROWS:
        # One row alone is understood better in its table than as a list of one.
        rows = whole
    if len(kept) == len(columns) and len(rows) == len(whole):
        return [table]
    if _is_thin([row[at] for row in whole for at in columns]) or len(rows) < _ROWS:
        return _as_list([_of_row(table, row, columns) for row in whole], table.title)
    held = [_of_column(table, rows, at) for at in columns if at not in kept]
    held += [_of_row(table, row, columns) for row in whole if row not in rows]
    order = (0, *kept)
    head = tuple(head_of(table, at) for at in order)
    smaller = tuple(tuple(row[at] for at in order) for row in rows)
    return [table.model_copy(update={"head": head, "rows": smaller}), *_as_list(held)]


def _is_thin(cells: Sequence[Sentence]) -> bool:
    return sum(map(is_empty, cells)) > _MOST_EMPTY * len(cells)


def _of_row(table: Block, row: Sequence[Sentence], columns: Sequence[int]) -> tuple[Sentence, ...]:
    return _item(row[0].text, [(head_of(table, at), row[at]) for at in columns])


def _of_column(table: Block, rows: Sequence[Sequence[Sentence]], at: int) -> tuple[Sentence, ...]:
    return _item(head_of(table, at), [(row[0].text, row[at]) for row in rows])


def _item(label: str, named: Sequence[tuple[str, Sentence]]) -> tuple[Sentence, ...]:
    """What a row or column holds, each cell behind the name of the other one, as it was judged."""
    said = [_sentence(name, cell) for name, cell in named if not is_empty(cell)]
    return (said[0].model_copy(update={"label": label}), *said[1:]) if said else ()


def _sentence(name: str, cell: Sentence) -> Sentence:
    text = cell.text.strip()
    stop = "" if text.endswith((".", "!", "?", "…")) else "."
    return cell.model_copy(update={"text": f"{name}: {text}{stop}" if name else f"{text}{stop}"})


def _as_list(items: Sequence[tuple[Sentence, ...]], title: str = "") -> list[Block]:
    rows = tuple(one for one in items if one)
    return [Block(kind="list", rows=rows, title=title)] if rows else []
