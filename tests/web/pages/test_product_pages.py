"""A shop's page gives its product, not what the shop says around it."""

from datetime import date
from typing import Final

from deepresearch_mcp.web.pages.html import parse_html
from deepresearch_mcp.web.pages.page_blocks import page_blocks
from deepresearch_mcp.web.pages.product_pages import without_surroundings
from deepresearch_mcp.web.pages.tree import load_page
from deepresearch_mcp.web.parsed import Parsed

LINKS: Final = ", ".join(f"<a href=/{at}>Entry {at}</a>" for at in range(9))
MENUS: Final = "".join(f"<h5>Column {name}</h5><dl><dd>{LINKS}</dd></dl>" for name in "abcd")
TOLD: Final = (
    "The kettle K2 boils a litre of water in two minutes. Its steel body keeps the water warm for an hour. "
    "The lid locks, so that nothing is spilt when it falls over. The cord is two metres long, "
    "and a filter behind the spout keeps the lime out of the tea."
)
KETTLE: Final = f"<p>{TOLD}</p>"


def read(body: str, head: str = "") -> Parsed:
    html = f"<html><head><meta property='og:type' content='product'>{head}</head><body>{body}</body></html>"
    return parse_html(html, "https://shop.example/k2", 10_000, date(2026, 11, 28))


def declared(description: str) -> str:
    return (
        '<script type="application/ld+json">{"@type": "Product", "name": "Kettle K2", "offers": {"price": "20"},'
        f' "description": "{description}"}}</script>'
    )


def shown(body: str) -> str:
    page = load_page(f"<html><body>{body}</body></html>")
    assert page is not None
    blocks = page_blocks(page)
    kept = without_surroundings(blocks, [True] * len(blocks))
    return "\n".join(block.text for block, is_kept in zip(blocks, kept, strict=True) if is_kept)


def test_the_menus_around_a_product_that_scripts_write_are_no_text() -> None:
    page = read(MENUS)

    assert page.get("text") == ""
    assert page.get("reason") == "empty"


def test_the_description_for_machines_stands_in_for_a_product_that_scripts_write() -> None:
    page = read(MENUS, declared(f"&lt;p&gt;{TOLD}&lt;/p&gt;&lt;ul&gt;&lt;li&gt;One litre&lt;/li&gt;&lt;/ul&gt;"))

    assert page.get("text") == f"{TOLD}\nOne litre"


def test_the_price_for_machines_stands_in_where_there_is_no_description() -> None:
    assert read(MENUS, declared("")).get("text") == "Kettle K2: price 20."


def test_a_product_that_the_page_describes_itself_is_not_described_again() -> None:
    page = read(f"<h1>Kettle K2</h1>{KETTLE}", declared(TOLD))

    assert page.get("text", "").count("boils a litre") == 1


def test_sections_on_other_products_and_on_shipping_are_left_out() -> None:
    text = shown(
        f"<h1>Kettle K2</h1>{KETTLE}<h2>Shipping &amp; returns</h2><p>We ship to all countries.</p>"
        "<h2>Care</h2><p>Rinse it with vinegar.</p>"
        "<div><h3>You may also like</h3><p>The toaster T1 browns bread.</p></div><p>Made in Leeds.</p>"
    )

    assert "We ship" not in text
    assert "toaster" not in text
    assert "Rinse it with vinegar." in text
    assert text.endswith("Made in Leeds.")


def test_words_that_stand_twice_are_kept_once_but_prices_and_cells_stay() -> None:
    again = "<p>Description</p><p>20 EUR each</p><table><tr><td>Dishwasher</td></tr></table>"

    text = shown(f"{KETTLE}{again}{again}")

    assert [text.count(words) for words in ("Description", "20 EUR each", "Dishwasher")] == [1, 2, 2]


def test_a_page_that_is_all_surroundings_stays_whole() -> None:
    assert "We ship" in shown("<h1>Shipping</h1><p>We ship to all countries.</p>")
