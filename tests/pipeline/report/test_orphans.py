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
