"""What leans on a sentence that changes or goes."""

from deepresearch_mcp.pipeline.report.orphans import ReadingOrder
from deepresearch_mcp.pipeline.report.pieces import Piece, running
from deepresearch_mcp.records.report import Sentence

LOCK = Sentence(text="CREATE INDEX takes a share lock.", claim_ids=("c1",))
THAT = Sentence(text="That lock lets readers go on.", claim_ids=("c2",))
IT = Sentence(text="It ends with the transaction.", claim_ids=("c3",))
OWN = Sentence(text="Vacuum takes none.", claim_ids=("c4",))
PIECES = running((LOCK, THAT, IT, OWN), "en")
FIRST, SECOND, THIRD, LAST = PIECES
ORDER = ReadingOrder([PIECES])


def reworded(text: str) -> Sentence:
    return Sentence(text=text, claim_ids=("c2",))


def test_what_leans_is_known_with_the_sentence_before_it() -> None:
    assert [one.before for one in PIECES] == ["", LOCK.text, THAT.text, ""]
    assert list(ORDER.leaning_on(FIRST)) == [SECOND, THIRD]
    assert list(ORDER.leaning_on(THIRD)) == []
    assert [ORDER.before(one) for one in (FIRST, SECOND)] == ["", LOCK.text]


def test_the_sentence_before_is_told_as_it_is_proposed_and_one_that_goes_is_passed_over() -> None:
    assert ORDER.before(SECOND, {FIRST: reworded("Another.")}) == "Another."
    assert ORDER.before(THIRD, {SECOND: reworded("")}) == LOCK.text
    assert ORDER.before(SECOND, {FIRST: reworded("")}) == ""


def test_nothing_is_an_orphan_where_nothing_changed() -> None:
    assert ORDER.settled({}, {}, "en") == ({}, set())
    assert ORDER.settled({LAST: None}, {}, "en") == ({}, set())


def test_behind_a_sentence_that_goes_all_that_leans_goes_too() -> None:
    assert ORDER.settled({FIRST: None}, {}, "en") == ({}, {SECOND, THIRD})


def test_behind_a_sentence_that_goes_a_wording_that_stands_by_itself_stays() -> None:
    alone = reworded("A share lock lets readers go on.")

    assert ORDER.settled({FIRST: None}, {SECOND: alone, THIRD: IT}, "en") == ({SECOND: alone}, set())


def test_behind_a_new_wording_what_a_reader_found_to_hold_stays_and_what_not_goes() -> None:
    new = {FIRST: reworded("CREATE INDEX takes a lock.")}

    assert ORDER.settled(new, {SECOND: THAT, THIRD: IT}, "en") == ({}, set())
    assert ORDER.settled(new, {SECOND: None, THIRD: IT}, "en") == ({}, {SECOND, THIRD})


def test_a_label_behind_a_sentence_changes_nothing_for_the_next() -> None:
    labelled = LOCK.model_copy(update={"text": "CREATE INDEX takes a share lock (an opinion)."})

    assert ORDER.settled({FIRST: labelled}, {SECOND: None}, "en") == ({}, set())


def test_cells_and_passages_lean_on_nothing() -> None:
    cell = Piece(THAT, row="Lock", column="PostgreSQL")

    assert list(ReadingOrder([[FIRST, cell]]).leaning_on(FIRST)) == []


def text_of(*said: str) -> list[Piece]:
    return running([Sentence(text=one, claim_ids=(f"c{at}",)) for at, one in enumerate(said)], "en")


def test_what_counts_leans_on_the_sentence_that_lists_even_across_another_one() -> None:
    named, between, count = pieces = text_of("A risk is the lock or the log.", "Vacuum runs.", "The first is bearable.")
    order = ReadingOrder([pieces], "en")

    assert list(order.leaning_on(named)) == [count]
    assert order.settled({named: None}, {}, "en") == ({}, {count})
    assert order.settled({between: None}, {}, "en") == ({}, set())


def test_what_counts_behind_a_list_leans_on_each_of_its_items() -> None:
    items = [Piece(Sentence(text=one), apart=True) for one in ("Locks wait.", "Logs grow.")]
    [count] = text_of("The second is worse.")
    order = ReadingOrder([[*items, count]], "en")

    assert [list(order.leaning_on(one)) for one in items] == [[count], [count]]


def test_a_noun_that_is_pointed_at_is_looked_for_where_it_was_named() -> None:
    named, between, pointing = pieces = text_of(
        "It keeps a second version.", "Logs are flushed.", "What decides is whether that second version was written."
    )
    order = ReadingOrder([pieces], "en")

    assert list(order.leaning_on(named)) == [pointing]
    assert order.settled({named: None}, {pointing: between.sentence}, "en") == ({pointing: between.sentence}, set())


def test_the_numbers_of_steps_lean_on_the_steps() -> None:
    step = Piece(Sentence(text="Wait for all."), apart=True)
    [by_number] = text_of("A group replaces step 1.")

    assert list(ReadingOrder([[step, by_number]], "en").leaning_on(step)) == [by_number]


def test_a_small_word_that_tied_a_sentence_to_one_that_goes_is_taken_out() -> None:
    gone, tied = text_of("Logs are flushed.", "Therefore keep the log.")
    alone = tied.sentence.model_copy(update={"text": "Keep the log."})

    assert ReadingOrder([[gone, tied]], "en").settled({gone: None}, {}, "en") == ({tied: alone}, set())


def test_a_count_at_the_head_of_a_text_has_nothing_to_count_unless_a_table_stands_before_it() -> None:
    [count] = text_of("The first two are bearable.")
    cell = Piece(LOCK, row="Lock", column="PostgreSQL")

    assert list(ReadingOrder([[count]], "en").headless()) == [count]
    assert list(ReadingOrder([[cell, count]], "en").headless()) == []
    assert list(ReadingOrder([[FIRST, count]], "en").headless()) == []
    assert list(ReadingOrder([[], [count]], "de").headless()) == []
