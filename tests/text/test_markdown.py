import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from deepresearch_mcp.text.markdown import cut, escape, inline, section, visible, without_markdown


@pytest.mark.parametrize(
    ("text", "bare"),
    [
        ("# T **x**\n\nSee [a *b*](http://x) and [1](#r), ![i](u).", "T x\n\nSee a b and [1], i."),
        ("`a*b` **bo**ld 2*3 a_b _c_ ~~d~~ \\*e", "a*b bold 2*3 a_b c d *e"),
        ("> q\n> r\n\n- item\n1. x", "q\nr\n\n- item\n1. x"),
        ("| a | b |\n|---|---|\n| 1 | 2 |", "| a | b |\n| 1 | 2 |"),
        ("```py\nx=*a*\n```\nend", "x=*a*\nend"),
        ("[[1]](u) [[a](v) b", "[1] [a b"),
        ("", ""),
    ],
)
def test_marks_are_taken_off(text: str, bare: str) -> None:
    assert without_markdown(text) == bare


HOSTILE = [
    "[x](http://a.b)",
    "![x](http://a.b)",
    "<script>alert(1)</script>",
    "# no",
    "- item",
    "+ item",
    "* item",
    "1. x",
    "1) x",
    "> q",
    "===",
    "---",
    "***",
    "    code",
    "\tcode",
    "```\nx\n```",
    "~~~\nx",
    "&lt;b&gt;",
    "_a_ *b* **c** ~~d~~ `e`",
    "http://a.b/c www.x.com a@b.cd ftp://x.y mailto:a@b.c",
    "| a | b |\n|---|---|\n| 1 | 2 |",
    "title\n===",
    "title\n---",
    "[a]: http://x\n\n[a]",
    "<http://a.b>",
    "<!-- x -->",
    "a\\",
    "\\[x](y)",
    "\r# x",
    "\u2028# x",
    "a\n    b",
    "<a@b.cd>",
    "![",
    "[^1]",
    "//a.b/c",
    "xhttps://a.b",
    "_~a b~_",
    "~a~",
    "a.com and news.a.co.uk",
    "~@a.museum",
]


@pytest.mark.parametrize("text", HOSTILE)
def test_nothing_from_a_page_comes_alive(text: str) -> None:
    html = MarkdownIt("gfm-like", {"linkify": False}).render(f"Before.\n\n{escape(text)}")

    inside = html.replace("<p>", "").replace("</p>", "")
    assert "<" not in inside, html


def test_escaped_text_reads_the_same() -> None:
    text = "a_b [x](y) *z* # 5 < 6 & 7 &lt; 2*3 `c` it's 1. and - so | \\"

    html = MarkdownIt().render(escape(text))

    assert html == "<p>a_b [x](y) *z* # 5 &lt; 6 &amp; 7 &amp;lt; 2*3 `c` it's 1. and - so | \\</p>\n"


def test_harmless_text_is_left_alone() -> None:
    text = "Plain words, snake_case, a+b=c and 5 > 3. See fig. 1, e.g. Node.js or U.S. 3.5 and/or about ~5 km."

    assert escape(text) == text


_BARE = re.compile(
    r"(?:https?|ftp):/{1,2}\w|//\w|www\.\w|[\w.+~-]@\w|\w\.(?:com|net|de|io|museum|рф|xn--p1ai)(?![\w-])",
    re.IGNORECASE,
)
"""What renderers that look for bare addresses make links of, each with exceptions of its own."""


def _pieces(text: str) -> list[str]:
    """The texts in which a renderer would look for addresses: an escaped sign is a piece of its own."""
    found = MarkdownIt("gfm-like", {"linkify": False}).disable("text_join").parse(text)
    return [child.content for token in found for child in token.children or () if child.type == "text"]


_BITS = [
    *(
        "a",
        "1",
        "x ",
        "é",
        " ",
        "\n",
        "~",
        "~~",
        "_",
        "*",
        "\\",
        "(",
        "“",
        "/",
        "//",
        ":",
        ".",
        "@",
        "-",
        "https://",
        "ftp:",
    ),
    *(
        "http:",
        "www.",
        "mailto:",
        "a.com",
        ".com",
        "a@b.de",
        ".io",
        "museum",
        ".рф",
        ".xn--p1ai",
        "e.museum1",
        "://a.net",
    ),
]


@pytest.mark.parametrize("text", [*HOSTILE, "see https://a.com/b.", "xwww.a.b", "ftp://1.2.3.4", "WWW.A.B a.COM"])
def test_no_piece_of_escaped_text_looks_like_an_address(text: str) -> None:
    assert [piece for piece in _pieces(escape(text)) if _BARE.search(piece)] == []


@example("aftp:/a")
@given(st.lists(st.sampled_from(_BITS), max_size=12).map("".join))
def test_no_mixture_of_addresses_comes_alive(text: str) -> None:
    assert [piece for piece in _pieces(f"“{escape(text)}” [1]") if _BARE.search(piece)] == []


@given(st.lists(st.sampled_from(_BITS), max_size=12).map("".join))
def test_nothing_in_escaped_text_closes_a_strike(text: str) -> None:
    # One ~ strikes out as two do, in some renderers; it may close only behind something that is no blank.
    assert not re.search(r"(?<![\s\\])~", escape(text))


@given(st.lists(st.sampled_from([bit for bit in _BITS if bit not in {"\n", "\\"}]), max_size=12).map("".join))
def test_escaped_addresses_and_strikes_read_the_same(text: str) -> None:
    html = MarkdownIt("gfm-like", {"linkify": False}).renderInline(escape(text))

    assert html.split() == text.split()


