"""A draft taken apart and put together again."""

from hypothesis import given
from hypothesis import strategies as st

from deepresearch_mcp.pipeline.report.pieces import (
    Piece,
    edited,
    edited_section,
    edited_sections,
    is_empty,
    is_lead_in,
    pieces_in,
    pieces_in_section,
    pieces_of,
    without_typed_marks,
)
from deepresearch_mcp.records.report import Block, BlockKind, Draft, Sentence, WrittenSection

FACT = Sentence(text="Ice floats.", claim_ids=("c1",))
OURS = Sentence(text="Take ice.", kind="judgement", premises=("c1", "c2"))
LEAD = Sentence(text="Three things float:")


def same(piece: Piece) -> tuple[Sentence, ...]:
    return (piece.sentence,)


def gone(piece: Piece) -> tuple[Sentence, ...]:
    return ()


def table(*rows: tuple[Sentence, ...]) -> Block:
    return Block(kind="table", head=("Solid", "Floats", "Melts"), rows=rows)


def section(*blocks: Block) -> WrittenSection:
    return WrittenSection(heading="A", blocks=blocks)


def test_taking_sentences_apart_keeps_their_kind_and_premises():
    both = OURS.model_copy(update={"text": "Take ice [1]. Leave salt out."})

    assert [(one.text, one.kind, one.premises) for one in pieces_of(both)] == [
        ("Take ice.", "judgement", ("c1", "c2")),
        ("Leave salt out.", "judgement", ("c1", "c2")),
    ]
    assert without_typed_marks(OURS.model_copy(update={"premises": ("c1", "c1")})).premises == ("c1",)


def test_a_cell_is_judged_with_its_row_and_column():
    rows = table(
        (Sentence(text="Ice"), Sentence(text="yes", claim_ids=("c1",)), Sentence(text="at 0 °C", claim_ids=("c2",)))
    )

    pieces = list(pieces_in(Draft(title="T", sections=(section(rows),))))

    assert [one.statement for one in pieces] == ["Ice – Floats: yes", "Ice – Melts: at 0 °C"]
    assert pieces[0].place == "a cell of a table, row “Ice”, column “Floats”"
    assert Piece(FACT).place == ""


def test_a_label_is_judged_only_where_it_has_a_claim():
    bare, cited = Sentence(text="Ice"), Sentence(text="Ice", claim_ids=("c1",))
    rows = table((bare, FACT), (cited, FACT))

    assert [one.statement for one in pieces_in(Draft(title="T", sections=(section(rows),)))] == [
        "Ice – Floats: Ice floats.",
        "Solid: Ice",
        "Ice – Floats: Ice floats.",
    ]


def test_a_cell_that_goes_leaves_its_place_empty_and_a_row_goes_with_its_last_cell():
    rows = table(
        (Sentence(text="Ice"), FACT, Sentence(text="")),
        (Sentence(text="Salt"), Sentence(text="no", claim_ids=("c9",)), Sentence(text="–")),
    )

    left = edited_section(section(rows), lambda piece: () if "c9" in piece.sentence.claim_ids else (piece.sentence,))

    assert left
    assert [[cell.text for cell in row] for row in left.blocks[0].rows] == [["Ice", "Ice floats.", "–"]]


def test_a_cell_stays_one_cell_whatever_stands_in_its_place():
    rows = table((Sentence(text="Ice"), FACT))
    more = Sentence(text="It melts.", claim_ids=("c2",))

    left = edited_section(section(rows), lambda _: (FACT, more))

    assert left
    assert left.blocks[0].rows[0][1] == Sentence(text="Ice floats. It melts.", claim_ids=("c1", "c2"))


def test_a_cell_without_a_claim_is_judged_even_where_its_row_has_no_label():
    rows = table((Sentence(text=""), Sentence(text="yes")))

    assert [one.statement for one in pieces_in(Draft(title="T", sections=(section(rows),)))] == ["Floats: yes"]


def test_items_of_lists_stand_by_themselves_and_passages_are_not_taken_apart():
    long = Sentence(text="Ice floats. Salt sinks.", claim_ids=("c1",))
    blocks = (Block(kind="list", rows=((FACT,),)), Block(kind="passage", rows=((long,),)), Block(rows=((FACT,),)))

    pieces = list(pieces_in(Draft(title="T", sections=(section(*blocks),))))

    assert pieces == [Piece(FACT, apart=True), Piece(long, passage=True), Piece(FACT)]


def test_a_section_without_a_sentence_goes():
    assert edited_section(section(Block(rows=((FACT,),))), gone) is None
    assert edited_sections(Draft(title="T", sections=(section(Block(rows=((FACT,),))),)), gone) == ()
    assert edited([FACT], gone) == ()


def test_a_lead_in_goes_with_the_list_that_it_leads_to():
    items = Block(kind="list", rows=((FACT,),))

    left = edited_section(
        section(Block(rows=((OURS,),)), Block(rows=((LEAD,),)), items),
        lambda piece: () if piece.apart else (piece.sentence,),
    )

    assert left == section(Block(rows=((OURS,),)))
    assert is_lead_in(LEAD)
    assert not is_lead_in(FACT.model_copy(update={"text": "Ice floats:"}))


def test_an_empty_cell_is_known_by_its_dash():
    assert all(is_empty(Sentence(text=text)) for text in ("", "–", "-", " — ", "n/a"))
    assert not is_empty(Sentence(text="no"))


