import textwrap

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.stopwatch import spent

from deepresearch_mcp.cited_text.parse import CitedText, parse_cited_text

LIST = "\n\n## Sources\n[1] https://a.example/x\n[2] https://b.example/y\n[3] https://c.example/z\n"


def cites(text: str) -> list[tuple[str, list[str]]]:
    return [(one.text, [mark.key for mark in one.marks]) for one in parse_cited_text(text + LIST).statements]


def test_each_sentence_has_the_marks_in_it_and_directly_behind_it() -> None:
    text = "Ice floats on water [1]. Water is denser than ice.[2][3] Lakes freeze from above, they say [1], slowly."

    assert cites(text) == [
        ("Ice floats on water.", ["1"]),
        ("Water is denser than ice.", ["2", "3"]),
        ("Lakes freeze from above, they say, slowly.", ["1"]),
    ]  # fmt: skip


def test_a_call_keeps_its_brackets_and_those_around_a_mark_go_with_it() -> None:
    text = "Invoke sqlite3_unlock_notify() on the blocked connection ([1]). Then `sqlite3_step()` fails ([2], [3])."

    assert cites(text) == [
        ("Invoke sqlite3_unlock_notify() on the blocked connection.", ["1"]),
        ("Then sqlite3_step() fails.", ["2", "3"]),
    ]  # fmt: skip


def test_a_mark_set_apart_behind_the_stop_closes_the_sentences_since_the_one_before() -> None:
    text = "Ice floats on water. Water is denser. [1] Lakes freeze from above. [2]另有研究显示冰的密度较低。 [3]"
    found = parse_cited_text(text + LIST).statements

    assert [[mark.key for mark in one.marks] for one in found] == [["1"], ["1"], ["2"], ["3"]]
    assert [one.closed for one in found] == [True, False, False, False]


def test_a_mark_between_two_stops_parts_sentences_that_look_like_one_without_it() -> None:
    text = "Ice floats since 3.1. [1] `freeze()` makes it. [2] `melt()` does not, as Dr. [1] Lake says. [3]"

    assert cites(text) == [
        ("Ice floats since 3.1.", ["1"]),
        ("freeze() makes it.", ["2"]),
        ("melt() does not, as Dr. Lake says.", ["1", "3"]),
    ]


def test_the_only_marks_of_a_paragraph_at_its_end_close_all_of_it() -> None:
    assert cites("Ice floats on water. Water is denser than ice [1].\n\nLakes freeze from above.") == [
        ("Ice floats on water.", ["1"]),
        ("Water is denser than ice.", ["1"]),
        ("Lakes freeze from above.", []),
    ]


def test_a_link_that_opens_a_sentence_is_for_that_sentence() -> None:
    text = (
        "Cheese is made of moonlight. [The lake page](https://a.example/x) says that lakes freeze from above. "
        "Snow is denser [9]. [Another page](https://b.example/y) says that snow is light."
    )

    assert cites(text) == [
        ("Cheese is made of moonlight.", []),
        ("The lake page says that lakes freeze from above.", ["https://a.example/x"]),
        ("Snow is denser.", ["9"]),
        ("Another page says that snow is light.", ["https://b.example/y"]),
    ]


def test_a_mark_inside_a_sentence_is_for_this_sentence_alone() -> None:
    assert cites("Ice floats on water. Water [1] is denser than ice. Lakes freeze from above.") == [
        ("Ice floats on water.", []),
        ("Water is denser than ice.", ["1"]),
        ("Lakes freeze from above.", []),
    ]


def test_items_of_a_list_are_apart_and_a_line_of_marks_closes_them_together() -> None:
    items = "- Ice floats on water.\n- Water is denser [2].\n- Lakes freeze from above.\n\n[1][3]"
    text = f"Three things are known:\n\n{items}"

    assert cites(text) == [
        ("Three things are known:", []),
        ("Ice floats on water.", []),
        ("Water is denser.", ["2"]),
        ("Lakes freeze from above.", ["1", "3"]),
    ]


