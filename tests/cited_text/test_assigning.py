from deepresearch_mcp.cited_text.assigning import Assigning, paragraphs, table_rows
from deepresearch_mcp.cited_text.masked_text import CitationMark
from deepresearch_mcp.text.blocks import blocks

TEXT = "Ice floats on water.\n- One is cold.\n- Two are wet. They freeze."


def test_paragraphs_and_items_are_groups_of_sentences() -> None:
    [block] = blocks(TEXT)

    assert [[TEXT[one.start : one.end] for one in group.pieces] for group in paragraphs(TEXT, block)] == [
        ["Ice floats on water."],
        ["One is cold."],
        ["Two are wet.", "They freeze."],
    ]


def test_a_table_has_its_rows_without_head_and_rule() -> None:
    table = "| a | b |\n|:--|--:|\n| c | d |\n| e |  |"
    [block] = blocks(table)

    assert [
        [table[cell.start : cell.end].strip() for cell in group.pieces[0].cells] for group in table_rows(table, block)
    ] == [
        ["c", "d"],
        ["e", ""],
    ]


def test_a_mark_in_front_of_every_sentence_belongs_to_the_first_on_its_line() -> None:
    text = "    Ice floats on water."
    [block] = blocks(text)
    groups = list(paragraphs(text, block))
    Assigning(text, text, groups, ()).assign([CitationMark("number", 0, 3, "1")])

    assert [mark.key for mark in groups[0].pieces[0].marks] == ["1"]
