import pytest

from deepresearch_mcp.web.pages.hidden import LONGEST, comments, take_out
from deepresearch_mcp.web.pages.tree import Node, inner_text, load_page

SECRET = "Nobody who reads this page will ever see these words."
SHOWN = "Ice floats on water because it is less dense. " * 8


def tree_of(inside: str, head: str = "") -> Node:
    tree = load_page(f"<html><head>{head}</head><body><div><p>{SHOWN}</p>{inside}<p>{SHOWN}</p></div></body></html>")
    assert tree is not None
    return tree


@pytest.mark.parametrize(
    "inside",
    [
        f"<p style='display:none'>{SECRET}</p>",
        f"<p hidden>{SECRET}</p>",
        f"<div style='font-size:0'><b><i>{SECRET}</i></b></div>",
        f"<p class='x'>{SECRET}</p>",
        f"<template><p>{SECRET}</p></template>",
        f"<noscript>{SECRET}</noscript>",
        f"<dialog>{SECRET}</dialog>",
        f"<iframe>{SECRET}</iframe>",
        f"<video>{SECRET}</video>",
    ],
)
def test_what_no_reader_sees_is_taken_out_and_handed_on(inside: str) -> None:
    tree = tree_of(inside, "<style>.x{display:none}</style>")

    unseen = take_out(tree)

    assert SECRET not in inner_text(tree)
    assert inner_text(tree).count("Ice floats") == 16
    assert SECRET in unseen.text
    assert unseen.noted is inside.startswith(("<p", "<div style"))


@pytest.mark.parametrize(
    "inside",
    [
        f"<p>{SECRET}</p>",
        f"<p aria-hidden='true'>{SECRET}</p>",
        f"<details><summary>More</summary>{SECRET}</details>",
        f"<dialog open>{SECRET}</dialog>",
        f"<div class='accordion-body' style='display:none'>{SECRET}</div>",
        f"<div role='tabpanel' hidden>{SECRET}</div>",
        f"<button aria-controls='one'>More</button><div id='one' hidden>{SECRET}</div>",
        f"<a data-toggle='x' href='#two'>More</a><div id='two' style='display:none'>{SECRET}</div>",
        f"<button popovertarget='one'>More</button><div id='one' popover>{SECRET}</div>",
        f"<div data-aos='up' style='opacity:0'>{SECRET}</div>",
        f"<p class='x'>{SECRET}</p>",
    ],
)
def test_what_is_seen_or_opens_stays(inside: str) -> None:
    tree = tree_of(inside, "<style media='print'>.x{display:none}</style>")

    assert take_out(tree) == ("", False)
    assert SECRET in inner_text(tree)


def test_what_attributes_say_is_handed_on() -> None:
    unseen = take_out(tree_of(f"<img alt='{SECRET}'><a title='short'>x</a>", f"<meta name='d' content='{SECRET}'>"))

    assert unseen.text.split("\n\n") == [SECRET, SECRET]
    assert not unseen.noted


@pytest.mark.parametrize("around", ["<nav>{}</nav>", "<div class='cookie-notice'>{}</div>", "<form>{}</form>"])
def test_menus_and_notices_that_come_and_go_are_not_worth_a_word(around: str) -> None:
    unseen = take_out(tree_of(around.format(f"<p hidden>{SECRET}</p>")))

    assert SECRET in unseen.text
    assert not unseen.noted
    assert not take_out(tree_of("<p hidden>three words only</p>")).noted


def test_a_page_that_hides_itself_is_shown_by_a_script() -> None:
    tree = load_page(f"<html><body style='opacity:0'><div style='visibility:hidden'><p>{SHOWN}</p></div></body></html>")
    assert tree is not None

    take_out(tree)

    assert "Ice floats" in inner_text(tree)


def test_hidden_within_hidden_is_taken_out_once() -> None:
    unseen = take_out(tree_of(f"<div hidden><p hidden>{SECRET}</p></div>"))

    assert unseen.text == SECRET


def test_scripts_and_endless_comments_do_not_fill_the_memory() -> None:
    long = "Ice floats. " * LONGEST
    tree = tree_of(f"<div hidden><script>var a = 1</script><style>.a{{}}</style></div><img alt='{long}'>")

    assert len(take_out(tree).text) == LONGEST
    assert "var a" not in take_out(tree).text
    assert len(comments(f"<p>x</p><!-- {long} -->")) == LONGEST


def test_what_comments_say_is_read_from_the_source() -> None:
    assert comments(f"<p>x</p><!-- {SECRET} --><!-- short --><!--[if IE]> {SECRET} <![endif]-->") == SECRET
    assert comments("<!--" * 50_000) == ""


@pytest.mark.parametrize(
    ("head", "inside"),
    [
        (":root{--x:transparent}", "<p style='color:var(--x)'>{}</p>"),
        (":root{--x:0}", "<p style='font-size:var(--x)'>{}</p>"),
        (":root{--x:#fff}", "<p style='color:var(--x)'>{}</p>"),
        (":root{--x:0}.note{font-size:var(--x)}", "<p class='note'>{}</p>"),
        (":root{--x:none}.note{display:var(--x)}", "<p class='note'>{}</p>"),
        (":root{--y:1px}:root{--x:var(--y)}.note{font-size:var(--x)}", "<p class='note'>{}</p>"),
        (".note{--x:0;opacity:var(--x)}", "<p class='note'>{}</p>"),
        (":root{--x:16px}.note{--x:0}", "<p class='note' style='font-size:var(--x)'>{}</p>"),
        (".note{font-size:var(--missing, 0)}", "<p class='note'>{}</p>"),
        ("", "<p style='--x:0;font-size:var(--x)'>{}</p>"),
        ("", "<div style='--x:transparent'><p style='color:var(--x)'>{}</p></div>"),
        ("", "<p style='font-size:var(--missing, 0)'>{}</p>"),
        (".note{color:var(--x)}", "<p class='note' style='--x:transparent'>{}</p>"),
    ],
)
def test_what_a_custom_property_hides_is_taken_out(head: str, inside: str) -> None:
    tree = tree_of(inside.format(SECRET), f"<style>{head}</style>")

    unseen = take_out(tree)

    assert SECRET not in inner_text(tree)
    assert SECRET in unseen.text


@pytest.mark.parametrize(
    ("head", "inside"),
    [
        (":root{--x:#222}", "<p style='color:var(--x)'>{}</p>"),
        (":root{--x:16px}.note{font-size:var(--x)}", "<p class='note'>{}</p>"),
        (":root{--x:0}.other{--x:16px}", "<p class='other' style='font-size:var(--x)'>{}</p>"),
        (".note{font-size:var(--missing, 1rem)}", "<p class='note'>{}</p>"),
        (".note{font-size:var(--missing)}", "<p class='note'>{}</p>"),
        (":root{--x:var(--x)}.note{font-size:var(--x)}", "<p class='note'>{}</p>"),
    ],
)
def test_what_a_custom_property_shows_stays(head: str, inside: str) -> None:
    tree = tree_of(inside.format(SECRET), f"<style>{head}</style>")

    take_out(tree)

    assert SECRET in inner_text(tree)
