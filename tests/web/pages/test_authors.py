import json
from typing import Any

import pytest

from deepresearch_mcp.web.pages import facts
from deepresearch_mcp.web.pages.authors import author_of
from deepresearch_mcp.web.pages.tree import load_page


def author(head: str = "", body: str = "<p>Text</p>") -> str:
    page = load_page(f"<html><head>{head}</head><body>{body}</body></html>")
    assert page is not None
    return author_of(page, facts.metas(page), facts.json_ld(page))


def script(value: Any) -> str:
    return f'<script type="application/ld+json">{json.dumps(value)}</script>'


@pytest.mark.parametrize(
    ("head", "found"),
    [
        ('<meta name="author" content="Ada L.">', "Ada L."),
        (script({"author": [{"name": "Ada"}, {"name": "Bob"}]}), "Ada, Bob"),
        ('<meta name="author" content="https://x.example/ada">' + script({"author": "Ada"}), "Ada"),
        (script({"author": []}), ""),
        (
            '<meta name="citation_author" content="Lee, Ada"><meta name="citation_author" content="Ray, Bob">',
            "Ada Lee, Bob Ray",
        ),
        (script({"@graph": [{"author": {"@id": "#1"}}, {"@id": "#1", "name": "Ada"}]}), "Ada"),
        (script({"mainEntity": {"author": {"name": "ada72"}}}), "ada72"),
        ('<meta name="author" content="page.head.extra.author">' + script({"author": "{{name}}"}), ""),
        ('<meta name="author" content="admin">', ""),
    ],
)
def test_the_author_is_who_the_page_tells_machines(head: str, found: str) -> None:
    assert author(head) == found


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("<p>By <a rel='author' href='/ada'>Ada Lee</a></p>", "Ada Lee"),
        ("<span itemprop='author'><b itemprop='name'>Ada Lee</b></span>", "Ada Lee"),
        ("<div class='byline'>By Ada Lee | 5 May 2018</div>", "Ada Lee"),
        ("<div class='post-author'>Von <a href='/a'>Ada Lee</a>, Redaktion</div>", "Ada Lee"),
        ("<p class='author'><a>Post</a> by ada72 » Wed</p>", "ada72"),
        ("<article data-author='ada72'>a</article><article data-author='bob'>b</article>", "ada72"),
        ("<a class='username'>ada72</a><p>One.</p><a class='username'>bob</a>", "ada72"),
        ("<div class='comments'><span class='author'>Bob</span></div>", ""),
        ("<div class='authors-list'>Our authors</div>", ""),
        ("<a rel='author'>" + "Read all that we have written on ice and on snow " * 4 + "</a>", ""),
    ],
)
def test_else_the_author_is_whom_the_byline_names(body: str, found: str) -> None:
    assert author(body=body) == found


def test_what_is_told_to_machines_counts_before_the_byline() -> None:
    assert author('<meta name="author" content="Ada">', "<p class='byline'>By Bob</p>") == "Ada"


def test_many_names_are_cut() -> None:
    assert len(author(script({"author": [{"name": f"Author Number {n} of Many"} for n in range(99)]}))) <= 200
