import pytest
from hypothesis import given
from hypothesis import strategies as st

from deepresearch_mcp.cli.demo.markup import html_of, paragraphs_of, plain, topic_title

TOPIC = """The "try" statement
*******************

The "try" statement specifies exception handlers for a *non-
virtual* group of **statements**:

   try_stmt ::= "try" ":" suite

"except" clause
===============

* first <item>

  * nested

* second

-[ Footnotes ]-

[1] A footnote that goes
    on.
"""


def test_a_topic_becomes_headings_paragraphs_code_and_lists():
    assert html_of(TOPIC).splitlines() == [
        "<h1>The <code>try</code> statement</h1>",
        "<p>The <code>try</code> statement specifies exception handlers for a <em>non-virtual</em> group of "
        "<strong>statements</strong>:</p>",
        "<pre><code>try_stmt ::= &quot;try&quot; &quot;:&quot; suite</code></pre>",
        "<h2><code>except</code> clause</h2>",
        "<ul><li>first &lt;item&gt;<ul><li>nested</li></ul></li><li>second</li></ul>",
        "<h2>Footnotes</h2>",
        "<ol><li>A footnote that goes on.</li></ol>",
    ]


def test_a_signature_is_a_heading_over_its_explanation():
    text = "object.__del__(self)\n\n   Called when the instance is about to be destroyed.\n"

    assert html_of(text) == (
        "<h3><code>object.__del__(self)</code></h3>\n"
        "<div><p>Called when the instance is about to be destroyed.</p></div>"
    )


@pytest.mark.parametrize(
    "code",
    [">>> f()\n42", "def f():\n    pass", "x = 1", "except E as N:\n    foo", "while running:\n    go()", "a()\n  b()"],
)
def test_what_stands_further_right_and_is_no_sentence_is_code(code):
    shifted = "\n".join(f"   {line}" for line in code.splitlines())

    assert "<pre><code>" in html_of(f"As in\n\n{shifted}\n")


def test_a_note_is_prose_whatever_it_begins_with():
    assert html_of("Note:\n\n  for loops are statements, and not expressions at all.\n").endswith(
        "<div><p>for loops are statements, and not expressions at all.</p></div>"
    )


def test_a_table_keeps_its_cells_also_where_a_bar_stands_in_one():
    text = '+-----+------+\n| Op  | Word |\n|=====|======|\n| "|" | or   |\n+-----+------+\n'

    assert html_of(text) == (
        "<table><tr><td>Op</td><td>Word</td></tr><tr><td><code>|</code></td><td>or</td></tr></table>"
    )


def test_an_indented_list_or_table_is_no_code():
    assert "<ul>" in html_of("These:\n\n   * one\n")
    assert "<table>" in html_of("These:\n\n   +---+\n   | a |\n   +---+\n")


def test_references_go_through_the_link():
    assert html_of("See here.", lambda text: text.upper()) == "<p>SEE HERE.</p>"


def test_titles_are_plain():
    assert topic_title(TOPIC) == "The try statement"
    assert topic_title("no heading") == ""
    assert plain('the "except*" *clause*, **bold**') == "the except* clause, bold"


def test_short_paragraphs_say_nothing_about_repetition():
    assert paragraphs_of(f"short\n\n{'long words ' * 10}") == [("long words " * 10).strip()]


@given(st.text(alphabet=' \n*="-+|abc<>&:.[1]', max_size=200))
def test_no_text_ends_in_an_error_or_in_a_tag_that_is_not_ours(text):
    html = html_of(text)

    assert "<a" not in html
    assert "<b" not in html
