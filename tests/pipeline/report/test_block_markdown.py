"""Blocks as Markdown."""

from deepresearch_mcp.cited_text.parse import parse_cited_text
from deepresearch_mcp.pipeline.numbering import Numbering
from deepresearch_mcp.pipeline.report.block_markdown import (
    block_markdown,
    judges,
    plain,
    section_markdown,
)
from deepresearch_mcp.pipeline.report.mark_groups import prose
from deepresearch_mcp.records.report import Block, Sentence, WrittenSection
from deepresearch_mcp.text.citations import NOTE
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


def test_judgements_read_as_one_flow_with_one_mark_behind_the_last():
    text = prose([fact(0), ours("Take ice.", 1, 2), ours("Not *salt*!", 2, 3), ours("Ever."), fact(4)], NUMBERS)

    assert text == (r"Ice 0 floats [1]. Take ice. Not \*salt\*! Ever. [cf. 2, 3, 4] Ice 4 floats [5].")


def test_code_is_code_in_a_judgement_too():
    text = prose([fact(0, "Use `jsonb_ops` or `?|`."), ours("Take `x_y`.", 1)], NUMBERS)

    assert text == "Use `jsonb_ops` or `?|` [1]. Take `x_y` [cf. 2]."


def test_without_marks_judgements_are_introduced_all_the_same():
    assert plain([fact(0), ours("Take ice.", 1), ours("Not salt.", 2)]) == (
        "Ice 0 floats. Our assessment: Take ice. Not salt."
    )


def test_lists_and_steps_have_an_item_for_each_row():
    rows = ((fact(0), fact(1)), (ours("Take ice.", 2),))

    assert block_markdown(Block(kind="list", rows=rows), NUMBERS) == (
        "- Ice 0 floats. Ice 1 floats. [1, 2]\n- Take ice [cf. 3]."
    )
    assert block_markdown(Block(kind="steps", rows=rows), NUMBERS).splitlines()[1] == "2. Take ice [cf. 3]."


def test_steps_go_on_behind_a_list_that_belongs_to_one_of_them():
    step, list_ = ((fact(0),), (fact(1),)), ((fact(2),),)
    blocks = (Block(kind="steps", rows=step), Block(kind="list", rows=list_), Block(kind="steps", rows=step))
    lines = section_markdown(WrittenSection(heading="Ice", blocks=blocks), NUMBERS).split("\n")

    assert [line.split(" Ice")[0] for line in lines if line] == ["1.", "2.", "   -", "3.", "4."]

    apart = (*blocks[:1], Block(kind="prose", rows=list_), *blocks[2:])
    assert section_markdown(WrittenSection(heading="Ice", blocks=apart), NUMBERS).count("1. Ice") == 2


def test_what_the_items_of_a_list_speak_of_stands_out():
    labelled = ((fact(0, "Ice: It floats."),), (ours("`Salt` of lakes: Leave it.", 1),), (fact(2),))
    alone = ((fact(0, "Ice: It floats."),), (fact(1),), (fact(2),))

    assert block_markdown(
        Block(kind="list", rows=(labelled[0], (ours("Salt: Leave it.", 1),), labelled[2])), NUMBERS
    ) == ("- **Ice:** It floats [1].\n- **Salt:** Leave it [cf. 2].\n- Ice 2 floats [3].")
    assert "**" not in block_markdown(Block(kind="list", rows=labelled), NUMBERS)
    assert "**" not in block_markdown(Block(kind="list", rows=alone), NUMBERS)


def test_a_cell_that_does_not_apply_says_so():
    rows = ((Sentence(text="Ice"), Sentence(text="N/A"), fact(0, "yes")),)

    assert block_markdown(Block(kind="table", head=("", "A", "B"), rows=rows), NUMBERS).splitlines()[2:7] == [
        "| Ice | n/a | yes | [1] |"
    ]


def test_a_table_has_the_marks_of_each_row_in_a_last_column_and_marks_our_own():
    rows = (
        (Sentence(text="Ice | snow"), fact(0, "yes, `a|b`"), ours("the best", 1, 2)),
        (Sentence(text="Salt"), Sentence(text="")),
    )
    block = Block(kind="table", head=("Solid", "`Floats`"), rows=rows)

    assert block_markdown(block, NUMBERS).splitlines() == [
        "| Solid | `Floats` |  | Sources |",
        "| --- | --- | --- | --- |",
        r"| Ice \| snow | yes, `a\|b` | the best [cf. 2, 3] | [1] |",
        "| Salt | – | – |  |",
    ]


def test_a_section_explains_its_mark_once_below_the_first_block_that_judges():
    blocks = (Block(rows=((fact(0),),)), Block(rows=((ours("Take ice.", 1),),)), Block(rows=((ours("Not salt.", 2),),)))

    assert section_markdown(WrittenSection(heading="Why", blocks=blocks), NUMBERS, note=True) == (
        f"Ice 0 floats [1].\n\nTake ice [cf. 2].\n\n{NOTE}\n\nNot salt [cf. 3]."
    )
    assert not judges([ours("–"), fact(0)])


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


def test_code_stands_in_a_fence_that_it_cannot_close_and_names_what_it_rests_on():
    block = Block(kind="code", head=("sh",), rows=((ours("echo '```'\n\n  ls", 1, 2),),))

    assert block_markdown(block, NUMBERS) == "````sh\necho '```'\n\n  ls\n````\n\nOur example [cf. 2, 3]."


