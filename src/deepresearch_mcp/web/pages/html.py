"""Extracts the main text and facts of an HTML page; runs in a parser process."""

import logging
from collections.abc import Iterator
from datetime import date
from functools import cache
from typing import Any, cast

from justext import utils
from trafilatura import bare_extraction, external, html2txt
from trafilatura.settings import JUSTEXT_LANGUAGES

from deepresearch_mcp.injection.detect import planted
from deepresearch_mcp.injection.invisible import holds_message
from deepresearch_mcp.injection.marks import SURE
from deepresearch_mcp.web.no_ai import NO_AI, metas_say_no
from deepresearch_mcp.web.pages import facts, hidden
from deepresearch_mcp.web.pages.markdown import tidy, to_markdown
from deepresearch_mcp.web.pages.site_names import site_name_of
from deepresearch_mcp.web.pages.superscripts import write_superscripts
from deepresearch_mcp.web.pages.tree import Node, load_page
from deepresearch_mcp.web.pages.verdicts import is_walled, verdict
from deepresearch_mcp.web.pages.whole import make_whole
from deepresearch_mcp.web.parsed import Parsed

ENOUGH = 2_000
"""Characters of main text from which the quick extraction is trusted. Below, the thorough extraction runs as well.

On the pages of two extraction benchmarks this takes a fifth more time than the thorough one alone and finds more:
word F1 .763 against .755 (quick alone .715) over seven kinds of pages, .955 against .956 on news.
"""

_COMMON = ("English", "German", "French", "Spanish", "Portuguese", "Italian", "Dutch", "Polish", "Russian")
"""Languages used together if a page does not declare its own."""


def parse_html(html: str, url: str, limit: int, today: date) -> Parsed:
    """Extract main text (Markdown, at most `limit` characters), facts and links.

    The same input always gives the same text. `today` is only the upper limit of the publication date.
    """
    logging.disable(logging.CRITICAL)  # trafilatura warns about most pages of the web
    tree = load_page(html)
    if tree is None:
        return {"kind": "html", "reason": "empty", "detail": "The page holds no text."}
    named, things = facts.metas(tree), facts.json_ld(tree)
    language = facts.language_of(tree, named)
    _set_stopwords(language)
    unseen = hidden.take_out(tree)
    noted = unseen.noted or holds_message("".join(tree.itertext()))
    links = facts.links_of(tree, url)
    write_superscripts(tree)
    make_whole(tree)
    text = _main_text(tree)
    title = facts.page_title(tree, named, things)
    parsed: Parsed = {
        "kind": "html",
        "title": title,
        "text": text[:limit],
        "refresh": facts.refresh_of(tree, url) if len(text) < ENOUGH else "",
    }
    bad = verdict(title, text, things)
    if bad or not text:
        parsed["reason"], parsed["detail"] = bad or ("empty", "The page holds no text without running its scripts.")
        return parsed
    parsed["author"] = facts.author_of(named, things)
    parsed["site_name"] = site_name_of(tree, named, things, title, url)
    published = facts.published_of(tree, named, things, today)
    parsed["published"] = published.isoformat() if published else ""
    parsed["language"] = language
    parsed["links"] = links
    parsed["flags"] = list(_flags(text, limit, things, noted=noted))
    if metas_say_no(named):
        parsed["flags"].append(NO_AI)
    if any(one.confidence >= SURE for one in planted(f"{unseen.text}\n\n{hidden.comments(html)}")):
        # Hidden text is never read, but a page that addresses machines there may do so in its text, too.
        parsed["flags"].append("planted")
    return parsed


def _set_stopwords(language: str) -> None:
    """Give justext, trafilatura's last resort, only the stop words of the page's language.

    By default justext loads the stop words of a hundred languages: 33 MB in each process, for no better text
    (word F1 .7749 against .7745 on every second page of a benchmark).
    """
    name = JUSTEXT_LANGUAGES.get(language, "")
    external.JT_STOPLIST = _stopwords((name,) if name else _COMMON)


@cache
def _stopwords(languages: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(sorted({word for language in languages for word in cast(Any, utils).get_stoplist(language)}))


def _main_text(tree: Node) -> str:
    text = _extracted(tree, fast=True)
    if len(text) < ENOUGH:
        text = _extracted(tree, fast=False) or text
    if text:
        return text
    return tidy(html2txt(cast(Any, tree)) or "")


def _extracted(tree: Node, *, fast: bool) -> str:
    page = cast(Any, tree)
    # Formatting keeps headings and lists apart. The output format is required but never rendered.
    found = cast(
        Any, bare_extraction(page, fast=fast, include_comments=False, include_formatting=True, output_format="markdown")
    )
    return to_markdown(found.body) if found is not None and found.body is not None else ""


def _flags(text: str, limit: int, things: list[dict[str, Any]], *, noted: bool) -> Iterator[str]:
    if len(text) > limit:
        yield "truncated"
    if is_walled(text, things):
        yield "paywalled"
    if noted:
        yield "hidden_text"
