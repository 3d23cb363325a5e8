import json
from datetime import date
from typing import Any

import pytest

from deepresearch_mcp.web.pages import facts
from deepresearch_mcp.web.pages.tree import Node, load_page

URL = "https://example.org/dir/page"
TODAY = date(2026, 11, 20)


def tree(head: str = "", body: str = "<p>Text</p>", attributes: str = "") -> Node:
    found = load_page(f"<html {attributes}><head>{head}</head><body>{body}</body></html>")
    assert found is not None
    return found


def script(value: Any) -> str:
    text = value if isinstance(value, str) else json.dumps(value)
    return f'<script type="application/ld+json">{text}</script>'


def test_metas_are_read_by_name_property_or_itemprop_the_first_counts() -> None:
    head = (
        '<meta property="OG:Title" content=" A  b "><meta name="og:title" content="C"><meta charset="utf-8">'
        '<meta itemprop="datePublished" content="2020-01-01"><meta name="x"><meta content="y">'
    )

    found = facts.metas(tree(head))

    assert found == {"og:title": "A b", "datepublished": "2020-01-01"}


def test_json_ld_is_opened_and_broken_json_passed_over() -> None:
    head = (
        script({"@graph": [{"name": "a"}, "no object"]})
        + script([{"name": "b"}, [[[[[{"name": "too deep"}]]]]]])
        + script("{broken")
        + script("[" * 100_000)
        + script({"name": "x" * 500_001})
        + "<script>{}</script>"
        + '<script type="application/ld+json"></script>'
    )

    assert [thing.get("name") for thing in facts.json_ld(tree(head))] == [None, "a", "b"]


def test_a_flood_of_json_ld_is_not_drunk_up() -> None:
    head = "".join(script([{"n": number} for number in range(90)]) for _ in range(10))

    assert len(facts.json_ld(tree(head))) == 270


@pytest.mark.parametrize(
    ("head", "body", "title"),
    [
        ('<title>T | Site</title><meta property="og:title" content="T">', "<h1>H</h1>", "T"),
        ("<title>T</title>" + script({"headline": "Head"}), "", "Head"),
        ("<title>T\n\x07 U</title>", "<h1>H</h1>", "T U"),
        ("<title> </title>", "<h1>The <b>H</b></h1>", "The H"),
        ("", "<p>x</p>", ""),
    ],
)
def test_the_title_is_what_the_page_calls_itself(head: str, body: str, title: str) -> None:
    page = tree(head, body)

    assert facts.page_title(page, facts.metas(page), facts.json_ld(page)) == title


@pytest.mark.parametrize(
    ("head", "body", "published"),
    [
        (script({"datePublished": "2024-03-05T10:00:00Z"}), "", date(2024, 3, 5)),
        ('<meta property="article:published_time" content="2024/3/5">', "", date(2024, 3, 5)),
        (
            '<meta name="citation_date" content="2030-01-01"><meta name="date" content="2020-02-02">',
            "",
            date(2020, 2, 2),
        ),
        ('<meta name="date" content="2024-99-99">', "", None),
        ('<meta name="date" content="1875-01-01">', "", None),
        ("", '<p>Text</p><time datetime="2021-06-07">7 June</time>', date(2021, 6, 7)),
        ("", "<p>Text</p>", None),
        ("", "<p>Last updated 2021-06-07 00:35:55 UTC</p>", date(2021, 6, 7)),
        ("", "<p class='date'>June 7th, 2021</p>", date(2021, 6, 7)),
        ("", "<p class='date'>7 juin 2021</p>", date(2021, 6, 7)),
        ("", "<p>Base 3.2.25 documentation: version 2.1.15</p>", None),
        ("", "<p>It was new in March 2016, and copyright 2016.</p>", None),
        ("", "<p>An example:</p><pre>>>> today()\n2021-06-07</pre>", None),
    ],
)
def test_the_date_is_declared_or_plainly_marked(head: str, body: str, published: date | None) -> None:
    page = tree(head, body)

    assert facts.published_of(page, facts.metas(page), facts.json_ld(page), TODAY) == published


@pytest.mark.parametrize(
    ("attributes", "head", "language"),
    [
        ('lang="de-AT"', "", "de"),
        ('lang="EN"', "", "en"),
        ("", '<meta property="og:locale" content="fr_FR">', "fr"),
        ('lang="english"', "", ""),
        ("", "", ""),
    ],
)
def test_the_language_is_its_code(attributes: str, head: str, language: str) -> None:
    page = tree(head, attributes=attributes)

    assert facts.language_of(page, facts.metas(page)) == language


def test_links_are_absolute_once_and_in_page_order() -> None:
    body = (
        "<nav><a href='/menu'>Menu</a></nav><a href='next#a'>The  <b>next</b></a><a href='next#b'>again</a>"
        "<a href='#here'>here</a>"
        "<a href='mailto:a@b.c'>mail</a><a href='javascript:x()'>js</a><a>none</a><a href='http://['>broken</a>"
        "<a href='//['>broken</a>"
        "<a href='ftp://a.org/'>ftp</a><a href='//other.example/x y'>other</a><a href='/dir/page#top'>self</a>"
    )

    assert facts.links_of(tree(body=body), URL) == [
        ("https://example.org/menu", "Menu"),
        ("https://example.org/dir/next", "The next"),
        ("https://other.example/x%20y", "other"),
    ]


def test_links_are_joined_to_the_base_that_the_page_names() -> None:
    assert facts.links_of(tree("<base href='/else/'>", "<a href='x'>x</a>"), URL) == [
        ("https://example.org/else/x", "x")
    ]
    assert facts.links_of(tree("<base href='http://['>", "<a href='x'>x</a>"), URL) == [
        ("https://example.org/dir/x", "x")
    ]


def test_of_many_links_those_of_the_main_part_are_kept() -> None:
    menu = "<header>" + "".join(f"<a href='/menu{n}'>m</a>" for n in range(90)) + "</header>"
    main = "".join(f"<a href='/main{n}'>m</a>" for n in range(4_000))

    found = [url for url, _ in facts.links_of(tree(body=menu + main), URL)]

    assert len(found) == facts.MOST_LINKS
    assert all("main" in url for url in found)


@pytest.mark.parametrize(
    ("content", "target"),
    [
        ("0; url=/new", "https://example.org/new"),
        ("0;URL='https://other.example/'", "https://other.example/"),
        ("3.5, url=next", "https://example.org/dir/next"),
        ("600; url=/later", ""),
        ("0; url=/dir/page", ""),
        ("5", ""),
        ("", ""),
    ],
)
def test_a_page_that_sends_its_reader_on_says_where_to(content: str, target: str) -> None:
    head = f'<meta http-equiv="other" content="x"><meta http-equiv="Refresh" content="{content}">'

    assert facts.refresh_of(tree(head), URL) == target
