"""What pages say towards a question: by their own words, and joined to another page by a name that both hold.

A question such as "Where was the builder of that lighthouse born?" is answered by two pages, of which the second
holds hardly a word of it. What tells that page from others is a name that it shares with the first.
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
"""The names in a question count once more: a page without any of them seldom is where a chain begins."""
_MENTIONED = 0.8
"""How firmly two pages hang together that name the same thing, beside 1 where one of them is about it."""
_FEW = 2
"""A name on so many pages joins them firmly; on more, less so, by the root of how many."""
_MOST = 40
"""A name on more pages than this joins none, unless one of them is about it."""
_PASSED_ON = 0.5
"""Share of a page's worth that the page joined to it gets at least; the rest by what it adds."""
_STEPS = 2
"""Pages beyond the first: published chains are two to four pages long, the middle ones mostly named in the question."""

Name = frozenset[str]
"""The stems of one name."""


@dataclass(frozen=True, slots=True)
class TitledText:
    """What is known of a page: its title, and words that stand on it."""

    title: str
    text: str


class Chains:
    """How some pages hang together under a question.

    The weights were chosen on the open half of HotpotQA and MuSiQue, each from a handful of values: the ten best pages
    hold all gold pages of .95 and .52 of the questions, by the words in common alone of .88 and .31; between
    neighbouring values the figures differ by less than chance.
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
        """Pairs of positions, lower first, that share a name not in the question: how firmly, 0 to 1."""

    @property
    def worth(self) -> list[float]:
        """What each page says towards the question, 0 to 1, in their order; the best page alone has 1."""
        worth = list(self._alone)
        for _ in range(_STEPS):
            known = list(worth)
            for (one, other), firm in self.joined.items():
                for page, through in ((one, other), (other, one)):
                    gain = _PASSED_ON + (1 - _PASSED_ON) * self._added(page, through)
                    worth[page] = max(worth[page], firm * known[through] * gain)
        return worth

    def covered(self, pages: Sequence[int]) -> float:
        """Share of what the question asks, rare words weighing more, that these pages hold together, 0 to 1."""
        held = frozenset[str]().union(*(self._own[page] for page in pages))
        return self._weigh(self.asked & held) / (self._weigh(self.asked) or 1.0)

    def missing(self, page: int) -> frozenset[str]:
        """Stems of the question that a page does not hold."""
        return self.asked - self._own[page]

    def _added(self, page: int, to: int) -> float:
        """Share of what one page leaves open that another says."""
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
    """BM25 of each page, the question's names counted twice, as shares of the best."""
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
    """The names of a text as sets of stems; months are none."""
    runs = dict.fromkeys(run for run in name_runs(text) if run[0].casefold() not in MONTHS)
    return tuple(frozenset(_stems(" ".join(run))) for run in runs)
