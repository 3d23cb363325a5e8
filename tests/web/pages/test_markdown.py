from lxml import etree

from deepresearch_mcp.text.blocks import blocks
from deepresearch_mcp.web.pages.markdown import DEEPEST, tidy, to_markdown


def rendered(xml: str) -> str:
    return to_markdown(etree.fromstring(f"<body>{xml}</body>"))


def test_blocks_stand_apart_and_headings_keep_their_level() -> None:
    xml = (
        "<head rend='h1'>One</head><p>Text  of\n two lines.</p>loose<head rend='h3'>Three¶</head>"
        "<head>Some</head><head/>"
    )

    assert rendered(xml) == "# One\n\nText of two lines.\n\nloose\n\n### Three\n\n## Some"


def test_words_are_neither_escaped_nor_marked() -> None:
    xml = (
        "<p>The <hi rend='#b'>__init__</hi> of foo_bar[0] * 2, <ref target='/x'>linked</ref>, <code>a_b</code>"
        "<graphic src='x'/>.</p>"
    )

    assert rendered(xml) == "The __init__ of foo_bar[0] * 2, linked, a_b."


def test_lists_are_numbered_marked_and_nested() -> None:
    xml = (
        "<list rend='ul'><item>one</item><item>two<list rend='ol'><item>first<lb/>line</item><item>second</item>"
        "</list></item><item/></list>"
    )

    assert rendered(xml) == "- one\n- two\n  1. first\n     line\n  2. second"


def test_terms_and_what_is_said_of_them_have_marks_of_their_own() -> None:
    xml = (
        "<list rend='dl'><item rend='dt-1'>run(a)</item><item rend='dt-1'>run(b)</item><item rend='dd-1'><p>Runs.</p>"
        "<list rend='dl'><item rend='dt-2'>a</item><item rend='dd-2'>What.</item></list></item></list>"
    )

    assert rendered(xml) == "* run(a)\n* run(b)\n: Runs.\n  * a\n  : What."


def test_tables_have_rows_and_a_line_under_their_head() -> None:
    xml = (
        "<table><row><cell role='head'>A</cell><cell role='head'><p>B</p>b</cell></row>"
        "<row><cell>1</cell><cell>2<lb/>3</cell></row><row><cell/><cell/></row></table>"
    )

    assert rendered(xml) == "| A | B b |\n|---|---|\n| 1 | 2 3 |"


def test_code_keeps_its_lines_and_quotes_their_mark() -> None:
    xml = "<code>if x:\n    y  = 1</code><code><code>a<lb/>b</code></code><quote>said<p>again</p></quote><quote/>"

    assert rendered(xml) == "```\nif x:\n    y  = 1\n```\n\n```\na\nb\n```\n\n> said\n\n> again"


def test_what_is_nested_beyond_reason_becomes_plain_text() -> None:
    depth = DEEPEST + 20
    xml = "<list><item>" * depth + "deep" + "</item></list>" * depth

    assert rendered(xml).strip("- ") == "deep"
    assert rendered("<div>" * 200 + "<p>deep</p>" + "</div>" * 200) == "deep"


def test_text_is_tidied_of_controls_and_piled_up_blank_lines() -> None:
    assert tidy("\ufeffa\x00b\r\nc\rd\n\n\n\ne\x0c\x85\ud800\u2028f\u200d ") == "ab\nc\nd\n\ne\n\nf"


def test_cells_of_a_table_within_a_quotation_do_not_run_together() -> None:
    xml = "<quote><table><tr><td>one</td><td>two</td></tr><tr><th>three</th></tr></table></quote>"

    assert (
        rendered(f"<quote>{'<p><tr><td>one</td><td>two</td></tr><tr><th>three</th></tr></p>'}</quote>")
        == "> one two three"
    )
    assert "onetwo" not in rendered(xml)


def test_the_comment_of_a_command_is_no_heading() -> None:
    text = rendered(
        "<p>Set it:</p><p># sysctl -w a=1</p><list><item>Or so:<lb/># sysctl b=2</item></list>"
        "<table><row><cell># c</cell></row></table><head rend='h2'># Numbers</head>"
    )

    assert "    # sysctl -w a=1" in text
    assert "      # sysctl b=2" in text
    assert "| # c |" in text
    assert [block.title for block in blocks(text) if block.kind == "heading"] == ["# Numbers"]
