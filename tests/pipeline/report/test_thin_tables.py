"""Tables with little in them."""

from deepresearch_mcp.pipeline.report.thin_tables import without_thin
from deepresearch_mcp.records.report import Block, Draft, Sentence, WrittenSection

HEAD = ("Matter", "3.7", "3.8", "3.9")


def table(*rows: str, head: tuple[str, ...] = HEAD) -> Block:
    """A table of rows such as `Tasks | a1 | – | b2`; every cell names a claim of its own words."""
    made = tuple(
        tuple(
            Sentence(text=one.strip(), claim_ids=(f"c-{one.strip()}",) if at and one.strip() not in "–n/a" else ())
            for at, one in enumerate(row.split("|"))
        )
        for row in rows
    )
    return Block(kind="table", title="What is new", head=head, rows=made)


def blocks(*given: Block) -> tuple[Block, ...]:
    return without_thin(Draft(title="T", sections=(WrittenSection(heading="H", blocks=given),))).sections[0].blocks


def lines(block: Block) -> list[str]:
    return [" ".join(f"[{one.label}] {one.text}" if one.label else one.text for one in row) for row in block.rows]


def test_a_table_with_enough_in_every_row_and_column_stays_as_it_is() -> None:
    full = table("Tasks | a | b | –", "Loops | c | – | d", "Locks | – | e | f")
    prose = Block(rows=((Sentence(text="Some prose."),),))

    assert blocks(prose, full) == (prose, full)


def test_rows_that_are_mostly_empty_are_told_below_the_table() -> None:
    smaller, rest = blocks(table("Tasks | a | b | c", "Loops | d | e | f", "Locks | – | g | –", "None | – | – | –"))

    assert [row[0].text for row in smaller.rows] == ["Tasks", "Loops"]
    assert (smaller.head, smaller.title) == (HEAD, "What is new")
    assert (rest.kind, rest.title, lines(rest)) == ("list", "", ["[Locks] 3.8: g."])
    assert rest.sentences[0].claim_ids == ("c-g",)


def test_one_row_that_is_mostly_empty_stays_in_its_table() -> None:
    whole = table("Tasks | a | b | c", "Loops | d | e | f", "Locks | – | g | –")

    assert blocks(whole) == (whole,)


def test_a_column_that_is_mostly_empty_is_told_below_the_table() -> None:
    smaller, rest = blocks(table("Tasks | a | b | –", "Loops | c | d | –", "Locks | e | f | Yes, all!"))

    assert smaller.head == ("Matter", "3.7", "3.8")
    assert [len(row) for row in smaller.rows] == [3, 3, 3]
    assert lines(rest) == ["[3.9] Locks: Yes, all!"]


def test_a_table_that_is_mostly_empty_becomes_a_list() -> None:
    [listed] = blocks(table("Tasks | a | – | b", "Loops | – | – | c", "Locks | – | n/a | –"))

    assert (listed.kind, listed.title) == ("list", "What is new")
    assert lines(listed) == ["[Tasks] 3.7: a. 3.9: b.", "[Loops] 3.9: c."]


def test_a_table_of_which_one_row_is_left_becomes_a_list() -> None:
    [listed] = blocks(table("Tasks | a | b", "Loops | – | –", head=("", "", "3.8")))

    assert lines(listed) == ["[Tasks] a. 3.8: b."]


def test_a_short_row_counts_as_empty_where_it_has_no_cell_and_a_table_without_content_goes() -> None:
    assert blocks(table("Tasks | a | b | c", "Loops | d | e | f", "Locks | g"))[0].rows[1:] != ()
    empty = WrittenSection(heading="H", blocks=(table("Tasks | – | –", head=("", "3.7", "3.8")),))
    assert without_thin(Draft(title="T", sections=(empty,))).sections == ()