def test_labels_that_begin_paragraphs_stand_out_where_there_are_two():
    first, second = fact(0, "Storage that lies: Every promise rests on a disk."), ours("Bits: `fsck` finds them.", 1)
    plain = fact(2, "One thing is sure: ice floats.")
    blocks = tuple(Block(rows=((one,),)) for one in (first, second, plain))

    assert section_markdown(WrittenSection(heading="Why", blocks=blocks), NUMBERS).split("\n\n") == [
        "**Storage that lies:** Every promise rests on a disk [1].",
        "**Bits:** `fsck` finds them [cf. 2].",
        "One thing is sure: ice floats [3].",
    ]
    assert "**" not in section_markdown(WrittenSection(heading="Why", blocks=blocks[1:]), NUMBERS)

    # A label of its own counts too, and a sentence has one label.
    own = Block(rows=((fact(3, "Seals: They swim.").model_copy(update={"label": "At sea"}),),))
    assert section_markdown(WrittenSection(heading="Why", blocks=(blocks[1], own)), NUMBERS).split("\n\n") == [
        "**Bits:** `fsck` finds them [cf. 2].",
        "**At sea:** Seals: They swim [4].",
    ]


def test_a_label_stands_in_bold_letters_before_its_sentence():
    row = (ours("Take ice.", 1).model_copy(update={"label": "On `lakes` *now*"}), fact(0))

    for kind, sign in (("prose", ""), ("list", "- "), ("steps", "1. ")):
        assert block_markdown(Block(kind=kind, rows=(row,)), NUMBERS) == (
            f"{sign}**On `lakes` \\*now\\*:** Take ice [cf. 2]. Ice 0 floats [1]."
        )
    assert plain(row) == "Our assessment – On `lakes` *now*: Take ice. Ice 0 floats."


def test_steps_go_on_behind_a_paragraph_where_their_writer_said_so() -> None:
    step, told = ((fact(0),),), Block(rows=((fact(1),),))

    def shown(first: int) -> str:
        blocks = (Block(kind="steps", rows=step), told, Block(kind="steps", rows=step, first=first))
        return section_markdown(WrittenSection(heading="Do", blocks=blocks), NUMBERS)

    assert shown(3).count("1. ") == shown(3).count("2. ") == 1
    assert shown(1).count("1. ") == 2


def test_a_label_with_a_colon_ends_in_a_full_stop() -> None:
    one = fact(0).model_copy(update={"label": "SQLite: copying"})

    assert block_markdown(Block(rows=((one,),)), NUMBERS).startswith("**SQLite: copying.** Ice")


def test_a_mark_in_the_last_column_names_all_sources_of_the_facts_of_its_row():
    head = ("Version", "Subject", "Then")
    rows = (
        (Sentence(text="3.7"), fact(0, "`sleep()`"), fact(0, "gone")),
        (Sentence(text="3.8"), fact(0, "`sleep()`"), fact(1, "back")),
        (fact(0, "3.9"), fact(0, "`sleep()`"), ours("better", 0)),
        (Sentence(text="3.10"), fact(0, "`sleep()`"), Sentence(text="")),
        (Sentence(text="3.11"), Sentence(text="unknown"), ours("there", 0)),
    )

    assert block_markdown(Block(kind="table", head=head, rows=rows), NUMBERS).splitlines()[2:7] == [
        "| 3.7 | `sleep()` | gone | [1] |",
        "| 3.8 | `sleep()` | back | [1, 2] |",
        "| 3.9 | `sleep()` | better [cf. 1] | [1] |",
        "| 3.10 | `sleep()` | – | [1] |",
        "| 3.11 | unknown | there [cf. 1] |  |",
    ]


def test_a_table_of_labels_and_one_fact_each_has_its_marks_in_the_cells():
    rows = ((Sentence(text="Ice"), fact(0, "yes")), (Sentence(text="Salt"), fact(1, "no")))

    assert block_markdown(Block(kind="table", head=("Solid", "Floats"), rows=rows), NUMBERS).splitlines()[2:] == [
        "| Ice | yes [1] |",
        "| Salt | no [2] |",
    ]


def test_code_of_a_page_is_said_to_be_from_it():
    book = page("https://book.example/", "Text.\n\n```\n$ freeze  lake\nmelt lake  # slowly\n```\n")
    lake, other = claim(book, "Text."), claim(PAGES[0], PAGES[0].text)
    code = Sentence(text="freeze lake # now\n\nmelt lake", kind="judgement", premises=(other.claim_id, lake.claim_id))
    known = Numbering(
        {one.claim_id: one for one in (lake, other)}, {one.source_id: one for one in (book, PAGES[0])}, [code]
    )

    text = block_markdown(Block(kind="code", rows=((code,),)), known)

    assert text.endswith("```\n\nFrom [2].")
    assert [one.text for one in parse_cited_text(f"Ice floats well [1].\n\n{text}").statements] == ["Ice floats well."]


def test_the_marks_of_the_text_before_an_example_are_not_repeated():
    step = Block(kind="steps", rows=((fact(0),), (fact(1), ours("Take ice.", 2))))
    code = Block(kind="code", rows=((ours("take(ice)", 1, 2),),))
    other = Block(kind="code", rows=((ours("take(ice)", 0, 3),),))

    shown = [section_markdown(WrittenSection(heading="How", blocks=(step, one)), NUMBERS) for one in (code, other)]

    assert [one.rsplit("\n", 1)[-1] for one in shown] == ["```", "Our example [cf. 4]."]
