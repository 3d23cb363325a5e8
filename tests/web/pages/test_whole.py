import re
from datetime import date

import pytest
from tests.stopwatch import spent

from deepresearch_mcp.web.pages.html import parse_html
from deepresearch_mcp.web.pages.tree import inner_text, load_page
from deepresearch_mcp.web.pages.whole import make_whole

WORDS = "<p>Paragraph {} of this page says in so many words that the Marnholt server is described here at length.</p>"
INLINE = ("code", "a", "b", "i", "kbd", "samp", "var", "span", "q", "time")
WHOLE = (
    "Never call {} on the Veltrano{} server in production.",
    "{} must never be called on the Veltrano{} server in production.",
)
ITEMS = (
    "<ul><li>{}</li><li>Another one.</li></ul>",
    "<ol><li><p>{}</p></li></ol>",
    "<table><tr><th>One</th><th>Two</th></tr><tr><td>{}</td><td>cell</td></tr></table>",
    "<p>{}</p>",
    "<dl><dt>Term</dt><dd>{}</dd></dl>",
    "<h2>{}</h2><p>More of it.</p>",
)
LOOSE = ("<div>{}<p>More of it.</p></div>", "<div>{}</div>", "<section>{}</section>")
PAGES = ("{}", "<article>{}</article>", "<div><div class='content'>{}</div></div>")


def text_of(body: str) -> str:
    page = parse_html(f"<html><head><title>T</title></head><body>{body}</body></html>", "", 100_000, date(2026, 1, 1))
    return " ".join(page.get("text", "").split())


def page_of(item: str, paragraphs: int) -> str:
    words = "".join(WORDS.format(number) for number in range(paragraphs))
    return f"<h1>Guide</h1>{words}{item}{words.replace('Paragraph', 'Part')}"


@pytest.mark.parametrize("around", PAGES)
@pytest.mark.parametrize("item", ITEMS + LOOSE)
def test_no_words_are_cut_out_of_an_item(item: str, around: str) -> None:
    for paragraphs in (2, 12):
        shown: dict[str, str] = {}
        for tag in INLINE:
            for inside in (f"<{tag}>run_{{}}()</{tag}>", f"<b><{tag}>run_{{}}()</{tag}></b>"):
                for whole in WHOLE:
                    number = f"{len(shown)}x"
                    shown[whole.format(inside, "{}").format(number, number)] = number
        text = text_of(around.format(page_of("".join(item.format(one) for one in shown), paragraphs)))
        for one, number in shown.items():
            # What stands in no paragraph may be left out, though never in part.
            left_out = item in LOOSE and f"run_{number}" not in text and f"Veltrano{number}" not in text
            assert left_out or re.sub("<[^>]+>", "", one) in text, (one, paragraphs)


@pytest.mark.parametrize("paragraphs", [1, 4, 20])
@pytest.mark.parametrize("around", [*PAGES, "<div class='x'>{}</div>", "<center>{}</center>"])
def test_lists_and_headings_are_kept_whether_or_not_a_part_is_named_main(around: str, paragraphs: int) -> None:
    lists = "<h2>Advice</h2><ul><li>The server needs 4 GB.</li><li>It was measured <i>twice</i>.</li></ul>"
    text = text_of(around.format(page_of(lists, paragraphs)))

    assert "## Advice - The server needs 4 GB. - It was measured twice." in text
    assert text.startswith("# Guide Paragraph 0")


def test_preparing_a_page_neither_adds_nor_loses_a_word() -> None:
    html = (
        "<body>loose <b>a <a href='/'>b</a></b> c<p>d <code>e</code> f</p>g<br>h <i>i</i><ul><li><q>j</q> k</li></ul>"
        "l <time>m</time> n <em>o<div>p</div></em><time>q</time><pre><code>r\ns</code></pre></body>"
    )
    tree = load_page(f"<html>{html}</html>")
    assert tree is not None
    before = inner_text(tree)

    make_whole(tree)

    assert inner_text(tree) == before
    assert [element.tag for element in tree.iter("time", "code", "q", "i")] == ["time"]


BOXES = {
    "<div><span class='title'>New in 3.2:</span> <p>The <code>no_key</code> argument was added.</p></div>": (
        "New in 3.2: The no_key argument was added."
    ),
    "<div>\n<span class='title'>New in 3.2.</span> </div>\n<p>Chaining is supported.</p>": (
        "New in 3.2. Chaining is supported."
    ),
    "<div><span>Note</span><p>It is slow.</p></div>": "Note It is slow.",
}


@pytest.mark.parametrize("box", BOXES)
def test_the_label_of_a_box_is_kept_with_it(box: str) -> None:
    assert f"at length. {BOXES[box]} Part" in text_of(f"<article>{page_of(box, 12)}</article>")


def test_a_date_by_itself_is_no_part_of_a_sentence() -> None:
    tree = load_page(
        "<html><body><p><span><time>1 May</time></span></p><p>On <b><time>2 May</time></b></p></body></html>"
    )
    assert tree is not None

    make_whole(tree)

    assert [inner_text(element) for element in tree.iter("time")] == ["1 May"]


@pytest.mark.parametrize("holder", ["p", "div"])
def test_endless_inline_elements_take_no_endless_time(holder: str) -> None:
    tree = load_page(f"<html><body><{holder}>{'a <code>b</code> <b>c</b>' * 20_000}</{holder}></body></html>")
    assert tree is not None

    with spent() as taken:
        make_whole(tree)

    assert taken.seconds < 5
    assert inner_text(tree).count("a b c") == 20_000
