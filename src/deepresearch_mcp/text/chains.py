"""Scores pages for a question: by their own words, and by names that they share with other pages.

A question such as "Where was the builder of that lighthouse born?" needs two pages, and the second holds hardly a word
of the question. Only a name that it shares with the first page distinguishes it from others.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from deepresearch_mcp.text.dates import MONTHS
from deepresearch_mcp.text.keywords import content_words, stem
from deepresearch_mcp.text.names import name_runs
from deepresearch_mcp.text.ranking import Ranker

_NAMES_AGAIN = 1.0
"""Extra weight of the names in a question, because the first page of a chain seldom lacks all of them."""
_MENTIONED = 0.8
"""The strength of a link between two pages that mention the same name; 1 if one of them is about it."""
_FEW = 2
"""A name on at most this many pages links them at full strength; beyond, strength falls with the root of the number."""
_MOST = 40
"""A name on more pages than this links none of them, unless one of them is about it."""
_PASSED_ON = 0.5
"""The share of a page's score that a linked page gets at least; what it adds to the question decides on the rest."""
_STEPS = 2
"""Steps after the first page.

Published chains have two to four pages, and the question mostly names the middle ones.
"""

Name = frozenset[str]
"""A name as the set of its stems."""


@dataclass(frozen=True, slots=True)
class TitledText:
    """A page's title and the words that are known of it."""

    title: str
    text: str


class Chains:
    """Links and scores of some pages for one question.

    The weights were chosen on the open half of HotpotQA and MuSiQue, each from a handful of values: for .95 and .52 of
    the questions, the ten best pages include all gold pages (.88 and .31 with shared words alone). Neighbouring values
    differ by less than chance.
    """

    def __init__(self, question: str, pages: Sequence[TitledText]) -> None:
        self.asked = frozenset(map(stem, content_words(question)))
        self._own = [frozenset(_stems(f"{page.title}\n{page.text}")) for page in pages]
        self._titles = [frozenset(_stems(page.title.partition(" (")[0])) for page in pages]
        self._names = [
            {name for name in (*_names(page.text), title) if name and not name <= self.asked}
            for page, title in zip(pages, self._titles, strict=True)
        ]
        self._weights = self._rarity()
        self._alone = _alone(question, pages)
        self.joined = dict(self._links())
        """Pairs of pages (positions, lower first) that share a name not in the question → strength, 0 to 1."""

    @property
    def worth(self) -> list[float]:
        """The score of each page, 0 to 1, in the given order; the page whose own words fit best has 1."""
        worth = list(self._alone)
        for _ in range(_STEPS):
            known = list(worth)
            for (one, other), firm in self.joined.items():
                for page, through in ((one, other), (other, one)):
                    gain = _PASSED_ON + (1 - _PASSED_ON) * self._added(page, through)
                    worth[page] = max(worth[page], firm * known[through] * gain)
        return worth

    def covered(self, pages: Sequence[int]) -> float:
        """Return the share of the question's words that these pages hold together, 0 to 1; rare words weigh more."""
        held = frozenset[str]().union(*(self._own[page] for page in pages))
        return self._weigh(self.asked & held) / (self._weigh(self.asked) or 1.0)

    def missing(self, page: int) -> frozenset[str]:
        """Return the stems of the question that a page lacks."""
        return self.asked - self._own[page]

    def _added(self, page: int, to: int) -> float:
        """Return the weighted share of the words missing from page `to` that `page` holds."""
        missing = self.missing(to)
        return self._weigh(missing & self._own[page]) / (self._weigh(missing) or 1.0)

    def _weigh(self, words: frozenset[str]) -> float:
        return sum(self._weights[word] for word in words)

    def _rarity(self) -> dict[str, float]:
        size = len(self._own)
        held = {word: sum(word in own for own in self._own) for word in self.asked}
        return {word: math.log(1 + (size - count + 0.5) / (count + 0.5)) for word, count in held.items()}

    def _links(self) -> Iterator[tuple[tuple[int, int], float]]:
        found: dict[tuple[int, int], float] = {}
        holders: dict[Name, list[int]] = {}
        for page, own in enumerate(self._names):
            for name in own:
                holders.setdefault(name, []).append(page)
        for name, pages in holders.items():
            if 1 < len(pages) <= _MOST:
                rare = math.sqrt(min(1.0, _FEW / len(pages)))
                for at, one in enumerate(pages):
                    for other in pages[at + 1 :]:
                        about = name in (self._titles[one], self._titles[other])
                        firm = rare * (1.0 if about else _MENTIONED)
                        found[one, other] = max(found.get((one, other), 0.0), firm)
        for page, title in enumerate(self._titles):
            if title and not title <= self.asked:
                for other, own in enumerate(self._own):
                    if other != page and title <= own:
                        found[min(page, other), max(page, other)] = 1.0
        yield from sorted(found.items())


def _alone(question: str, pages: Sequence[TitledText]) -> list[float]:
    """Return the BM25 score of each page as a share of the best; names in the question count twice."""
    ranker = Ranker([f"{page.title}\n{page.text}" for page in pages])
    scores = ranker.scores(question)
    if named := " ".join(" ".join(run) for run in name_runs(question)):
        scores = [one + _NAMES_AGAIN * more for one, more in zip(scores, ranker.scores(named), strict=True)]
    best = max(scores, default=0.0)
    return [score / best if best > 0 else 0.0 for score in scores]


@lru_cache(maxsize=4096)
def _stems(text: str) -> tuple[str, ...]:
    return tuple(map(stem, content_words(text)))


@lru_cache(maxsize=4096)
def _names(text: str) -> tuple[Name, ...]:
    """Return the names of a text as sets of stems, without months."""
    runs = dict.fromkeys(run for run in name_runs(text) if run[0].casefold() not in MONTHS)
    return tuple(frozenset(_stems(" ".join(run))) for run in runs)
