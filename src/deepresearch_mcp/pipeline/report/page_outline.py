"""Page outline: the first words of each section of a page that lists what is asked for, as release notes do."""

import re
from collections.abc import Sequence
from dataclasses import replace

from deepresearch_mcp.pipeline.report.passage_pool import PassagePool
from deepresearch_mcp.pipeline.report.pool_passage import PoolPassage, own_title
from deepresearch_mcp.records.sources import Document
from deepresearch_mcp.text.passages import headings_of
from deepresearch_mcp.thinkers.extractive.parts import RELEASE_NOTES, aspect
from deepresearch_mcp.thinkers.extractive.relevance import whole_numbers
from deepresearch_mcp.thinkers.extractive.terms import names, stems

_LISTS = re.compile(r"release notes|what.?s new|change ?log|release \d|changes in|new (?:in|features)", re.IGNORECASE)
_NEWS = re.compile(r"what.?s new|\bnew (?:in|features)\b", re.IGNORECASE)
_ENTRIES = 10
"""Sections that are shown."""
_OF_NEWS = 6
"""Of these, sections under the heading that announces what is new, before those under other headings."""
_DEEPEST = 2
"""Levels of headings below the page's title that are shown one by one; deeper ones are details."""
_LEAST, _MOST = 240, 600
"""Characters of a section: whole paragraphs up to the first bound, cut at a sentence before the second."""


def release_outline(pool: PassagePool, question: str) -> list[PoolPassage]:
    """Return the beginnings of the sections of the release notes that a question asks for, in the page's order.

    None where the question asks for no news, or no page is called so.
    """
    page = _release_page(pool.documents, question) if aspect(question) == RELEASE_NOTES else None
    if page is None:
        return []
    firsts: dict[tuple[str, ...], PoolPassage] = {}
    for one in pool.sections(page):
        firsts.setdefault(tuple(_below(one)[:_DEEPEST]), one)
    return [_beginning(one) for one in _most_telling(list(firsts.values()))]


def _release_page(documents: Sequence[Document], question: str) -> Document | None:
    """Return the page whose title names what the question names, with its version, and says that it lists changes."""
    asked = set(stems(" ".join(map(whole_numbers, names(question)))))
    if not any(map(str.isdigit, "".join(asked))):
        return None
    called = ((own_title([document.title]), document) for document in documents)
    found = [
        (len(title), document)
        for title, document in called
        if _LISTS.search(title) and asked <= set(stems(whole_numbers(title)))
    ]
    return min(found, key=lambda one: one[0])[1] if found else None


def _most_telling(firsts: Sequence[PoolPassage]) -> list[PoolPassage]:
    """Return the sections under the heading for what is new, then one of each other heading, in the page's order."""
    if len(firsts) <= _ENTRIES:
        return list(firsts)
    news = [one for one in firsts if any(map(_NEWS.search, _below(one)))]
    tops: dict[str, PoolPassage] = {}
    for one in firsts:
        if one not in news:
            tops.setdefault(next(iter(_below(one)), ""), one)
    chosen = news[: max(_OF_NEWS, _ENTRIES - len(tops))]
    chosen += list(tops.values())[: _ENTRIES - len(chosen)]
    return sorted(chosen, key=lambda one: one.start)


def _below(one: PoolPassage) -> list[str]:
    """The headings above a passage without its page's title, which the first of them mostly repeats."""
    title, *trail = headings_of(one.heading) or [""]
    return [above for above in trail if above not in title]


def _beginning(one: PoolPassage) -> PoolPassage:
    """Return the first paragraphs of a passage."""
    text, end = one.text, 0
    for match in re.finditer(r"\n\n|\Z", text):
        end = match.start()
        # "For example:" says nothing without the listing behind it.
        if end >= _LEAST and (text[:end].count("```") % 2 == 0) and not text[:end].rstrip().endswith(":"):
            break
    if end > _MOST:
        cut = max(text.rfind(stop, 0, _MOST) + 1 for stop in (". ", ".\n", "! ", "; ", "\n"))
        end = cut if cut >= _LEAST else end
    if text[:end].count("```") % 2:
        # Half a listing says nothing.
        end = text.rfind("```", 0, end)
    return replace(one, end=one.start + len(text[:end].rstrip(" \n-*+")))
