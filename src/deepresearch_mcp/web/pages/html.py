"""Extracts the main text and facts of an HTML page; runs in a parser process."""

import gc
import logging
from collections.abc import Iterator
from datetime import date
from typing import Any

from deepresearch_mcp.injection.detect import planted
from deepresearch_mcp.injection.invisible import holds_message
from deepresearch_mcp.injection.marks import SURE
from deepresearch_mcp.web.no_ai import NO_AI, metas_say_no
from deepresearch_mcp.web.pages import facts, hidden
from deepresearch_mcp.web.pages.authors import author_of
from deepresearch_mcp.web.pages.block_features import signs_of
from deepresearch_mcp.web.pages.main_text import main_text
from deepresearch_mcp.web.pages.page_links import canonical_of, next_of
from deepresearch_mcp.web.pages.product_facts import product_of
from deepresearch_mcp.web.pages.site_names import site_name_of
from deepresearch_mcp.web.pages.superscripts import write_superscripts
from deepresearch_mcp.web.pages.traps import is_trap
from deepresearch_mcp.web.pages.tree import inner_text, load_page
from deepresearch_mcp.web.pages.verdicts import is_walled, verdict
from deepresearch_mcp.web.parsed import Parsed

for _library in ("trafilatura", "htmldate"):
    logging.getLogger(_library).setLevel(logging.CRITICAL)  # they warn about most pages of the web

ENOUGH = 2_000
"""Characters of main text from which a page is taken for more than a notice that forwards its reader."""


def parse_html(html: str, url: str, limit: int, today: date) -> Parsed:
    """Extract main text (Markdown, at most `limit` characters), facts and links.

    The same input always gives the same text. `today` is only the upper limit of the publication date.
    """
    # A page makes many objects that last as long as it: looking through them again and again finds no garbage.
    is_collecting = gc.isenabled()
    gc.disable()
    try:
        return _parsed(html, url, limit, today)
    finally:
        if is_collecting:
            gc.enable()
            gc.collect(0)


def _parsed(html: str, url: str, limit: int, today: date) -> Parsed:
    tree = load_page(html)
    if tree is None:
        return {"kind": "html", "reason": "empty", "detail": "The page holds no text."}
    held = list(tree.iter())  # while they are held, lxml does not make its elements again for each walk
    named, things = facts.metas(tree), facts.json_ld(tree)
    language = facts.language_of(tree, named)
    unseen = hidden.take_out(tree)
    noted = unseen.noted or holds_message(inner_text(tree))
    links = facts.links_of(tree, url)
    author = author_of(tree, named, things)
    write_superscripts(tree)
    title = facts.page_title(tree, named, things)
    signs = signs_of(url, title, named, things)
    canonical, next_page = canonical_of(tree, url), next_of(tree, url, signs.kinds)
    product = product_of(named, things)
    text = main_text(tree, signs, (product.description or product.line("")) if product else "")
    parsed: Parsed = {
        "kind": "html",
        "title": title,
        "text": text[:limit],
        "refresh": facts.refresh_of(tree, url) if len(text) < ENOUGH else "",
    }
    site_name = site_name_of(tree, named, things, title, url)
    published = facts.published_of(tree, named, things, today)
    parsed["published"] = published.isoformat() if published else ""
    bad = verdict(title, text, things, url)
    if not bad and is_trap(url, text, links):
        bad = "trap", "The page is nonsense or an endless maze of links, made to hold up programs that read the web."
    if bad or not text:
        parsed["reason"], parsed["detail"] = bad or ("empty", "The page holds no text without running its scripts.")
        return parsed
    held.clear()
    parsed["author"] = author
    parsed["site_name"] = site_name
    parsed["language"] = language
    parsed["links"] = links
    if product:
        parsed["product"] = product.line(text)
    parsed["canonical"], parsed["next_page"] = canonical, next_page
    parsed["flags"] = list(_flags(text, limit, things, noted=noted))
    if metas_say_no(named):
        parsed["flags"].append(NO_AI)
    if any(one.confidence >= SURE for one in planted(f"{unseen.text}\n\n{hidden.comments(html)}")):
        # Hidden text is never read, but a page that addresses machines there may do so in its text, too.
        parsed["flags"].append("planted")
    return parsed


def _flags(text: str, limit: int, things: list[dict[str, Any]], *, noted: bool) -> Iterator[str]:
    if len(text) > limit:
        yield "truncated"
    if is_walled(text, things):
        yield "paywalled"
    if noted:
        yield "hidden_text"
