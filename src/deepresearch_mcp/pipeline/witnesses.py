"""Gate 3: how many independent sources a claim has."""

import re
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from itertools import combinations

from deepresearch_mcp.records.evidence import Claim, Quote
from deepresearch_mcp.records.sources import Document
from deepresearch_mcp.text.copies import copied, origins
from deepresearch_mcp.text.keywords import words
from deepresearch_mcp.text.library_urls import LIBRARY
from deepresearch_mcp.text.near_duplicates import is_near_duplicate, sketch
from deepresearch_mcp.text.passages import SEPARATOR, path_of
from deepresearch_mcp.text.urls import site_of

_AROUND = 700
"""Characters on each side of a quote that are compared with those around another: a paragraph or two."""
_EDGE = 400
"""Characters at both ends of a page, where it names the origin of its text."""
_COPIED = 40
"""Words in long runs from which two passages count as one text.

This is more than one sentence, which has at most 25 words in nearly all prose. So pages that share one short quoted
sentence stay two. On the pairs of pages in neardup that share a sentence this finds every revised
copy (26 of 26, of which the sketch of whole pages finds 7); among the different ones it parts all but the five that
repeat a paragraph.
"""
_WHOLE, _WHOLE_WORDS = 0.8, 26
"""Also nearly all of a short text, if that is more than a sentence."""
_COPIES = 3
"""Copies of its pages that a claim keeps as witnesses, at most."""
_ATTRIBUTED = 12
"""Words that are enough if both name the same origin, such as an agency or a press release."""


def publisher(document: Document) -> str:
    """The publisher of a document: its registrable domain."""
    # A collection has many authors, so each of its documents is a witness.
    return document.source_id if document.url.startswith(LIBRARY) else site_of(document.url)


def are_copies(one: Document, other: Document) -> bool:
    """Whether two sites have one page, perhaps slightly edited.

    Pages of one site, and pages whose titles or addresses name other numbers, are none: they may speak of different
    versions. Nor are documents of collections.
    """
    if one.url.startswith(LIBRARY) or other.url.startswith(LIBRARY) or site_of(one.url) == site_of(other.url):
        return False
    return _numbers(one) == _numbers(other) and is_near_duplicate(_sketch(one), _sketch(other))


def _numbers(document: Document) -> tuple[frozenset[str], frozenset[str]]:
    # Numbers without a dot in an address are most often those that a site gives its articles.
    path = document.url.partition("://")[2].partition("/")[2]
    return frozenset(re.findall(r"\d+", document.title)), frozenset(re.findall(r"\d+(?:\.\d+)+", path))


def _sketch(document: Document) -> tuple[int, ...]:
    return sketch(document.text) if document.screening is None else document.screening.sketch


class Witnesses:
    """Counts the independent sources of a claim.

    Pages of one domain are one source. So are copies of one text, pages with the same passage around the claim's words,
    and pages that name the same origin for the same words. This holds for one claim at a time: two publishers stay two
    for other claims although one once reprinted the other. A source can corroborate if one of its pages is good enough.
    """

    def __init__(
        self, documents: Mapping[str, Document], corroborates: Callable[[Document], bool] | None = None
    ) -> None:
        """`corroborates` says which pages are good enough to support another page; None: all."""
        self._documents = documents
        self._corroborates = corroborates
        self._text = _texts(documents)
        self._alike = _pages_by_text(documents, self._text)

    def count(self, claim: Claim) -> Claim:
        """The claim with the number of its independent sources, and of those that corroborate."""
        names = list(dict.fromkeys(quote.source_id for quote in claim.quotes))
        leads_to = {name: name for name in names}

        def first(name: str) -> str:
            while leads_to[name] != name:
                name = leads_to[name]
            return name

        for one, other in combinations(names, 2):
            if first(one) != first(other) and self._are_one(one, other, claim.quotes):
                leads_to[first(other)] = first(one)
        good = {first(name) for name in names if self._is_good(name)}
        return claim.model_copy(
            update={"independent": len({first(name) for name in names}), "corroborating": len(good)}
        )

    def with_copies(self, claim: Claim) -> Claim:
        """The claim with the same words on copies of its pages, which no reader was shown; they come last."""
        known, spoken = self._documents, {quote.source_id for quote in claim.quotes}
        found: dict[str, Quote] = {}
        for quote in claim.quotes:
            for name in self._alike.get(self._text.get(quote.source_id, -1), ()):
                if name in spoken or name in found or not are_copies(known[quote.source_id], known[name]):
                    continue
                if (own := _same_words(quote, known[quote.source_id], known[name])) is not None:
                    found[name] = own
        more = [found[name] for name in sorted(found)][:_COPIES]
        return claim.model_copy(update={"quotes": (*claim.quotes, *more)}) if more else claim

    def _is_good(self, name: str) -> bool:
        document = self._documents.get(name)
        return document is None or self._corroborates is None or self._corroborates(document)

    def _are_one(self, one: str, other: str, quotes: Sequence[Quote]) -> bool:
        first, second = self._documents.get(one), self._documents.get(other)
        if first is None or second is None:
            return False
        if publisher(first) == publisher(second) or self._text[one] == self._text[other]:
            return True
        mine, theirs = ([quote for quote in quotes if quote.source_id == name] for name in (one, other))
        return any(_same_passage(_window(first, a), _window(second, b)) for a in mine for b in theirs)


