import pytest

from deepresearch_mcp.cited_text.citation_marks import CitationMark, marked
from deepresearch_mcp.cited_text.references import Reference

BOOK = [
    Reference("1", "https://a.example/x", "Ice", 900, 910),
    Reference("2", "https://b.example/y", "Water", 911, 920),
    Reference("3", "", "A book", 921, 930),
    Reference("^n", "https://n.example", "Note", 931, 940),
    Reference("doe", "https://d.example", "", 941, 950),
]


def found(text: str, references: list[Reference] = BOOK) -> list[tuple[str, str, str]]:
    return [(mark.kind, mark.key, text[mark.start : mark.end]) for mark in marked(text, references, ()).marks]


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        ("Ice floats [1].", ["1"]),
        ("Ice floats[1][2].", ["1", "2"]),
        ("Ice floats [1, 2].", ["1", "2"]),
        ("Ice floats [1-3].", ["1", "2", "3"]),
        ("Ice floats [1–2; 9].", ["1", "2", "9"]),
        ("冰浮在水上【1】【2†source】。", ["1", "2"]),
        ("冰浮在水上[1，2]。", ["1", "2"]),
        ("Ice floats 【7:3†source】.", ["7:3"]),
        ("Ice floats [^n].", ["^n"]),
        ("Ice floats [^2].", ["^2"]),
        ("Ice floats [1, p. 12].", ["1"]),
        ("Ice floats [Ref. 2].", ["2"]),
        ("Ice floats [1](#ref-1).", ["1"]),
        ("Ice floats <sup>1,2</sup>.", ["1", "2"]),
        ("Ice floats <sup>[1]</sup>.", ["1"]),
        ('Ice floats <a href="#r1">[1]</a>.', ["1"]),
        ("Ice floats \\[1\\].", ["1"]),
        ("Ice floats.¹ Water is dense²,³", ["1", "2", "3"]),
        ("Ice floats [41-23].", ["41-23"]),
        ("Ice floats [Doe][2].", ["2"]),
    ],
)
def test_numbers_are_read_in_every_usual_form(text: str, keys: list[str]) -> None:
    assert [key for _, key, _ in found(text)] == keys


@pytest.mark.parametrize(
    "text",
    [
        "A share in [0, 1] of it.",
        "The years [2019-2024] were warm.",
        "In the paper [2019] it is cold.",
        "`list[1]` is code.",
        "```\nlist[1]\n```",
        "<!-- [1] -->",
        "An area of 5 m² at 10⁻³ bar, R² .9",
        "![1](https://a.example/picture.png)",
        "A [sic] word and [x].",
        "10<sup>9</sup> of them [1".replace(" [1", ""),
    ],
)
def test_what_only_looks_like_a_mark_is_none(text: str) -> None:
    assert found(text) == []


def test_superscripts_count_only_where_nothing_else_does() -> None:
    assert [key for _, key, _ in found("Ice floats.² It is cold [1].")] == ["1"]
    assert found("Ice floats.²", []) == []


def test_links_lead_where_they_say_and_citation_links_leave_no_words() -> None:
    text = (
        "Ice [floats](https://a.example/x) ([a.example](https://a.example/z)), [1](https://c.example),"
        ' <a href="https://h.example/?a=1&amp;b=2">so</a> and [Doe][doe] on https://e.example/q.'
    )
    marks, plain = marked(text, BOOK, ())

    assert [(mark.kind, mark.url) for mark in marks] == [
        ("link", "https://a.example/x"),
        ("link", "https://a.example/z"),
        ("number", "https://c.example"),
        ("link", "https://h.example/?a=1&b=2"),
        ("link", "https://d.example"),
        ("address", "https://e.example/q"),
    ]
    assert len(plain) == len(text)
    assert plain.split() == ["Ice", "floats", "(", "),", ",", "so", "and", "Doe", "on", "."]


@pytest.mark.parametrize("target", ["mailto:a@b.example", "#top", "/home", "javascript:x", "file:///etc/passwd"])
def test_a_link_to_no_page_is_no_citation_and_leaves_its_words(target: str) -> None:
    marks, plain = marked(f"Ask [us]({target}).", (), ())

    assert marks == ()
    assert plain.split() == ["Ask", "us", "."]


def test_names_and_years_are_marks_that_lead_nowhere() -> None:
    marks = marked("Ice floats (Smith et al., 2020; Doe & Roe, 1999a), say Poe and Coe (2001).", (), ()).marks

    assert [(mark.kind, mark.key, mark.url, mark.dangles) for mark in marks] == [
        ("author", "Smith et al., 2020; Doe & Roe, 1999a", "", False),
        ("author", "Poe and Coe (2001)", "", False),
    ]


def test_a_mark_dangles_where_no_reference_has_its_number_but_not_where_one_has_no_address() -> None:
    marks = marked("One [1], three [3], nine [9], ten [10](https://t.example).", BOOK, ()).marks

    assert [mark.dangles for mark in marks] == [False, False, True, False]


def test_of_two_lists_with_one_numbering_the_next_that_has_addresses_counts() -> None:
    book = [
        Reference("1", "https://first.example", "", 20, 30),
        Reference("1", "", "a book", 60, 70),
        Reference("1", "https://second.example", "", 80, 90),
    ]
    marks = marked("Ice [1].".ljust(40) + "Water [1].".ljust(60) + "Steam [1].", book, ()).marks

    assert [mark.url for mark in marks] == ["https://first.example", "https://second.example", "https://second.example"]


def test_what_is_shut_holds_no_mark() -> None:
    from deepresearch_mcp.text.sentences import Span

    marks, plain = marked("Ice [1]\nand [2]", BOOK, [Span(8, 15)])

    assert marks == (CitationMark("number", 4, 7, "1", "https://a.example/x", BOOK[0]),)
    assert plain == "Ice    \n       "