@pytest.mark.parametrize("line", ["Source: [A page](https://a.example/x)", "*来源：* https://a.example/x", "[1]"])
def test_a_line_of_sources_closes_the_paragraph_before_it(line: str) -> None:
    found = parse_cited_text(
        f"Ice floats on water. Water is denser.\n\n{line}\n\nLakes freeze from above.{LIST}"
    ).statements

    assert [[mark.url for mark in one.marks] for one in found] == [["https://a.example/x"], ["https://a.example/x"], []]


def test_a_line_of_sources_closes_a_table_too() -> None:
    found = parse_cited_text(
        f"| Name | Size |\n|---|---|\n| Ice on lakes | 5 |\n| Snow on hills | 7 |\n\nSource: [1]{LIST}"
    ).statements

    assert [(one.text, [mark.key for mark in one.marks]) for one in found] == [
        ("Ice on lakes, 5", ["1"]),
        ("Snow on hills, 7", ["1"]),
    ]


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ("| Ice on lakes | floats well | 0.9 [1] |", [("Ice on lakes, floats well, 0.9", ["1"])]),
        ("| Ice on lakes | floats well | [1] |", [("Ice on lakes, floats well", ["1"])]),
        ("| [Ice on lakes](https://a.example/x) | floats |", [("Ice on lakes, floats", ["https://a.example/x"])]),
        ("| Ice on lakes | floats well [1] | melts late [2] |", [
            ("Ice on lakes: floats well", ["1"]), ("Ice on lakes: melts late", ["2"])]),
        ("| Ice on lakes | floats well [1] | melts late |", [("Ice on lakes: floats well", ["1"])]),
        ("| Ice on lakes | floats \\| swims |", [("Ice on lakes, floats | swims", [])]),
    ],
)  # fmt: skip
def test_marks_of_a_row_are_for_the_row_or_for_their_cell(row: str, said: list[tuple[str, list[str]]]) -> None:
    assert cites(f"| What | How | When |\n|---|---|---|\n{row}\n") == said


def test_a_last_cell_of_marks_alone_cites_each_cell_of_a_row_with_several() -> None:
    ice = "| Ice on lakes | floats well | melts late | [1, 2] |"
    rows = f"{ice}\n| Snow on hills | never stays | n/a | [2] |\n| Salt | – | – | [2] |"

    assert cites(f"| What | How | When | Sources |\n|---|---|---|---|\n{rows}\n") == [
        ("Ice on lakes: floats well", ["1", "2"]),
        ("Ice on lakes: melts late", ["1", "2"]),
        ("Snow on hills: never stays", ["2"]),
    ]


def test_wrapped_lines_are_one_paragraph_and_long_lines_are_paragraphs() -> None:
    wrapped = (
        "Ice floats on the water of all lakes of the world.\nWater is denser than ice. Lakes freeze\nfrom above [1]."
    )
    long = f"Ice floats {'very ' * 25}well.\nWater is denser than ice [1]."

    assert [keys for _, keys in cites(wrapped)] == [["1"], ["1"], ["1"]]
    assert [keys for _, keys in cites(long)] == [[], ["1"]]


@pytest.mark.parametrize("width", [60, 90, 130, 200])
def test_a_mark_closes_its_paragraph_at_whatever_width_that_is_wrapped(width: int) -> None:
    paragraph = "Ice floats on the water of all the lakes of the world. " * 9 + "Lakes freeze from above. [1]"

    found = cites("\n".join(textwrap.wrap(paragraph, width)))

    assert [keys for _, keys in found] == [["1"]] * 10


def test_headings_state_nothing_and_their_marks_are_used_all_the_same() -> None:
    found = parse_cited_text(
        "## Ice and its properties [1]\n\nIce floats on water.\n\n**Key points of the matter**\n\n- Ice\n" + LIST
    )

    assert [one.text for one in found.statements] == ["Ice floats on water."]
    assert [one.key for one in found.unused] == ["2", "3"]