@given(st.text(alphabet="ab1 \n\t*_`#[]()<>!|~-+=&;:.\\/@w", max_size=60))
def test_no_mixture_of_marks_comes_alive(text: str) -> None:
    html = MarkdownIt("gfm-like", {"linkify": False}).render(escape(text))

    assert "<" not in html.replace("<p>", "").replace("</p>", "").replace("<br />", "").replace("<br>", "")


def _alive(markdown: str) -> set[str]:
    found = MarkdownIt("gfm-like", {"linkify": False}).parse(markdown)
    return {child.type for token in found for child in token.children or ()} - {"text", "code_inline", "softbreak"}


@pytest.mark.parametrize(
    ("text", "shown", "in_cell"),
    [
        ("Use `JSONField`, not `a_b*c`.", "Use `JSONField`, not `a_b*c`.", "Use `JSONField`, not `a_b*c`."),
        ("`?|` and `?&`", "`?|` and `?&`", r"`?\|` and `?&`"),
        ("a ` b", r"a \` b", r"a \` b"),
        ("`` x ``\n`y`", "`x` `y`", "`x` `y`"),
        ("`row[3]` but `it floats [3]`", r"`row[3]` but \`it floats \[3\]\`", r"`row[3]` but \`it floats \[3\]\`"),
        ("`[1, 2a]`", r"\`\[1, 2a\]\`", r"\`\[1, 2a\]\`"),
        ("`https://a.b`", r"\`https\:/\/a.b\`", r"\`https\:/\/a.b\`"),
        ("`www.a.b`", r"\`www\.a.b\`", r"\`www\.a.b\`"),
        ("\ue000 `x`", "\ue000 \\`x\\`", "\ue000 \\`x\\`"),
        ("*x* [a](b)", r"\*x\* \[a\](b)", r"\*x\* \[a\](b)"),
    ],
)
def test_a_writers_code_is_code_and_nothing_else_is_alive(text: str, shown: str, in_cell: str) -> None:
    assert (inline(text), inline(text, cell=True)) == (shown, in_cell)


@given(st.text(alphabet="ab1 \n\t*_`#[]()<>!|~-+=&;:.\\/@w", max_size=60))
def test_code_lets_no_mixture_of_marks_come_alive(text: str) -> None:
    assert _alive(inline(text)) == set()
    head = "| a |\n| --- |\n"
    assert _alive(f"{head}| x {inline(text, cell=True)} |") == set()


@given(st.text(alphabet="ab1 *_`[]|\\", max_size=40))
def test_a_cell_stays_one_cell_and_code_reads_the_same(text: str) -> None:
    html = MarkdownIt("gfm-like", {"linkify": False}).render(f"| a |\n| --- |\n| x {inline(text, cell=True)} |")

    assert html.count("<td>") == 1
    shown = re.sub(r"</?code>|`", "", html.partition("<td>")[2].partition("</td>")[0])
    assert "".join(shown.split()) == "x" + "".join(text.replace("`", "").split())


def test_a_bar_in_the_code_of_a_cell_reads_as_a_bar() -> None:
    assert without_markdown("| a |\n| --- |\n| `?\\|` |\n") == "| a |\n| ?| |\n"


REPORT = (
    "# Title\n\nIntro.\n\n## Findings\n\nText.\n\n### Detail\n\nMore.\n\n```\n## Findings 2\n```\n\n"
    "## References\n\n[1] x\n"
)


def test_a_section_is_found_by_its_heading() -> None:
    assert section(REPORT, "findings").endswith("## Findings 2\n```")
    assert section(REPORT, "FINDINGS").startswith("## Findings\n\nText.")
    assert section(REPORT, "Ref") == "## References\n\n[1] x"
    assert section(REPORT, "**Detail**").startswith("### Detail")
    assert section(REPORT, "title") == REPORT.rstrip()
    assert section(REPORT, "nothing") == section(REPORT, " ") == ""


def test_a_page_ends_with_a_paragraph_where_one_ends() -> None:
    text = "one two three\n\nfour five\nsix seven eight"

    assert cut(text, 0, 20) == ("one two three\n\n", 15)
    assert cut(text, 15, 12) == ("four five\n", 25)
    assert cut(text, 25, 11) == ("six seven ", 35)
    assert cut(text, 35, 100) == ("eight", None)
    assert cut("x" * 10, 0, 4) == ("xxxx", 4)
    assert cut(text, 1000, 5) == ("", None)
    assert cut(text, -5, 0)[0] == "o"


@given(st.text(alphabet="ab \n", max_size=200), st.integers(1, 40))
def test_the_pages_joined_are_the_whole_text(text: str, limit: int) -> None:
    pages: list[str] = []
    offset: int | None = 0
    while offset is not None:
        page, offset = cut(text, offset, limit)
        assert len(page) <= limit
        pages.append(page)
    assert "".join(pages) == text


def test_what_a_terminal_obeys_and_no_one_sees_is_taken_out() -> None:
    hidden = "\x1b[2J\x00\x07\x9b\u202e\u2066\U000e0049\ud800"

    assert visible(f"Ice{hidden}\tfloats\nשלום\u200f 👩\u200d🚀") == "Ice[2J\tfloats\nשלום\u200f 👩\u200d🚀"
    assert escape(f"Ice{hidden}") == "Ice\\[2J"
