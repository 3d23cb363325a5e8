"""Decides whether words of a page may become a claim, by their form and not their content."""

from collections.abc import Sequence
from functools import lru_cache

from deepresearch_mcp.injection.about_reading import is_about_reading
from deepresearch_mcp.injection.screen import clean_around, foreign_in
from deepresearch_mcp.injection.screened import is_screened
from deepresearch_mcp.records.evidence import Claim
from deepresearch_mcp.records.sources import Document
from deepresearch_mcp.text.keywords import content_words, stem
from deepresearch_mcp.text.sentences import sentences

_ROOT = 5
"""Leading letters compared of a non-ASCII word, because there is no stemmer for its language."""
_SHOWN = 800
"""Most characters before and after a quote that a judge may see."""


def is_fit(claim: Claim, document: Document, asked: Sequence[str]) -> bool:
    """Whether a claim is acceptable for what was `asked` (the question, the sub-question, its queries).

    It must be in ordinary letters, in the language of its page or of what was asked, and not addressed to the model
    that writes the answer (see `is_about_reading`). Whether it is true is for the judge to decide.
    """
    quote = claim.quotes[0]
    question, title = "\n".join(asked), _title_of(document)
    if any(_is_for_the_writer(said, question, title) for said in {claim.text, quote.text}):
        return False
    if is_screened(claim.text) or is_screened(quote.text):
        return False
    return not any(one.start < quote.end and one.end > quote.start for one in foreign_in(document, asked))


def fit_around(document: Document, start: int, end: int, asked: Sequence[str]) -> tuple[int, int]:
    """The bounds around `start` and `end` within which all text may be shown to a judge as the page's words."""
    low, high = clean_around(document, start, end)
    for one in foreign_in(document, asked):
        low = max(low, one.end) if one.end <= start else low
        high = min(high, one.start) if one.start >= end else high
    known = "\n".join(asked)
    first, last = max(low, start - _SHOWN), min(high, end + _SHOWN)
    for span in sentences(document.text[first:last]):
        if is_about_reading(document.text[first + span.start : first + span.end], known):
            low = max(low, first + span.end) if first + span.end <= start else low
            high = min(high, first + span.start) if first + span.start >= end else high
    return low, high


def _title_of(document: Document) -> str:
    return "" if is_screened(document.title) else document.title


def _is_for_the_writer(said: str, asked: str, title: str) -> bool:
    alone = _roots(said).isdisjoint(_roots(f"{asked}\n{title}"))
    return is_about_reading(said, asked, title, alone=alone)


@lru_cache(maxsize=2048)
def _roots(text: str) -> frozenset[str]:
    return frozenset(map(_root, content_words(text)))


def _root(word: str) -> str:
    return stem(word) if word.isascii() else word[:_ROOT]
