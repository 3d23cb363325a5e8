"""The main text of a page is chosen block by block."""

from deepresearch_mcp.web.pages.block_features import PageSigns
from deepresearch_mcp.web.pages.main_text import chosen_blocks, main_text
from deepresearch_mcp.web.pages.page_blocks import page_blocks
from deepresearch_mcp.web.pages.tree import load_page

NONE = PageSigns("https://a.example/b", "", "", frozenset(), "")
LINE = "<p>Ice number {} floats, because water expands when it freezes into a crystal.</p>"
LONG = "".join(LINE.format(at) for at in range(30))
MENU = "<nav><ul>" + "".join(f"<li><a href='/{at}'>Entry {at}</a></li>" for at in range(20)) + "</ul></nav>"


def text_of(body: str, signs: PageSigns = NONE) -> str:
    page = load_page(f"<html><body>{body}</body></html>")
    assert page is not None
    return main_text(page, signs)


def test_a_menu_is_left_out_of_a_long_page() -> None:
    text = text_of(f"{MENU}<article><h1>Ice</h1>{LONG}</article>")

    assert "Entry" not in text
    assert "Ice number 29 floats" in text


def test_a_small_page_is_kept_but_for_its_furniture() -> None:
    assert text_of(f"{MENU}<p>Ice floats.</p>") == "Ice floats."


def test_a_page_that_is_all_menu_keeps_it() -> None:
    assert "Entry 3" in text_of("<nav><a href='/3'>Entry 3</a></nav>")


def test_a_slide_that_stands_twice_is_kept_once() -> None:
    again = LINE.format(3)

    assert text_of(f"<article><h1>Ice</h1>{LONG}{again}</article>").count("Ice number 3 floats") == 1


def test_a_list_between_kept_paragraphs_stays_however_little_its_items_look_like_text() -> None:
    page = load_page(f"<html><body>{LONG}<ul><li>FULL</li><li>OFF</li></ul>{LINE.format(30)}</body></html>")
    assert page is not None
    blocks = page_blocks(page)

    kept = chosen_blocks(blocks, NONE, [1.0 if "Ice" in block.text else 0.0 for block in blocks])

    assert [block.text for block in kept[30:-1]] == ["FULL", "OFF"]
