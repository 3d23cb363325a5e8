"""New wordings of doubted sentences."""

import pytest

from deepresearch_mcp.pipeline.report.check_sentence import Checked
from deepresearch_mcp.pipeline.report.pieces import Piece
from deepresearch_mcp.pipeline.report.reader import Held
from deepresearch_mcp.pipeline.report.wordings import joined, labelled, mends, placed
from deepresearch_mcp.records.report import Sentence

TWO = Sentence(text="That lock is weaker. Writers can go on with it.", claim_ids=("c1",))
BARE = Piece(TWO)


def test_a_new_wording_is_held_sentence_by_sentence_the_first_with_what_it_leans_on() -> None:
    first, second = placed(BARE, TWO, "A share lock is taken.", "en")

    assert (first.before, second.before) == ("A share lock is taken.", "")
    assert joined([first, second]) == TWO


def test_in_a_cell_it_stays_one_piece() -> None:
    cell = Piece(TWO, row="Lock", column="PostgreSQL", apart=True)

    assert placed(cell, TWO, "Before.", "en") == (cell,)


@pytest.mark.parametrize(
    ("language", "text"),
    [("en", "It will rise (a forecast)."), ("de", "It will rise (eine Prognose)."), ("", "It will rise (a forecast).")],
)
def test_a_label_stands_before_the_full_stop(language: str, text: str) -> None:
    assert labelled("It will rise.", "forecast", language) == text


def test_what_a_reader_faulted_is_mended_only_by_a_readers_word_or_a_repetition() -> None:
    faulted, proved = Held(BARE, Checked(uncertain=True), "less"), Held(BARE, Checked("16"))
    unread, found = Held(BARE, Checked(uncertain=True)), Held(BARE, Checked(uncertain=True), "")

    assert [mends(one, faulted) for one in (unread, found, Held(BARE, Checked()), faulted)] == [
        False,
        True,
        True,
        False,
    ]
    assert mends(unread, proved)
