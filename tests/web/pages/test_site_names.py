import json
from typing import Any

import pytest

from deepresearch_mcp.web.pages import facts
from deepresearch_mcp.web.pages.site_names import site_name_of, titled
from deepresearch_mcp.web.pages.tree import Node, load_page

URL = "https://db.example/docs/c3/transaction.html"


def tree(head: str, body: str) -> Node:
    page = load_page(f"<html><head>{head}</head><body>{body}<h1>Transaction</h1><p>Text.</p></body></html>")
    assert page is not None
    return page


def name(head: str = "<title>Transaction</title>", body: str = "") -> str:
    page = tree(head, body)
    named, things = facts.metas(page), facts.json_ld(page)
    return site_name_of(page, named, things, facts.page_title(page, named, things), URL)


def script(value: Any) -> str:
    return f"<title>T</title><script type='application/ld+json'>{json.dumps(value)}</script>"


@pytest.mark.parametrize(
    ("head", "site"),
    [
        ('<title>T</title><meta property="og:site_name" content="The Base">', "The Base"),
        ('<title>T</title><meta name="application-name" content="Base">', "Base"),
        (script({"publisher": {"name": "Press"}}), "Press"),
        (script({"publisher": 3}), ""),
        ('<meta property="og:title" content="T"><title>T | Base 3.2</title>', "Base 3.2"),
        ('<meta property="og:title" content="T"><title>Base 3.2: T</title>', "Base 3.2"),
        ('<meta property="og:title" content="T"><title>Something else</title>', ""),
        (
            '<title>T</title><link rel="top" title="Base 1.4 Documentation" href="../index.html">',
            "Base 1.4 Documentation",
        ),
        ('<title>T</title><link rel="home" title="Home" href="/">', ""),
        ('<title>T</title><link rel="next" title="Streams" href="streams.html">', ""),
    ],
)
def test_a_site_is_named_by_what_its_page_tells_machines(head: str, site: str) -> None:
    assert name(head) == site


@pytest.mark.parametrize(
    ("link", "site"),
    [
        ("<a href='/index.html'><img alt='Base logo' src='x.gif'></a>", "Base"),
        ("<a href='../../'>Home</a> <a href='/'>The Base</a>", "The Base"),
        ("<a accesskey='h' href='index.html' title='Base 15 Documentation'>Home</a>", "Base 15 Documentation"),
        ("<a rel='home' href='https://other.example/'>Base</a>", "Base"),
        ("<a href='https://other.example/'>Other</a><a href='#'>Up</a><a href='https://[x'>Odd</a>", ""),
        ("<a href='/'>Log in</a>", ""),
        (f"<a href='/'>{'Many words that tell of all we do ' * 3}</a>", ""),
        ("<a href='/about.html'>About Base</a>", ""),
    ],
)
def test_else_it_is_named_by_the_link_to_its_front_page(link: str, site: str) -> None:
    assert name(body=link) == site


def test_a_title_of_several_parts_needs_no_link_to_be_asked() -> None:
    assert name("<title>Streams — Base 3.11 documentation</title>", "<a href='/'>Sponsors</a>") == ""


@pytest.mark.parametrize(
    ("title", "site", "whole"),
    [
        ("Transaction", "Base", "Transaction — Base"),
        ("Isolation In BASE", "Base", "Isolation In BASE"),
        ("Streams — Base 3.11", "Base 3.11 Documentation", "Streams — Base 3.11"),
        ("Streams — Base 3.11", "Base 3.12 Documentation", "Streams — Base 3.11 — Base 3.12 Documentation"),
        ("", "Base", ""),
        ("Transaction", "", "Transaction"),
    ],
)
def test_a_title_carries_the_site_s_name_once(title: str, site: str, whole: str) -> None:
    assert titled(title, site) == whole
