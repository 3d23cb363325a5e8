"""What one of our own reports tells as its assessment."""

import pytest

from deepresearch_mcp.cited_text.parse import parse_cited_text

LIST = """

## References

- [1] “Ice”, one.example, undated, read 2026-11-20 · “Ice floats.” [↗](<https://one.example/ice#:~:text=Ice%20floats.>)
- [2] “Salt”, two.example, undated, read 2026-11-20
  - a “Salt sinks.” [↗](<https://two.example/salt#:~:text=Salt%20sinks.>)
  - b “Salt melts ice on roads.” [↗](<https://two.example/salt#:~:text=Salt%20melts>)
"""

UNMARKED = (
    "*A sentence without a mark, or with cf., is our own assessment: it rests on what is cited around it and on the "
    "sources named.*"
)


def stated(text: str) -> list[tuple[str, list[str]]]:
    found = parse_cited_text(f"# Solids\n\n{text}{LIST}")
    return [(one.text, [mark.key for mark in one.marks]) for one in found.statements]


def test_what_follows_the_label_is_no_statement_until_a_sentence_has_marks_of_its_own():
    text = "Ice floats [1]. *Our assessment, from [1] [2a,b]:* Take ice on a journey. Leave salt. Salt sinks [2a]."

    assert stated(text) == [("Ice floats.", ["1"]), ("Salt sinks.", ["2a"])]


def test_a_label_without_premises_covers_its_paragraph():
    text = "*Our assessment:* Take ice on every journey [1]. Leave salt alone [2a].\n\nSalt sinks quickly [2a]."

    assert stated(text) == [("Salt sinks quickly.", ["2a"])]


def test_a_label_alone_covers_the_list_below_it():
    text = "*Our assessment, from [1] [2b]:*\n\n- Take ice on a journey.\n- Leave salt.\n\nSalt sinks quickly [2a]."

    assert stated(text) == [("Salt sinks quickly.", ["2a"])]


def test_a_cell_in_italics_is_a_judgement_where_a_note_says_so():
    rows = (
        "| Solid | Floats | For you |\n| --- | --- | --- |\n| Ice | yes, it floats [1] | *the better one* [1][2b] |\n"
    )
    note = "\n*Our assessment is set in italics.*"

    assert stated(rows + note) == [("Ice: yes, it floats", ["1"])]
    assert ("Ice: the better one", ["1", "2b"]) in stated(rows)


def test_a_text_that_assesses_in_other_words_is_held_to_its_marks():
    assert stated("Our assessment, from what we read: ice floats well [1].") == [
        ("Our assessment, from what we read: ice floats well.", ["1"])
    ]


def test_every_mark_of_our_own_report_leads_to_its_own_words():
    found = parse_cited_text(f"# Solids\n\nIce floats [1]. Salt sinks and melts [2a,b]. Salt melts ice [2b].{LIST}")

    assert [[mark.url for mark in one.marks] for one in found.claims] == [
        ["https://one.example/ice#:~:text=Ice%20floats."],
        ["https://two.example/salt#:~:text=Salt%20sinks.", "https://two.example/salt#:~:text=Salt%20melts"],
        ["https://two.example/salt#:~:text=Salt%20melts"],
    ]
    assert (found.dangling, found.unused) == ((), ())
    assert [one.title for one in found.references] == [
        "Ice”, one.example, undated, read 2026-11-20 · “Ice floats",
        "Salt”, two.example, undated, read 2026-11-20",
        "Salt”, two.example, undated, read 2026-11-20",
    ]


def test_an_index_in_brackets_is_no_mark_where_no_reference_has_its_letter():
    assert stated("The value of row[2c] is read into x[7a] by the loop, and ice floats [1].") == [
        ("The value of row[2c] is read into x[7a] by the loop, and ice floats.", ["1"])
    ]


NOTE = "\n\n*In italics: our assessment, from the sources named.*"


def test_a_sentence_in_italics_is_a_judgement_where_a_note_says_so():
    said = "Ice floats [1]. *Take `ice` on a \\*long\\* journey* [1, 2a,b]. *Leave salt!* Salt sinks quickly [2a]."
    listed = "\n\n- *Take ice on a journey* [1].\n- **Salt:** *Leave it where it is* [2a].\n- Salt *sinks* fast [2a]."

    assert stated(said + NOTE + listed) == [
        ("Ice floats.", ["1"]),
        ("Salt sinks quickly.", ["2a"]),
        ("Salt sinks fast.", ["2a"]),
    ]
    assert ("Take ice on a journey.", ["1"]) in stated(listed)


def test_a_label_before_a_judgement_makes_no_statement_of_it():
    said = "**Salt:** *Leave it where it is* [2a]. Salt sinks fast [2a].\n\n**On ice:** Ice floats [1]."

    assert stated(said + NOTE) == [("Salt sinks fast.", ["2a"]), ("On ice: Ice floats.", ["1"])]


def test_a_mark_without_a_letter_leads_to_all_quotes_of_its_source():
    assert stated("Salt sinks and melts ice on roads [1, 2].") == [
        ("Salt sinks and melts ice on roads.", ["1", "2a", "2b"])
    ]


def test_the_figures_below_the_references_are_no_part_of_the_last_of_them():
    found = parse_cited_text(
        f"# Solids\n\nIce floats [1]. Salt sinks and melts [2a,b].{LIST}\n---\n\nEvidence: 2.  \nNote: a.\n"
    )

    assert (found.dangling, found.unused) == ((), ())


