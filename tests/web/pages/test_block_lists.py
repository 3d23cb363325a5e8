"""A list between two paragraphs of the main text is part of it."""

import pytest

from deepresearch_mcp.web.pages.block_lists import with_lists
from deepresearch_mcp.web.pages.page_blocks import page_blocks
from deepresearch_mcp.web.pages.tree import load_page

MODES = "<dl><dt>FULL</dt><dd>Syncs each time.</dd><dt>OFF</dt><dd>Hands over and goes on.</dd></dl>"


def kept_of(body: str, *said: str) -> list[str]:
    """The blocks that stay where the trees keep only those that are `said`."""
    page = load_page(f"<html><body>{body}</body></html>")
    assert page is not None
    blocks = page_blocks(page)
    kept = with_lists(blocks, [block.text in said for block in blocks])
    return [block.text for block, is_kept in zip(blocks, kept, strict=True) if is_kept]


def test_a_list_between_kept_paragraphs_is_kept_whole() -> None:
    found = kept_of(f"<p>Modes:</p>{MODES}<p>The default is FULL.</p>", "Modes:", "The default is FULL.")

    assert found[1:-1] == ["FULL", "Syncs each time.", "OFF", "Hands over and goes on."]


def test_a_list_inside_a_list_is_kept_with_it() -> None:
    body = "<p>Above.</p><ul><li>Ice<ul><li>floats</li></ul></li><li>Steam rises</li></ul><p>Below.</p>"

    assert kept_of(body, "Above.", "Below.") == ["Above.", "Ice", "floats", "Steam rises", "Below."]


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(f"<p>Above.</p><nav>{MODES}</nav><p>Below.</p>", id="a menu"),
        pytest.param(f"<p>Above.</p><div class='related'>{MODES}</div><p>Below.</p>", id="a box of other pages"),
        pytest.param("<p>Above.</p><ul><li><a href='/a'>One</a></li></ul><p>Below.</p>", id="links"),
        pytest.param(f"<p>Above.</p><section>{MODES}</section><p>Below.</p>", id="another section"),
        pytest.param(f"<p>Above.</p>{MODES}<p>Left out.</p><p>Below.</p>", id="text below that is left out"),
        pytest.param(f"{MODES}<p>Below.</p>", id="nothing above"),
        pytest.param(f"<p>Above.</p>{MODES}", id="nothing below"),
        pytest.param(f"<p>Above.</p><p>Left out.</p>{MODES}<p>Below.</p>", id="text above that is left out"),
    ],
)
def test_other_lists_are_left_as_they_were(body: str) -> None:
    assert set(kept_of(body, "Above.", "Below.")) <= {"Above.", "Below."}


def test_an_item_that_the_trees_keep_stays_alone_outside_of_text() -> None:
    assert kept_of(f"<p>Above.</p>{MODES}", "FULL") == ["FULL"]


def test_a_list_of_which_most_is_kept_is_kept_whole_even_if_it_is_all_links() -> None:
    names = ("PostgreSQL", "MariaDB", "SQLite")
    items = "".join(f"<li><a href='#{name}'>{name}</a></li>" for name in names)

    assert kept_of(f"<p>Supported:</p><ul>{items}</ul>", "MariaDB", "SQLite") == list(names)


def test_a_menu_of_which_most_is_kept_is_not_made_whole() -> None:
    assert kept_of("<nav><ul><li>Home</li><li>News</li><li>Us</li></ul></nav>", "Home", "News") == ["Home", "News"]


def test_a_page_without_blocks_has_no_lists() -> None:
    assert with_lists([], []) == []


def test_a_list_in_a_wrapper_of_its_own_belongs_to_the_text_around_that() -> None:
    wrapped = "<div class='itemizedlist'><ul><li>Git compares names.</li><li>Git detects errors.</li></ul></div>"

    found = kept_of(f"<p>Above.</p>{wrapped}<p>Below.</p>", "Above.", "Below.")

    assert found == ["Above.", "Git compares names.", "Git detects errors.", "Below."]


SENTENCES = "Each of these items is a sentence that is long enough to be prose, and tells what it is about. "


def test_a_list_of_prose_that_fills_a_section_belongs_to_the_sections_beside_it() -> None:
    items = f"<ul><li>First. {SENTENCES}</li><li>Second. {SENTENCES}</li></ul>"
    body = f"<p>Above.</p><h2>Items</h2>{items}<h2>More</h2><p>Below.</p>"

    assert len(kept_of(body, "Above.", "Below.")) == 4
    assert kept_of(body, "Above.") == ["Above."]


def test_terms_explained_in_sentences_are_kept_wherever_they_stand() -> None:
    items = "".join(f"<dt>Term {at}</dt><dd>It means {at}. {SENTENCES * 2}</dd>" for at in range(3))

    assert len(kept_of(f"<h1>Glossary</h1><dl>{items}</dl>")) == 6
    assert kept_of(f"<h1>Glossary</h1><aside><dl>{items}</dl></aside>") == []
    assert kept_of("<h1>Hours</h1><dl><dt>Monday</dt><dd>9 to 5</dd></dl>") == []


def test_the_name_of_a_section_that_holds_kept_text_is_no_name_of_its_list() -> None:
    body = f"<section id='document-search'><p>Above.</p>{MODES}<p>Below.</p></section>"

    assert len(kept_of(body, "Above.", "Below.")) == 6
    assert kept_of(body, "Above.") == ["Above."]
