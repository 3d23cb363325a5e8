"""The quotes that stand below the entry of a source in the references of our own reports."""

import re
from collections.abc import Sequence

from deepresearch_mcp.text.addresses import first_address
from deepresearch_mcp.text.citations import TEXT, fragment_between
from deepresearch_mcp.text.library_urls import LIBRARY
from deepresearch_mcp.text.markdown import without_markdown

_LINE = re.compile(r"[ \t]+[-*+][ \t]+(?=[a-z]{1,2}[ \t]+[“\"])")
_QUOTE = re.compile(
    r"(?P<letter>[a-z]{1,2})[ \t]+“(?P<words>[^“”]*)”(?:, p\. (?P<leaf>\d+))?[^“”]*?"
    r"(?:[ \t]+·[ \t]+(?=[a-z]{1,2}[ \t]+“)|[ \t]*\Z)"
)
"""A letter, the words, their page or heading. No words end it early: quotation marks inside them are others."""
_LINKED = re.compile(r"(?P<letter>[a-z]{1,2})[ \t]+[“\"].*?\[↗\]\((?P<url><[^<>\n]*>)\)(?:[ \t]+·[ \t]+|[ \t]*\Z)")
"""The same with where the words stand, as reports of before 2026-11-28 give it. Brackets of a page are escaped."""


def is_own_quote(line: str) -> bool:
    """Whether a line holds such quotes, one or several: a letter and the words."""
    return bool(_LINE.match(line))


def own_quotes(key: str, url: str, below: Sequence[str], head: str = "") -> list[tuple[str, str]]:
    """The letters and addresses of the quotes below an entry; empty where anything else stands there too.

    `url`: that of the entry, for quotes without one. Those of a file of a library, which `head` then names, have none.
    """
    found = [one for line in below for one in _quotes(line, url)] if key.isdigit() else []
    return found if all(letter and (where or _is_of_a_library(head)) for letter, where in found) else []


def _is_of_a_library(head: str) -> bool:
    """Whether the first line of an entry holds the address of such a file, which our references escape."""
    return LIBRARY in head.replace("\\", "")


def _place(url: str, words: str, leaf: str | None) -> str:
    """The address of a quote of a page, by the words that are shown of it, or by the page of a printed document."""
    if TEXT not in url:
        return f"{url.partition('#')[0]}#page={leaf}" if url and leaf else url
    # How a quote begins, or both its ends, as reports of before 2026-11-29 show it. It may have an ellipsis of its own.
    first, _, last = without_markdown(words).removesuffix("…").partition(" … ")
    return fragment_between(url, first.split(), last.split())


def _quotes(line: str, url: str) -> list[tuple[str, str]]:
    """The quotes of a line; one without an address if anything else stands in it."""
    begin = _LINE.match(line)
    form = _LINKED if "[↗](" in line else _QUOTE
    found: list[tuple[str, str]] = []
    at = begin.end() if begin else 0
    while begin and at < len(line):
        quote = form.match(line, at)
        if quote is None:
            break
        where = first_address(quote["url"]) if form is _LINKED else _place(url, quote["words"], quote["leaf"])
        found.append((quote["letter"], where))
        at = quote.end()
    return found if found and at == len(line) else [("", "")]
