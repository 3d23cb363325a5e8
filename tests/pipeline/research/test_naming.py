"""Whether a text names a cell or a deliverable."""

import pytest

from deepresearch_mcp.pipeline.research.naming import names_cell, names_half, said_in, telling_words
from deepresearch_mcp.records.plan import Cell

CELL = Cell(id="s2a1", subject="PostgreSQL", aspect="Concurrent writers")


@pytest.mark.parametrize(
    ("text", "about", "named"),
    [
        ("PostgreSQL concurrency control", "", True),
        ("PostgreSQL row locks", "How do both handle many concurrent writers?", True),
        ("PostgreSQL row locks", "", False),
        ("SQLite concurrent writers", "", False),
    ],
)
def test_a_text_names_a_cell_by_its_whole_subject_and_half_of_its_aspect(text: str, about: str, named: bool) -> None:
    assert names_cell(text, CELL, about) == named


def test_a_subject_of_several_words_is_named_by_all_of_them() -> None:
    cell = Cell(id="s1a1", subject="Django on PostgreSQL", aspect="search")

    assert names_cell("Django search with PostgreSQL", cell)
    assert not names_cell("PostgreSQL search", cell)


def test_words_of_one_root_are_one_word_and_longer_relatives_are_not() -> None:
    assert names_half(said_in("concurrency"), "concurrent")
    assert not names_half(said_in("PostgreSQL documentation"), "document")
    assert not names_half(said_in("ice"), "")


def test_words_that_all_deliverables_share_tell_none_of_them() -> None:
    assert telling_words("ice on lakes", ["ice on lakes", "ice on seas"]) == ["lakes"]
    assert telling_words("ice on lakes", []) == ["ice", "lakes"]