def _pages_by_text(documents: Mapping[str, Document], texts: Mapping[str, int]) -> dict[int, list[str]]:
    """The pages that can be quoted of each text of which there are several."""
    groups: dict[int, list[str]] = {}
    for name, document in documents.items():
        if "paywalled" not in document.flags:
            groups.setdefault(texts[name], []).append(name)
    return {group: several for group, several in groups.items() if len(several) > 1}


def _same_words(quote: Quote, page: Document, document: Document) -> Quote | None:
    """The words of a quote of a page where they stand in another document, character by character."""
    if (at := document.text.find(quote.text)) < 0:
        return None
    place = {"start": at, "end": at + len(quote.text), "page": document.page_at(at), "how": "exact"}
    own = {"source_id": document.source_id, "snapshot": document.snapshot, "published": document.published}
    # Its own headings were not screened for a judge.
    around = {
        "context": quote.context if quote.context in document.text else quote.text,
        "heading": path_of(document.title, quote.heading.removeprefix(page.title).removeprefix(SEPARATOR)),
    }
    return quote.model_copy(update={**own, **place, **around})


def _texts(documents: Mapping[str, Document]) -> dict[str, int]:
    """A number for the text of each page; copies, and copies of copies, have the same number."""
    group: dict[str, int] = {}
    holders: dict[int, list[str]] = {}
    sketches = {name: _sketch(document) for name, document in documents.items()}
    for number, (name, own) in enumerate(sketches.items()):
        # Only pages with a common hash can be copies.
        near = dict.fromkeys(other for value in own for other in holders.get(value, ()))
        twins = {group[other] for other in near if is_near_duplicate(own, sketches[other])}
        group[name] = min(twins, default=number)
        if len(twins) > 1:
            group = {other: group[name] if value in twins else value for other, value in group.items()}
        for value in own:
            holders.setdefault(value, []).append(name)
    return group


def _window(document: Document, quote: Quote) -> tuple[str, frozenset[str]]:
    """The words around a quote, and the origins that they or the edges of the page name."""
    text = document.text
    around = text[max(0, quote.start - _AROUND) : quote.end + _AROUND]
    return around, _origins("\n".join((text[:_EDGE], around, text[-_EDGE:])))


@lru_cache(maxsize=1024)
def _origins(text: str) -> frozenset[str]:
    return origins(text)


@lru_cache(maxsize=1024)
def _same_passage(one: tuple[str, frozenset[str]], other: tuple[str, frozenset[str]]) -> bool:
    (first, its_origins), (second, other_origins) = one, other
    shared = min(copied(first, second), copied(second, first))
    if shared >= (_ATTRIBUTED if its_origins & other_origins else _COPIED):
        return True
    shorter = min(len(words(first)), len(words(second)))
    return shared >= _WHOLE_WORDS and shared >= _WHOLE * shorter
