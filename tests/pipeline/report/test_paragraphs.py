"""The paragraphs of an opening."""

from deepresearch_mcp.pipeline.report.paragraphs import paragraphs
from deepresearch_mcp.records.report import Sentence


def said(*texts: str) -> list[Sentence]:
    return [Sentence(text=one) for one in texts]


LONG = "Ice floats on water " * 8


def test_paragraphs_begin_where_the_writer_began_them():
    first, second, third = said("Ice floats.", "It is light.", "Salt sinks.")

    assert paragraphs([first, second, third]) == [(first, second, third)]
    opens = third.model_copy(update={"opens": True})
    assert paragraphs([first.model_copy(update={"opens": True}), second, opens])[1:] == [(opens,)]
    assert paragraphs([]) == []


def test_a_long_block_is_cut_but_no_sentence_is_parted_from_one_that_it_leans_on():
    one = said(LONG, LONG, "This is why.", LONG, LONG, LONG, "Take ice.")

    assert [len(found) for found in paragraphs(one)] == [3, 2, 2]
    assert [text for found in paragraphs(one) for text in found] == one


def test_what_the_writer_parted_is_not_cut_again():
    one = said(LONG, LONG, LONG, LONG)
    one[3] = one[3].model_copy(update={"opens": True})

    assert [len(found) for found in paragraphs(one)] == [3, 1]
