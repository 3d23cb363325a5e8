"""Our paths find what trafilatura's expressions find."""

from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any, cast

import pytest
from trafilatura.utils import load_html

from deepresearch_mcp.web.pages.quick_paths import BODIES, appended, boilerplate, captions, comments, extractor, teasers

PATHS: Any = import_module("trafilatura.xpaths")
VALUES = (
    *("post", "entry", "articleContent", "entry-content", "article-body", "articleBody wide", "post_text", "story"),
    *("fullText", "primary", "article main", "single-post", "content", "Main-Content", "page-Content", "contentBody"),
    *("comments", "commentary", "Comment list", "post-comments", "disqus_thread", "comol", "dsq-comments", "recomment"),
    *("mvp-post-add-box", "infinite-scroll", "infinitescroll", "elementor-share-buttons", "elementor-widget"),
    *(
        "share",
        "social",
        "viral news",
        "newsletter",
        "cookie",
        "tags",
        "sidebar",
        "breadcrumb",
        "author",
        "jp-relatedposts",
    ),
    *("Footer", "Nav", "related", "premium", "ad-1", "main ad ", "navbar", "widget", "byline", "embed", "consent"),
    *("teaser", "big-Teaser x", "teAser", "caption", "wp-caption-text", "Caption"),
    *(
        "slide",
        "options",
        "yin",
        "nfoline",
        "reply-1",
        "hidden",
        "hide-me",
        "x hide",
        "reader-comments",
        "akismet",
        "plain",
    ),
)


def _elements() -> list[str]:
    """Elements of several kinds with each value as class or id, alone or beside the other."""
    made: list[str] = []
    for at, value in enumerate(VALUES):
        other = VALUES[at * 7 % len(VALUES)]
        for tag in ("div", "section", "ul", "span", "article", "main"):
            made += (
                f"<{tag} {pair}>Ice {at}.</{tag}>"
                for pair in (
                    *(f'class="{value}"', f'id="{value}"'),
                    *(f'class="{value}" id="{other}"', f'id="{value}" class="{other}"'),
                )
            )
    for named in (
        'role="Navigation"', 'role="article"', 'aria-hidden="true"', 'style="display:none"', 'style="display: none"',
        'style="overflow:hidden"', 'style="overflow:hidden" id="plain"', 'id="plain" style="overflow:hidden"',
        'itemprop="articleBody"', "data-lp-replacement-content", 'data-component="MostPopularStories"',
        f'class="{"wide " * 500}sidebar"',
    ):  # fmt: skip
        made += (
            f"<div {named}>Ice.</div>",
            f"<p {named}>Ice.</p>",
            f"<em {named}>Ice.</em>",
            f"<main {named}>Ice</main>",
        )
    return made


ELEMENTS = _elements()


def tree_of(body: str) -> Any:
    return cast(Any, load_html(f"<html><body>{body}</body></html>"))


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        (appended, PATHS.RAW_TREE_PRUNE_XPATH),
        (comments, PATHS.REMOVE_COMMENTS_AND_LISTS_XPATH),
        (teasers, PATHS.TEASER_DISCARD_XPATH),
        (captions, PATHS.DISCARD_IMAGE_ELEMENTS),
    ],
    ids=["appended", "comments", "teasers", "captions"],
)
def test_a_path_finds_the_same_elements(ours: Callable[[Any], Sequence[Any]], theirs: Sequence[Any]) -> None:
    tree = tree_of("".join(ELEMENTS))

    assert list(ours(tree)) == [found for expression in theirs for found in expression(tree)]


def test_boilerplate_is_the_same_as_trafilaturas() -> None:
    tree = tree_of("".join(ELEMENTS))

    assert set(boilerplate(tree)) == {found for expression in PATHS.OVERALL_DISCARD_XPATH for found in expression(tree)}


def test_boilerplate_in_boilerplate_is_found_once() -> None:
    tree = tree_of("<div class='sidebar'><p><b class='hide-x'>Ice</b></p></div><div class='sidebar'>Snow</div>")

    assert [found.tag for found in boilerplate(tree)] == ["div", "div"]


@pytest.mark.parametrize("at", range(len(BODIES)))
def test_each_body_path_finds_the_same_first_element(at: int) -> None:
    for element in ELEMENTS:
        tree = tree_of(f"<div><p>Ice.</p></div>{element}{ELEMENTS[0]}")

        assert list(BODIES[at](tree))[:1] == PATHS.BODY_XPATH[at](tree)[:1], element


def test_trafilaturas_own_extractor_keeps_its_expressions() -> None:
    theirs: Any = import_module("trafilatura.main_extractor")

    assert [boilerplate] == cast(Any, extractor()).OVERALL_DISCARD_XPATH
    assert theirs.OVERALL_DISCARD_XPATH is PATHS.OVERALL_DISCARD_XPATH
