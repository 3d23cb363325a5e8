"""Blocks as Markdown."""

from deepresearch_mcp.pipeline.numbering import Numbering
from deepresearch_mcp.pipeline.report.block_markdown import block_markdown, plain, prose, section_markdown
from deepresearch_mcp.records.report import Block, Sentence, WrittenSection
from pipeline_fakes import claim, page

PAGES = [page(f"https://p{n}.example/", f"Ice {n} floats.") for n in range(8)]
CLAIMS = [claim(one, one.text) for one in PAGES]


def fact(n: int, text: str = "") -> Sentence:
    return Sentence(text=text or f"Ice {n} floats.", claim_ids=(CLAIMS[n].claim_id,))


def ours(text: str, *premises: int) -> Sentence:
    return Sentence(text=text, kind="judgement", premises=tuple(CLAIMS[n].claim_id for n in premises))


NUMBERS = Numbering(
    {one.claim_id: one for one in CLAIMS}, {one.source_id: one for one in PAGES}, [fact(n) for n in range(8)]
)


def test_a_run_of_judgements_is_introduced_once_with_the_marks_of_all_its_premises():
    text = prose([fact(0), ours("Take ice.", 1, 2), ours("Not *salt*.", 2, 3), fact(4)], NUMBERS)

    assert text == (r"Ice 0 floats [1]. *Our assessment, from [2] [3] [4]:* Take ice. Not \*salt\*. Ice 4 floats [5].")


def test_without_marks_judgements_are_introduced_all_the_same():
    assert plain([fact(0), ours("Take ice.", 1), ours("Not salt.", 2)]) == (
        "Ice 0 floats. Our assessment: Take ice. Not salt."
    )


def test_judgements_with_many_premises_keep_each_its_own_marks():
    text = prose([ours("Take ice.", 0, 1, 2, 3), ours("Not salt.", 4, 5, 6)], NUMBERS)

    assert text == "*Our assessment:* Take ice [1][2][3][4]. Not salt [5][6][7]."


def test_lists_and_steps_have_an_item_for_each_row():
    rows = ((fact(0), fact(1)), (ours("Take ice.", 2),))

    assert block_markdown(Block(kind="list", rows=rows), NUMBERS) == (
        "- Ice 0 floats [1]. Ice 1 floats [2].\n- *Our assessment, from [3]:* Take ice."
    )
    assert block_markdown(Block(kind="steps", rows=rows), NUMBERS).splitlines()[1].startswith("2. *Our")


def test_a_list_of_judgements_is_introduced_above_it():
    rows = ((ours("Take ice.", 0),), (ours("Leave salt.", 1),))
    many = ((ours("Take ice.", 0, 1, 2, 3),), (ours("Leave salt.", 4, 5, 6),))

    assert block_markdown(Block(kind="list", rows=rows), NUMBERS) == (
        "*Our assessment, from [1] [2]:*\n\n- Take ice.\n- Leave salt."
    )
    assert block_markdown(Block(kind="list", rows=many), NUMBERS) == (
        "*Our assessment:*\n\n- Take ice [1][2][3][4].\n- Leave salt [5][6][7]."
    )


def test_a_table_has_a_mark_for_each_cell_and_sets_our_own_in_italics():
    rows = (
        (Sentence(text="Ice | snow"), fact(0, "yes"), ours("the best", 1, 2)),
        (Sentence(text="Salt"), Sentence(text="")),
    )
    block = Block(kind="table", head=("Solid", "Floats"), rows=rows)

    assert block_markdown(block, NUMBERS).splitlines() == [
        "| Solid | Floats |  |",
        "| --- | --- | --- |",
        r"| Ice \| snow | yes [1] | *the best* [2][3] |",
        "| Salt | – | – |",
        "",
        "*Our assessment is set in italics.*",
    ]


def test_a_table_of_facts_needs_no_note():
    block = Block(kind="table", head=("Solid", "Floats"), rows=((Sentence(text="Ice"), fact(0, "yes")),))

    assert "assessment" not in block_markdown(block, NUMBERS)


def test_a_passage_is_set_apart_as_a_quotation():
    block = Block(kind="passage", rows=((fact(0, "Ice floats.\n# Not a heading"),),))

    assert block_markdown(block, NUMBERS) == "> Ice floats.\n> \\# Not a heading [1]"


def test_a_section_has_its_blocks_in_order_with_their_titles():
    section = WrittenSection(
        heading="Why", blocks=(Block(rows=((fact(0),),)), Block(title="More *so*", rows=((fact(1),),)))
    )

    assert section_markdown(section, NUMBERS) == "Ice 0 floats [1].\n\n### More \\*so\\*\n\nIce 1 floats [2]."
