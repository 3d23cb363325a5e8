import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from deepresearch_mcp.thinkers.prompted.marked_text import parse_blocks, parse_report


def known(name: str) -> str | None:
    """`c1` … `c9` and `n1` are claims; others are not."""
    number = name.removeprefix("c")
    return f"id{number}" if number.isdigit() and int(number) < 10 else name if name == "n1" else None


def said(text: str) -> list[tuple[str, str, tuple[str, ...]]]:
    return [(one.text, one.kind, one.rests_on) for block in parse_blocks(text, known) for one in block.sentences]


@pytest.mark.parametrize(
    "text",
    [
        "Ice floats [c1]. Water sinks [=c2, c3]. Use ice [!c1].",
        "Ice floats. [c1] Water sinks.[=c2,c3] Use ice. [!c1]",
        "Ice floats [C1]. Water sinks [=c2][=c3]. Use ice [! c1 ].",
        "**Ice floats** [c1].\n*Water* sinks [=c2 and c3].\nUse _ice_ [!c1].",
        "Ice floats [1]. Water sinks [=2; 3]. Use ice [!c1, c99].",
    ],
)
def test_each_sentence_takes_the_claims_of_its_marks_wherever_a_writer_sets_them(text: str) -> None:
    assert said(text) == [
        ("Ice floats.", "fact", ("id1",)),
        ("Water sinks.", "synthesis", ("id2", "id3")),
        ("Use ice.", "judgement", ("id1",)),
    ]


def test_what_names_no_claim_stays_without_one_and_an_invented_name_stays_with_its_sentence() -> None:
    assert said("Three points matter. Ice floats [c42]. It sinks [=c1]. Take it [!].") == [
        ("Three points matter.", "fact", ()),
        ("Ice floats.", "fact", ("c42",)),
        ("It sinks.", "fact", ("id1",)),
        ("Take it.", "judgement", ()),
    ]


def test_several_marks_in_one_sentence_make_one_and_a_judgement_wins() -> None:
    assert said("Take ice [!c1], because it floats [c2] and n one knows [n1].") == [
        ("Take ice, because it floats and n one knows.", "judgement", ("id1", "id2", "n1"))
    ]


def test_code_keeps_its_brackets_stops_and_bars() -> None:
    text = "Set `a[c1]. b` first [c1]. Then `x | y` [c2].\n\n| Name | Value |\n|---|:--|\n| `a|b` | one \\| two [c3] |"

    first, table = parse_blocks(text, known)

    assert [one.text for one in first.sentences] == ["Set `a[c1]. b` first.", "Then `x | y`."]
    assert [one.text for one in table.sentences] == ["`a|b`", "one | two"]


def test_a_table_keeps_its_head_and_an_empty_cell_is_a_dash() -> None:
    text = (
        "### Limits\n\n| | SQLite [c1] | **PostgreSQL** |\n|---|---|---|\n"
        "| Writers | one [c1] | |\n| Size | 2 TB. Or so [=c2, c3] |"
    )

    (table,) = parse_blocks(text, known)

    assert (table.kind, table.title, table.head) == ("table", "Limits", ("", "SQLite", "PostgreSQL"))
    assert [[cell.text for cell in row] for row in table.rows] == [
        ["Writers", "one", "–"],
        ["Size", "2 TB. Or so", "–"],
    ]
    assert [cell.claim_ids for cell in table.rows[1]] == [(), ("id2", "id3"), ()]


def test_lists_and_steps_keep_their_items_whole() -> None:
    text = (
        "For this:\n- **Speed.** Ice is slow [c1].\n  It melts [c2].\n  - Water too [c3]\n\n"
        "1. Freeze it [c1].\n2. Wait [c2].\n\nDone [!c1]."
    )

    prose, listed, steps, last = parse_blocks(text, known)

    assert [block.kind for block in (prose, listed, steps, last)] == ["prose", "list", "steps", "prose"]
    assert [[one.text for one in row] for row in listed.rows] == [
        ["Ice is slow.", "It melts."], ["Water too"],
    ]  # fmt: skip
    assert [[one.label for one in row] for row in listed.rows] == [["Speed", ""], [""]]
    assert [[one.text for one in row] for row in steps.rows] == [["Freeze it."], ["Wait."]]


