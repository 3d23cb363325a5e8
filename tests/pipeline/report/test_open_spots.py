"""The spots that a draft leaves open."""

from deepresearch_mcp.pipeline.report.open_spots import open_spots, with_filled
from deepresearch_mcp.records.report import Block, Draft, Sentence, WrittenSection

LABEL, EMPTY = Sentence(text="Size"), Sentence(text="–")
UNSAID = Sentence(text="Not given in the documentation", absence=True)
ABSENT = Sentence(text="The manual names no price.", absence=True, label="Price")
FULL = Sentence(text="1 MB", claim_ids=("c1",))
PROSE = Block(rows=((Sentence(text="Ice floats.", claim_ids=("c2",)), ABSENT),))
TABLE = Block(
    kind="table",
    title="Limits",
    head=("Matter", "Ice", "Salt"),
    rows=(
        (LABEL, EMPTY, FULL),
        (Sentence(text="Age"), FULL, UNSAID),
        (Sentence(text="Kind"), FULL, Sentence(text="n/a")),
    ),
)
DRAFT = Draft(title="Solids", sections=(WrittenSection(heading="On solids", blocks=(PROSE, TABLE)),))


def test_empty_cells_and_what_says_that_nothing_was_found_are_open_in_reading_order() -> None:
    sentence, cell, unsaid = open_spots(DRAFT)

    assert (sentence.at, cell.at, unsaid.at) == ((0, 0, 0, 1), (0, 1, 0, 1), (0, 1, 1, 2))
    assert sentence.place == "sentence of “On solids”, behind “Ice floats.”: The manual names no price."
    assert cell.place == "cell of “On solids: Limits”, row “Size”, column “Ice” (its row has Salt: 1 MB)"
    assert (unsaid.words, unsaid.column_name, unsaid.is_cell) == ("Age", "Salt", True)


def test_a_table_that_becomes_a_list_has_no_open_cells() -> None:
    sparse = TABLE.model_copy(update={"rows": ((LABEL, EMPTY, EMPTY), (LABEL, FULL, EMPTY))})

    assert open_spots(Draft(title="T", sections=(WrittenSection(heading="H", blocks=(sparse,)),))) == []


def test_what_is_found_stands_in_its_place_and_nothing_else_changes() -> None:
    said = Sentence(text="The price is 5.", claim_ids=("c3",))

    result = with_filled(DRAFT, {(0, 0, 0, 1): said, (0, 1, 0, 1): FULL})

    assert result.sections[0].blocks[0].rows[0] == (PROSE.rows[0][0], said.model_copy(update={"label": "Price"}))
    assert result.sections[0].blocks[1].rows == ((LABEL, FULL, FULL), *TABLE.rows[1:])
    assert with_filled(DRAFT, {}) == DRAFT
