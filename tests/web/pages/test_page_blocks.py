"""A page's words are split where a reader sees a new paragraph, and nowhere else."""

import pytest

from deepresearch_mcp.web.pages.page_blocks import DEEPEST, MOST_BLOCKS, page_blocks
from deepresearch_mcp.web.pages.tree import load_page


def texts(body: str) -> list[str]:
    page = load_page(f"<html><body>{body}</body></html>")
    assert page is not None
    return [block.text for block in page_blocks(page)]


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("<p>Call <code>reset()</code> <b>never</b>.</p>", ["Call reset() never."]),
        ("<div>Loose <i>words</i><p>A paragraph.</p>and more</div>", ["Loose words", "A paragraph.", "and more"]),
        ("<p>One<br>two<br><br>three</p>", ["One\ntwo", "three"]),
        ("<div><a>Home</a><a>About</a></div>", ["Home About"]),
        ("<p>H<span>2</span>O</p>", ["H2O"]),
        ("<pre>a\n  b</pre>", ["a\n  b"]),
        ("<p>Seen</p><script>x()</script><select><option>x</option></select>", ["Seen"]),
        ("<p>From <s>one</s> two <del>or three</del><strike>, four</strike> sites.</p>", ["From two sites."]),
        ("<p>Mass <math><annotation encoding='application/x-tex'>E=mc^2</annotation></math>.</p>", ["Mass $E=mc^2$ ."]),
        ("<p>Root <math alttext='\\sqrt{2}'><mi>x</mi></math></p>", ["Root $\\sqrt{2}$"]),
    ],
)
def test_words_are_kept_together_within_a_block_element(body: str, found: list[str]) -> None:
    assert texts(body) == found


def test_what_stands_in_links_is_counted() -> None:
    page = load_page("<html><body><p>See <a href='/a'>this</a> and <a href='/b'>that</a>.</p></body></html>")
    assert page is not None

    [block] = page_blocks(page)

    assert (block.linked, block.links, block.chars) == (8, 2, 18)


def test_a_page_nested_without_end_keeps_its_words() -> None:
    assert " ".join(texts("<div>a " * (DEEPEST + 40))).split() == ["a"] * (DEEPEST + 40)


def test_a_page_without_end_is_cut() -> None:
    assert MOST_BLOCKS <= len(texts("<p>a</p>" * (MOST_BLOCKS + 500))) <= MOST_BLOCKS + 2