@pytest.mark.parametrize("head", ["**Ice 1.5:**", "**Ice 1.5.**", "**Ice 1.5**:", "**Ice 1.5** –"])
def test_bold_words_at_the_head_of_a_paragraph_are_its_label(head: str) -> None:
    (block,) = parse_blocks(f"{head} It floats [c1]. It melts [c2].", known)

    assert [(one.label, one.text) for one in block.sentences] == [("Ice 1.5", "It floats."), ("", "It melts.")]


@pytest.mark.parametrize("text", ["**Ice** floats [c1].", "**It floats. It melts.** So do not [c1]."])
def test_bold_words_within_a_sentence_are_no_label(text: str) -> None:
    (block,) = parse_blocks(text, known)

    assert {one.label for one in block.sentences} == {""}


def test_an_opening_has_a_label_for_each_paragraph_however_its_writer_set_it() -> None:
    text = (
        "# T\n\n**Ice:** Take it [!c1].\n\n### Salt\n\nLeave it [!c2].\n\n**Described:** Ice of 2026 [c3].\n\n"
        "## A\n\nX [c1]."
    )

    report = parse_report(text, known)

    assert [(one.label, one.text, one.opens) for one in report.opening] == [
        ("Ice", "Take it.", False), ("Salt", "Leave it.", True),
    ]  # fmt: skip
    assert [(one.label, one.text) for one in report.described] == [("", "Ice of 2026.")]


def test_a_letter_or_number_in_brackets_at_the_head_of_a_sentence_stays() -> None:
    assert said("(a) Take ice [!c1]. (b) Take water [!c2].") == [
        ("(a) Take ice.", "judgement", ("id1",)),
        ("(b) Take water.", "judgement", ("id2",)),
    ]


def test_fenced_code_keeps_its_lines_and_rules_go() -> None:
    text = "Run [c1]:\n\n```sh\nPRAGMA integrity_check;\n```\n\n---\n\n> Quoted [c2]."

    assert [(block.kind, [one.text for one in block.sentences]) for block in parse_blocks(text, known)] == [
        ("prose", ["Run:"]),
        ("code", ["PRAGMA integrity_check;"]),
        ("prose", ["Quoted."]),
    ]


def test_a_report_has_its_title_opening_versions_and_sections() -> None:
    text = (
        "```markdown\n# On *ice*\n\nTake ice [!c1]. It floats [c1].\n\n- And this [c2].\n\n"
        "Described: ice of 2024 [c3]. Newer ice may differ [!c3].\n\n"
        "## How it floats\n\nIt is light [c1].\n\n### Detail\n\n| A | B |\n|---|---|\n| x | y [c2] |\n\n## Empty\n```"
    )

    report = parse_report(text, known)

    assert report.title == "On ice"
    assert [(one.text, one.opens) for one in report.opening] == [
        ("Take ice.", False), ("It floats.", False), ("And this.", True),
    ]  # fmt: skip
    assert [one.text for one in report.described] == ["Ice of 2024.", "Newer ice may differ."]
    assert [(one.heading, len(one.blocks)) for one in report.sections] == [("How it floats", 2)]
    assert report.sections[0].blocks[1].title == "Detail"


def test_headings_above_a_section_become_titles_of_its_blocks() -> None:
    assert [one.title for one in parse_blocks("## Ice\n\nIt floats.\n\n**Lakes**\n\nThey freeze.", known)] == [
        "Ice", "Lakes",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "absent"),
    [
        ("No limit is given for it [?].", True),
        ("The documentation consulted gives no limit.", True),
        ("The pages that were read do not say how long it waits.", True),
        ("The documentation does not recommend it.", False),
        ("The documentation gives no limit [c1].", False),
        ("No limit is given [?c1].", False),
        ("The documentation gives no limit [c42].", False),
    ],
)
def test_what_sources_do_not_say_is_marked_or_known_by_its_words(text: str, absent: bool) -> None:
    (sentence,) = parse_blocks(text, known)[0].sentences

    assert (sentence.absence, sentence.kind) == (absent, "fact")
    assert "[" not in sentence.text