SENTENCES = st.builds(Sentence, text=st.sampled_from(["Ice floats.", "Salt sinks.", "yes"]), claim_ids=st.just(("c1",)))
KINDS: st.SearchStrategy[BlockKind] = st.sampled_from(["prose", "list", "steps", "table", "passage"])
BLOCKS = st.builds(
    Block, kind=KINDS, rows=st.lists(st.lists(SENTENCES, min_size=1, max_size=3).map(tuple), min_size=1).map(tuple)
)


@given(st.lists(BLOCKS, min_size=1).map(tuple))
def test_a_section_in_which_nothing_changes_stays_as_it_is(blocks: tuple[Block, ...]):
    assert edited_section(section(*blocks), same) == section(*blocks)


def test_a_paragraph_begins_where_it_began_though_its_first_sentence_goes_or_is_taken_apart():
    two = Sentence(text="Ice floats on water. Salt sinks in water.", claim_ids=("c1",), opens=True)
    gone = Sentence(text="Ice is old and cold.", opens=True)
    last = Sentence(text="Take the ice along.")

    kept = edited((FACT, two, gone, last), lambda piece: () if piece.sentence.text == gone.text else (piece.sentence,))

    assert [one.opens for one in kept] == [False, True, False, True]


def test_a_stop_within_code_ends_no_sentence() -> None:
    told = "Only `jdoc -> 'tags' ? 'qui'` uses the index. `a ? b` reads the whole table."

    assert [one.text for one in pieces_of(Sentence(text=told, claim_ids=("c1",)))] == [
        "Only `jdoc -> 'tags' ? 'qui'` uses the index.",
        "`a ? b` reads the whole table.",
    ]


def test_code_is_one_piece_and_keeps_its_lines() -> None:
    code = Sentence(text="a = 1. b\n\n  c()", kind="judgement", premises=("c1",))
    section = WrittenSection(heading="How", blocks=(Block(kind="code", rows=((code,),)),))

    [piece] = pieces_in_section(section)
    assert (piece.sentence, piece.code, piece.is_whole) == (code, True, True)
    assert edited_section(section, lambda one: (one.sentence,)) == section
    assert edited_section(section, lambda _: ()) is None


def test_a_labelled_sentence_is_judged_with_its_label():
    labelled = FACT.model_copy(update={"label": "Salt water"})

    assert Piece(labelled).statement == "Salt water: Ice floats."
    assert [
        one.label
        for one in pieces_of(labelled.model_copy(update={"text": "Ice floats on water. Salt sinks in water."}))
    ] == [
        "Salt water",
        "",
    ]


def test_a_label_stays_with_its_paragraph_where_the_first_sentence_goes():
    first, other = FACT.model_copy(update={"label": "Ice"}), Sentence(text="Salt sinks fast.", claim_ids=("c2",))
    alone = Sentence(text="Fish live below.", claim_ids=("c3",), opens=True)

    def without_first(piece: Piece) -> tuple[Sentence, ...]:
        return () if piece.sentence.text == FACT.text else (Sentence(text=piece.sentence.text),)

    listed = edited_section(section(Block(kind="list", rows=((first, other), (alone,)))), without_first)

    assert [(one.label, one.text) for one in edited((first, other, alone), without_first)] == [
        ("Ice", "Salt sinks fast."),
        ("", "Fish live below."),
    ]
    assert [one.label for one in edited((first, alone), without_first)] == [""]
    assert listed is not None
    assert [one.label for one in listed.sentences] == ["Ice", ""]


def by_release(*rows: tuple[str, str, Sentence]) -> list[Piece]:
    written = tuple((Sentence(text=group), Sentence(text=subject), said) for group, subject, said in rows)
    block = Block(kind="table", head=("Release", "Subject", "From then on"), rows=written)
    return list(pieces_in(Draft(title="T", sections=(section(block),))))


def test_a_second_column_that_names_rows_of_one_group_needs_no_claim_and_is_part_of_the_row_s_name():
    pieces = by_release(("3.8", "Default loop", FACT), ("3.8", "Delays", FACT), ("3.9", "Timeouts", FACT))

    assert [one.statement for one in pieces] == [
        "3.8 – Default loop – From then on: Ice floats.",
        "3.8 – Delays – From then on: Ice floats.",
        "3.9 – Timeouts – From then on: Ice floats.",
    ]


def test_a_second_column_of_rows_that_are_named_already_or_with_a_claim_in_it_is_judged():
    named = by_release(("3.8", "on by default", FACT), ("3.9", "off by default", FACT))
    claimed = by_release(("3.8", "on by default", FACT), ("3.8", "off by default", FACT))
    block = Block(
        kind="table", head=("Release", "Then"), rows=((Sentence(text="3.8"), FACT), (Sentence(text="3.8"), FACT))
    )

    assert [one.sentence.text for one in named][::2] == ["on by default", "off by default"]
    assert len(claimed) == 2
    assert len(pieces_in_section(section(block))) == 2


def test_a_piece_knows_the_heading_that_it_stands_under_and_is_the_same_piece_under_another():
    [first] = pieces_in_section(section(Block(rows=((FACT,),))))
    [second] = pieces_in_section(WrittenSection(heading="B", blocks=(Block(rows=((FACT,),)),)))

    assert (first.section, second.section) == ("A", "B")
    assert first == second
