"""Gate 3: how many independent sources a claim has."""

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from itertools import combinations

from deepresearch_mcp.records.evidence import Claim, Quote
from deepresearch_mcp.records.sources import Document
from deepresearch_mcp.text.copies import copied, origins
from deepresearch_mcp.text.keywords import words
from deepresearch_mcp.text.library_urls import LIBRARY
from deepresearch_mcp.text.near_duplicates import is_near_duplicate, sketch
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
_ATTRIBUTED = 12
"""Words that are enough if both name the same origin, such as an agency or a press release."""


def publisher(document: Document) -> str:
    """The publisher of a document: its registrable domain."""
    # A collection has many authors, so each of its documents is a witness.
    return document.source_id if document.url.startswith(LIBRARY) else site_of(document.url)


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