def test_a_bare_bar_in_a_cell_costs_no_cell_its_mark() -> None:
    text = (
        "| | SQLite | PostgreSQL |\n|---|---|---|\n| JSON | – | `?`, ?| and ?& [c1] |\n| Or | a || b [c2] | no [c3] |"
    )

    (table,) = parse_blocks(text, known)

    assert [[(cell.text, cell.claim_ids) for cell in row] for row in table.rows] == [
        [("JSON", ()), ("–", ()), ("`?`, ? | and ?&", ("id1",))],
        [("Or", ()), ("a | | b", ("id2",)), ("no", ("id3",))],
    ]


@given(st.text(alphabet="ab. [c1]!=?`|#*-\n\\", max_size=80))
@example("|--")
def test_no_text_stops_the_parser_and_no_mark_of_a_claim_is_left_in_it(text: str) -> None:
    for block in parse_blocks(text, known):
        assert block.rows
        assert all(len(row) == len(block.head) for row in block.rows) or block.kind != "table"
        assert all("\n" not in one.text for one in block.sentences)


def test_code_rests_on_what_the_line_below_it_names_and_is_read_back_as_it_was() -> None:
    code = "tasks = set()\n\ndef start(coro):\n    tasks.add(coro)"
    text = f"1. Do [c1].\n\n```python\n{code}\n```\n\n[!c1, c2]\n2. Then [c2]."
    blocks = parse_blocks(text, known)

    [told] = blocks[1].sentences
    assert [block.kind for block in blocks] == ["steps", "code", "steps"]
    assert blocks[1].head == ("python",)
    assert told.text == code
    assert (told.kind, told.premises) == ("judgement", tuple(known(name) for name in ("c1", "c2")))


def test_words_behind_code_are_a_paragraph_and_lend_it_no_premise() -> None:
    code, said = parse_blocks("```\nls\n```\n\nIt lists files [c1].", known)

    assert code.sentences[0].premises == ()
    assert said.sentences[0].text == "It lists files."


def test_a_comment_in_code_is_no_heading() -> None:
    code = "   ```python\n   # works on both\n   a = 1\n   ```\n   [!c1]"
    text = f"## A\n\nRun it [c1]:\n\n1. First [c1].\n\n{code}\n\n2. Then [c2]."

    [section] = parse_report(text, known).sections

    assert [block.kind for block in section.blocks] == ["prose", "steps", "code", "steps"]
    assert section.blocks[2].sentences[0].text == "# works on both\na = 1"
    assert [block.kind for block in parse_blocks(text.partition("\n\n")[2], known)] == [
        "prose",
        "steps",
        "code",
        "steps",
    ]


def test_steps_keep_the_number_that_their_writer_set() -> None:
    first, _, then = parse_blocks("1. One [c1].\n2. Two [c2].\n\nBetween them [c1].\n\n3. Three [c3].", known)

    assert (first.first, then.first) == (1, 3)
    assert [one.text for one in (*first.sentences, *then.sentences)] == ["One.", "Two.", "Three."]


def test_a_label_may_hold_a_colon() -> None:
    [block] = parse_blocks("**SQLite: copying instead of altering.** It changes little [c1].", known)

    assert [(one.label, one.text) for one in block.sentences] == [
        ("SQLite: copying instead of altering", "It changes little.")
    ]


def test_the_mark_of_code_may_stand_at_the_head_of_the_paragraph_behind_it() -> None:
    code, told = parse_blocks("```sh\ngit fsck\n```\n[!c1, c2] Salvage comes next [c3].", known)

    assert code.sentences[0].premises == ("id1", "id2")
    assert [(one.text, one.rests_on) for one in told.sentences] == [("Salvage comes next.", ("id3",))]
