"""Which documents of a library a question means: those of the company and the quarter that it names, or the newest."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from pathlib import PurePosixPath

from deepresearch_mcp.pipeline.report.homes import bare_name
from deepresearch_mcp.records.sources import Document
from deepresearch_mcp.text.keywords import words
from deepresearch_mcp.text.library_urls import split_library_url
from deepresearch_mcp.text.periods import (
    Period,
    asks_for_newest,
    asks_for_several,
    found_quarters,
    quarters,
    years,
)
from deepresearch_mcp.thinkers.extractive.terms import names_and_owners

_OPENING = 1_500
"""Characters in which a document says whose it is."""
_SHORTEST = 3
"""Letters of a name that may open a longer word: `amazon.com`."""
_FORM = re.compile(r"\b(?:form )?\d{1,2}-[a-z]s?\b(?: (?:filings?|reports?|forms?)\b)?", re.IGNORECASE)
"""Kinds of filings (`10-Q`): every document of such a library is one."""


@dataclass(frozen=True, slots=True)
class Meant:
    """The documents that a question means, and what it asks of them."""

    source_ids: tuple[str, ...]
    """The newest first."""
    topic: str
    """The question without what names the documents."""
    whole: str
    """The same of the question that it is a part of: what is asked where the part alone says nothing of it."""


@dataclass(frozen=True, slots=True)
class _Known:
    source_id: str
    published: date
    opening: frozenset[str]
    """Words of its file's name, its title and its first lines."""
    periods: frozenset[Period]


def of_each_meant(documents: int) -> int:
    """Passages of each that one sub-question may show, where it means so many; 0 where it means none.

    One alone may show more of its pages.
    """
    return 0 if not documents else _OF_ONE if documents == 1 else _OF_EACH


_OF_ONE = 7
_OF_EACH = 2


class MeantDocuments:
    """The documents of a library, known by whose they are and of when."""

    def __init__(self, documents: Iterable[Document], question: str) -> None:
        """`question`: as a whole; a part that names no document of its own means those that it names."""
        self._known = [_known(one) for one in documents if split_library_url(one.url)]
        self._whole = question
        self._found: dict[str, Meant | None] = {}

    def of(self, question: str) -> Meant | None:
        """The documents that a question means; None where it names none, or there are not several."""
        if question not in self._found:
            self._found[question] = self._of(question) if len(self._known) > 1 else None
        return self._found[question]

    @cached_property
    def _of_whole(self) -> tuple[list[_Known] | None, str]:
        return self._named(self._whole)

    def _of(self, question: str) -> Meant | None:
        kept, topic = self._named(question)
        of_whole, whole = self._of_whole
        own_time = quarters(question) or years(question) or asks_for_several(question)
        if kept and of_whole and not own_time:
            # `What was it in Q1 2023, and which of Varn's plans came first?` means one quarter.
            kept = [one for one in kept if one in of_whole] or kept
        kept = kept or of_whole
        if kept is None:
            return None
        ordered = sorted(kept, key=lambda one: one.published, reverse=True)
        return Meant(tuple(one.source_id for one in ordered), topic if len(words(topic)) > 1 else question, whole)

    def _named(self, question: str) -> tuple[list[_Known] | None, str]:
        """The documents of what a question names, and the question without it."""
        topic = _FORM.sub(" ", question)
        kept: list[_Known] = []
        for name in names_and_owners(question):
            wanted = [word for word in words(bare_name(name).removesuffix("'s")) if len(word) >= _SHORTEST]
            own = [one for one in self._known if wanted and all(_opens(word, one.opening) for word in wanted)]
            if own:
                both = [one for one in kept if one in own]
                kept = both or [*kept, *own]
                spelt = r"\W+".join(map(re.escape, wanted))
                topic = re.sub(rf"\b{spelt}(?:['’]s)?(?!\w)", " ", topic, flags=re.IGNORECASE)
        asked = set(quarters(question)) or set(years(question))
        of_then = [one for one in kept or self._known if one.periods & asked]
        for _, start, end in reversed(found_quarters(topic)):
            topic = f"{topic[:start]} {topic[end:]}"
        if of_then:
            kept = of_then
        elif asks_for_newest(question) or (kept and asks_for_newest(self._whole)):
            kept = [max(kept or self._known, key=lambda one: one.published)]
        return kept or None, " ".join(topic.split())


def _known(document: Document) -> _Known:
    place = split_library_url(document.url)
    path = PurePosixPath(place[1]) if place else PurePosixPath()
    # Underscores join the words of many files' names.
    called = f"{path.stem} {document.title}".replace("_", " ")
    named = quarters(called)
    periods = {*named, *(Period(one.year) for one in named), *years(called)}
    return _Known(
        document.source_id,
        document.published or date.min,
        frozenset(words(f"{called}\n{document.text[:_OPENING]}")),
        frozenset(periods),
    )


def _opens(word: str, opening: frozenset[str]) -> bool:
    return any(one.startswith(word) for one in opening)