def test_what_hangs_loose_is_told() -> None:
    found = parse_cited_text(
        f"Ice floats on water [1][7]. Water is denser[^x].\n\nLakes freeze from above. Why is that so?{LIST}"
    )

    assert [mark.key for mark in found.dangling] == ["7", "^x"]
    assert [one.key for one in found.unused] == ["2", "3"]
    assert [one.text for one in found.uncited] == ["Lakes freeze from above."]
    assert [one.text for one in found.claims] == ["Ice floats on water.", "Water is denser."]


def test_a_reference_whose_page_is_linked_in_the_text_is_used() -> None:
    found = parse_cited_text("Ice [floats](https://A.example/x/) on water." + LIST)

    assert [one.key for one in found.unused] == ["2", "3"]


def test_words_of_code_stay_in_the_sentence_and_markdown_does_not() -> None:
    assert cites("The **key** `a[1]` of \\*all\\* dicts is _kept_ ([1], [2]), mostly [3].") == [
        ("The key a[1] of *all* dicts is kept, mostly.", ["1", "2", "3"])
    ]


def test_a_statement_keeps_its_ellipses_whole() -> None:
    said = "Databases such as .NET lack SELECT ... FOR UPDATE, and f(a, ...) there"

    assert [one.text for one in parse_cited_text(f"{said} [1]. It ended, they say.").statements] == [
        f"{said}.",
        "It ended, they say.",
    ]


def test_offsets_are_those_of_the_given_text() -> None:
    text = f"# Ice\r\n\r\nIce floats on water [1]. Water is [denser](https://d.example) than ice.\r\n{LIST}"
    found = parse_cited_text(text)

    assert [text[one.start : one.end] for one in found.statements] == [
        "Ice floats on water [1].",
        "Water is [denser](https://d.example) than ice.",
    ]
    assert [text[mark.start : mark.end] for mark in found.marks] == ["[1]", "[denser](https://d.example)"]


def sound(text: str, found: CitedText) -> bool:
    statements = all(0 <= one.start < one.end <= len(text) and one.text for one in found.statements)
    marks = all(0 <= mark.start < mark.end <= len(text) and mark.key for mark in found.marks)
    held = all(mark in found.marks for one in found.statements for mark in one.marks)
    ordered = [one.start for one in found.statements] == sorted(one.start for one in found.statements)
    return statements and marks and held and ordered and not any("\n" in one.text for one in found.statements)


PIECES = st.sampled_from(
    ["Ice floats on water", ". ", "\n", "\n\n", "[1]", "[^a]", "[", "](", ")", "https://a.example/x", "- ", "1. ", "| ",
     "|\n",
     "## Sources\n", "Sources:\n", "¹", "【1†s】", "<sup>1</sup>", "<a href='", "`", "```\n", "(Doe, 2020)",
     "冰浮在水上。", "[1]: ", "\\",
     "<!--", "-->", "**", "---\n", "\r\n"]
)  # fmt: skip


@given(st.lists(PIECES | st.text(max_size=5), max_size=40).map("".join))
def test_any_text_is_taken_apart_into_stretches_of_it(text: str) -> None:
    assert sound(text, parse_cited_text(text))


@pytest.mark.parametrize(
    "unit",
    ["Ice floats on water [1]. ", "[1]", "[[1]](http://a.b)", "| a [1] |\n", "[1] http://a.b\n", "来源：\n",
     "(Ab, 2020; ", "<a href=",
     "**Sources**\n", "[a][b]", "¹", "Ab Cd ", "![a](", "http://a.b/(", "[^1]: a\n", "Source: [a](http://a.b)\n\n"],
)  # fmt: skip
def test_a_long_text_costs_no_more_than_its_length(unit: str) -> None:
    text = (unit * (200_000 // len(unit) + 1))[:200_000]

    with spent() as taken:
        parse_cited_text(text)

    assert taken.seconds < 5  # At most two; what is quadratic takes minutes.