def test_a_sentence_whose_bracket_begins_with_therefore_is_a_judgement():
    said = "Ice floats [1]. Take `ice` on a long journey [∴ 1, 2a,b]. Leave salt at home [∴]! Salt sinks quickly [2a]."
    listed = "\n\n- Take ice on a journey [∴ 1].\n- **Salt:** Leave it where it is… [∴ 2a]\n- Salt sinks fast [2a]."

    assert stated(said + listed) == [
        ("Ice floats.", ["1"]),
        ("Salt sinks quickly.", ["2a"]),
        ("Salt sinks fast.", ["2a"]),
    ]


def test_a_cell_whose_bracket_begins_with_therefore_is_a_judgement():
    rows = (
        "| Solid | Floats | For you |\n| --- | --- | --- |\n"
        "| Ice | yes, it floats [1] | the better one [∴ 1, 2b] |\n| Salt | no, it sinks [2a] | leave it [∴] |\n"
    )

    assert stated(rows) == [("Ice: yes, it floats", ["1"]), ("Salt: no, it sinks", ["2a"])]


def test_where_a_report_says_so_cells_are_marked_like_its_sentences():
    row = (
        "| Solid | Floats | For you |\n| --- | --- | --- |\n| Ice | yes, it floats [1] | the better one [cf. 1, 2b] |\n"
    )

    assert stated(f"{row}\n\n{UNMARKED}") == [("Ice: yes, it floats", ["1"])]
    assert len(stated(row)) == 2


def test_a_cell_that_judges_is_left_out_of_a_row_whose_marks_stand_in_a_column_of_their_own():
    rows = (
        "| Solid | Floats | Found | For you | Sources |\n| --- | --- | --- | --- | --- |\n"
        "| Ice | yes, it floats | on lakes | the better one [∴ 1, 2] | [1, 2] |\n"
    )

    assert stated(rows) == [("Ice: yes, it floats", ["1", "2a", "2b"]), ("Ice: on lakes", ["1", "2a", "2b"])]


@pytest.mark.parametrize(
    "line",
    [
        "*∴ marks our own assessment, from the sources it names.*",
        UNMARKED,
        "*–: not found on the pages that were read.*",
    ],
)
def test_the_lines_that_explain_our_signs_state_nothing(line: str):
    text = f"Ice floats [1].\n\n{line}\n\nSalt sinks quickly [2a]."

    assert stated(text) == [("Ice floats.", ["1"]), ("Salt sinks quickly.", ["2a"])]


def test_in_a_report_that_says_so_what_no_mark_cites_is_a_judgement():
    said = (
        "Take ice along [cf. 1]. Ice floats well [1]. Ice melts slowly. Ice stays light. [2a]\n\n"
        "Leave salt at home. Salt sinks quickly [2a].\n\nSalt feels heavy. Salt melts snow. [1, 2b] It spoils food."
    )
    facts = [
        ("Ice floats well.", ["1"]),
        ("Ice melts slowly.", ["2a"]),
        ("Ice stays light.", ["2a"]),
        ("Salt sinks quickly.", ["2a"]),
        ("Salt feels heavy.", ["2b", "1"]),
        ("Salt melts snow.", ["2b", "1"]),
    ]

    assert stated(f"{UNMARKED}\n\n{said}") == facts
    assert ("Take ice along.", ["1"]) in stated(said)
    assert ("Leave salt at home.", ["2a"]) in stated(said)


def test_every_mark_of_a_judgement_leads_to_its_own_words_too():
    found = parse_cited_text(f"# Solids\n\nTake ice along [∴ 1, 2a,b].{LIST}")

    assert {mark.key: mark.url.partition("#")[0] for mark in found.marks} == {
        "1": "https://one.example/ice",
        "2a": "https://two.example/salt",
        "2b": "https://two.example/salt",
    }
    assert (found.claims, found.dangling, found.unused) == ((), (), ())


def test_a_sentence_with_a_source_beside_its_judgement_is_held_to_it():
    assert stated("Ice floats well [1], so take it along [∴ 2a].") == [
        ("Ice floats well, so take it along.", ["1", "2a"])
    ]


def test_an_escaped_bracket_of_a_page_is_no_judgement():
    assert stated("Ice \\[∴ 1\\] floats on water [1].") == [("Ice [∴ 1] floats on water.", ["1"])]


def test_a_bracket_of_a_judgement_behind_the_stop_is_for_the_sentences_before_it_too():
    said = "Salt sinks quickly [2a]. Take ice on every journey. Leave salt at home. [∴ 1, 2b] Ice floats well [1]."

    assert stated(said) == [("Salt sinks quickly.", ["2a"]), ("Ice floats well.", ["1"])]


def test_a_bracket_of_a_judgement_below_a_list_is_for_all_its_items():
    said = "- Take ice on every journey\n- Leave salt at home.\n\n[∴ 1, 2b]\n\nIce floats well [1]."

    assert stated(said) == [("Ice floats well.", ["1"])]


def test_a_bracket_of_a_judgement_before_the_stop_is_for_its_own_sentence_alone():
    assert stated("Salt sinks quickly in water. Take ice on every journey [∴ 1].") == [
        ("Salt sinks quickly in water.", ["1"])
    ]
