"""The quick extraction keeps what trafilatura's own keeps, at less cost."""

from typing import Any, cast

import pytest
from trafilatura import bare_extraction

from deepresearch_mcp.web.pages.quick_text import quick_text
from deepresearch_mcp.web.pages.tree import Node, load_page

LONG = "".join(f"<p>Ice number {at} floats, because water expands when it freezes.</p>" for at in range(30))
MENU = "<ul>" + "".join(f"<li><a href='/{at}'>Entry {at} of the long menu</a></li>" for at in range(200)) + "</ul>"


def page_of(body: str) -> Node:
    page = load_page(f"<html><body>{body}</body></html>")
    assert page is not None
    return page


def test_an_empty_page_has_no_quick_text() -> None:
    assert quick_text(page_of("<p></p>"), 0) == []


@pytest.mark.parametrize("body", [f"<article>{LONG}</article>{MENU}", f"<div>{LONG[:400]}</p></div>{MENU}", MENU])
def test_the_quick_text_is_that_of_the_whole_extraction(body: str) -> None:
    page = page_of(body)
    whole = cast(Any, bare_extraction)(
        page, fast=True, include_comments=False, include_formatting=True, output_format="markdown"
    )

    assert quick_text(page, len("".join(page.itertext()))) == (list(whole.body.itertext()) if whole else [])
