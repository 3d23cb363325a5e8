from collections.abc import Callable
from typing import Any

import pytest

from deepresearch_mcp.web.pages.tree import drop, inner_text, load_page, load_xml, replace_inside, serialised


@pytest.mark.parametrize("html", ["<html><body><p>Words</p></body></html>", "<p>Words</p>", "Words", "<p>Wor<b>ds"])
def test_a_page_or_a_fragment_of_one_is_a_tree(html: str) -> None:
    tree = load_page(html)

    assert tree is not None
    assert inner_text(tree).strip() == "Words"


@pytest.mark.parametrize("html", ["", "   \n"])
def test_nothing_is_no_tree(html: str) -> None:
    assert load_page(html) is None


def test_xml_is_read_without_touching_its_entities() -> None:
    root = load_xml(
        '<?xml version="1.0" encoding="utf-16"?><!DOCTYPE a [<!ENTITY e SYSTEM "file:///etc/passwd">]><a>x&e;<b>y</b></a>'
    )

    assert root is not None
    assert "root:" not in inner_text(root)
    assert root.find("b") is not None


def test_a_billion_laughs_are_not_laughed() -> None:
    entities = "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, 12))
    root = load_xml(f'<!DOCTYPE a [<!ENTITY e0 "ha">{entities}]><a>&e11;</a>')

    assert root is None or len(inner_text(root)) < 1_000


@pytest.mark.parametrize("text", ["", "no xml", "\x00", "<"])
def test_what_is_no_xml_is_no_tree(text: str) -> None:
    assert load_xml(text) is None


def test_naughty_strings_are_harmless(data: Callable[[str], Any]) -> None:
    for text in data("html_malformed/blns.json"):
        load_page(f"<p>{text}</p>")
        load_xml(f"<a>{text}</a>")


def test_what_is_inside_can_be_replaced_by_one_text() -> None:
    tree = load_page("<div><pre class='x'><b>a</b>b</pre>after</div>")
    assert tree is not None
    pre = tree.find(".//pre")
    assert pre is not None

    replace_inside(pre, "span", "1 < 2")

    assert [(node.tag, node.text) for node in pre] == [("span", "1 < 2")]
    assert inner_text(tree) == "1 < 2after"


@pytest.mark.parametrize("reference", ["&#27;", "&#x1B;", "&#00000;", "&#8", "&#X0c;", "&#xFFFF;", "&#31;"])
def test_a_reference_to_a_control_character_does_not_stop_a_page_from_being_taken_apart(reference: str) -> None:
    tree = load_page(f"<html><body><pre><code>a{reference} b</code></pre></body></html>")

    assert tree is not None
    [listing] = tree.iter("pre")
    replace_inside(listing, "span", inner_text(listing))
    assert inner_text(tree).strip() == "a b"


def test_other_references_stay() -> None:
    tree = load_page("<html><body><p>&#65;&#160;&#x1F9CA;&#127;&#9;&#010;&#321;&#x1b0;</p></body></html>")

    assert tree is not None
    assert inner_text(tree) == "A\xa0🧊\x7f\t\nŁư"


def test_elements_are_dropped_with_what_is_inside_and_the_words_behind_stay() -> None:
    page = load_page("<html><body><p>a <code>b <i>c</i></code> d</p></body></html>")
    assert page is not None

    drop(page, "code")

    assert "<p>a  d</p>" in serialised(page)


@pytest.mark.parametrize("char", ["\x00", "\x08", "\x0b", "\x1f", "\ufffe", "\uffff"])
def test_invalid_characters_are_removed_anywhere_in_a_page(char: str) -> None:
    filling = "<p>Ice.</p>\n" * 1_000

    tree = load_page(f"<!DOCTYPE html>\n<html><body>{filling}<p id='last'>Wor{char}ds</p></body></html>")

    assert tree is not None
    last = tree.find(".//p[@id='last']")
    assert last is not None
    assert inner_text(last) == "Words"


def test_a_broken_beginning_of_a_long_page_is_repaired() -> None:
    filling = "<p>Ice.</p>\n" * 1_000

    tree = load_page(f'<!DOCTYPE html PUBLIC "-//W3C//DTD/x">\n<html lang="en" />\n<body>{filling}</body></html>')

    assert tree is not None
    assert inner_text(tree).count("Ice.") == 1_000
