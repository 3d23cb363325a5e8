"""Fitness: whether words of a page may be a claim at all, by what they are and not by what they say."""

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

from deepresearch_mcp.injection.about_reading import is_about_reading, notions
from deepresearch_mcp.injection.orders import is_order
from deepresearch_mcp.injection.screen import clean_around, foreign_in
from deepresearch_mcp.injection.screened import is_screened
from deepresearch_mcp.records.evidence import Claim
from deepresearch_mcp.records.sources import Document
from deepresearch_mcp.text.keywords import content_words, stem
from deepresearch_mcp.text.sentences import sentences

_OFTEN = 4
"""Times that a page uses a word of its subject."""
_READ = 100_000
"""Characters of a page that tell its subject."""
_ROOT = 5
"""Letters of a word that its endings leave alone, in languages whose endings are not known here."""
_SHOWN = 800
"""Characters around a quote that a judge may be shown."""
_OF_READING = frozenset({"machine", "work", "rule", "ignore", "user", "private", "tool", "task", "page"})
"""Notions that a page has no reason to speak of where it speaks of something else."""
_SEVERAL = 2
"""Of these notions that make a sentence suspect beside the subject."""


def is_fit(claim: Claim, document: Document, asked: Sequence[str]) -> bool:
    """Whether a claim may be made for what was asked (the question, the sub-question, its queries).

    It is in ordinary letters and in the language of its page, or of what was asked. It is not about its own reading:
    an assistant, its user, the answer, a tool, instructions for any of them, unless that was asked about. And where
    it has nothing to do with what was asked nor with the subject of its page, nothing in it may look like an order.
    """
    quote = claim.quotes[0]
    if is_screened(claim.text) or is_screened(quote.text):
        return False
    if any(one.start < quote.end and one.end > quote.start for one in foreign_in(document, asked)):
        return False
    title = "" if is_screened(document.title) else document.title
    question = "\n".join(asked)
    return all(_is_of_the_world(said, question, title, document.text) for said in (claim.text, quote.text))


def fit_around(document: Document, start: int, end: int, asked: Sequence[str]) -> tuple[int, int]:
    """The bounds around `start` and `end` within which all may be shown to a judge as what the page says."""
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


def _is_of_the_world(said: str, asked: str, title: str, page: str) -> bool:
    own, known = _roots(said), _roots(f"{asked}\n{title}")
    if is_about_reading(said, asked, title, alone=own.isdisjoint(known)):
        return False
    if not own.isdisjoint(known | _subject(page[:_READ])):
        return True
    # One such word is an everyday word, and a language that no list here knows is no sign of an order.
    return len(_OF_READING & notions(said)) < _SEVERAL and not is_order(said)


@lru_cache(maxsize=2048)
def _roots(text: str) -> frozenset[str]:
    return frozenset(map(_root, content_words(text)))


def _root(word: str) -> str:
    return stem(word) if word.isascii() else word[:_ROOT]


@lru_cache(maxsize=16)
def _subject(text: str) -> frozenset[str]:
    """The words that a page uses again and again."""
    counted = Counter(map(_root, content_words(text)))
    return frozenset(word for word, count in counted.items() if count >= _OFTEN)
