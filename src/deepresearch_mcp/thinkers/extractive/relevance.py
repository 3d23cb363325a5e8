"""Whether a passage answers a question at all: a score that is comparable between questions, and its floor."""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from deepresearch_mcp.text.passages import headings_of
from deepresearch_mcp.text.sentences import sentences
from deepresearch_mcp.thinkers.extractive.answers import expected, fits
from deepresearch_mcp.thinkers.extractive.prose import clean
from deepresearch_mcp.thinkers.extractive.scoring import held_share
from deepresearch_mcp.thinkers.extractive.terms import grams, names, split_topic, stems, wanted, weight

FLOOR = 0.19
"""Below it a passage is not shown as an answer.

The weights and the floor were chosen on one half of the open ClapNQ questions. On the other half the AUROC is .88; the
floor withholds an answer for two of three unanswerable questions and loses one answer in twelve.
"""
_HEADING = 0.1
"""The weight of a word in the title or a heading; one in the sentence counts 1."""
_REST = 0.1
"""The weight of the best sentence's share of the words that title and headings leave open."""
_SENTENCES = 10
"""A longer passage is as good as its best stretch of so many sentences."""
_NAMED = 2
"""A heading under the page's title answers if it holds all telling words of a question, and at least so many."""
_ALL = 0.99


@dataclass(frozen=True, slots=True)
class Relevance:
    """How far a passage answers a question."""

    score: float
    """0 to about 1.1, the same scale for every question."""
    best: int
    """Position of the sentence with most of the question's words; -1 without sentences."""
    covered: float
    """The share of the question's words in that sentence, 0 to 1."""
    headed: bool = False
    """A heading above the passage holds all that is asked for."""
    exact: bool = True
    """The passage, or what it stands under, holds every version that the question names."""
    to_the_point: bool = True
    """It names what the question names, and says more of what is asked than names."""
    about: bool = False
    """Its page has the name of a thing in the question as its title."""

    @property
    def is_relevant(self) -> bool:
        """Whether the passage may be shown as an answer."""
        enough = self.score >= FLOOR and self.to_the_point and (self.exact or self.covered >= _COVERED)
        return enough or self.headed


_NONE = Relevance(0.0, -1, 0.0)
_ASKED = 0.4
"""The share of the question's words, without its names, that a passage and its headings must hold."""
_COVERED = 0.75
"""Without a version that the question names, a sentence must hold this share of its words."""
_DIGIT = re.compile(r"\d")
_POINT = re.compile(r"(?<=\d)[.,](?=\d)")


def relevance_of(question: str, said: Sequence[str], heading: str = "", language: str = "en") -> Relevance:
    """Say how far the sentences of a passage under a `heading` (title and headings, joined) answer a question.

    The score is the mean share of the question's words in a sentence, so a passage about the subject is better than a
    passage that mentions it once. A word that is common in all questions counts half, a word with the same root in
    part. It does not depend on other passages: it can say that none of them answers.
    """
    question, heading = whole_numbers(question), whole_numbers(heading)
    query = wanted(question, language)
    if not query or not said:
        return _NONE
    above = stems(" ".join((*headings_of(heading), split_topic(question)[0])), language)
    rows = [stems(whole_numbers(clean(one)), language) for one in said]
    named = _Named(question, headings_of(heading)[:1], {word for row in (*rows, above) for word in row})
    left = [word for word in query if word not in named.settled]
    scored = _scored(left or list(query), rows, above)
    shares = [_shares(query, row) for row in (*rows, above)]
    held = {word: max(row[at] for row in shares) for at, word in enumerate(query)}
    tells = _tells(question, said[scored.best])
    return Relevance(
        score=1.0 if named.about and (tells or not left) else scored.score,
        best=scored.best,
        covered=scored.covered,
        headed=_is_headed(query, heading, language),
        exact=all(share == 1 for word, share in held.items() if "point" in word and _DIGIT.search(word)),
        to_the_point=named.is_met and (tells or named.asked(held) >= _ASKED),
        about=named.about,
    )


@dataclass(frozen=True, slots=True)
class _Score:
    score: float
    best: int
    covered: float


def _scored(query: Sequence[str], rows: Sequence[Sequence[str]], above: Sequence[str]) -> _Score:
    titled = _shares(query, above)
    shares = [_shares(query, row) for row in rows]
    weights = [weight(word) for word in query]
    whole = sum(weights)
    own = [
        sum(max(share, _HEADING * up) * heavy for share, up, heavy in zip(row, titled, weights, strict=True)) / whole
        for row in shares
    ]
    still_open = [at for at, share in enumerate(titled) if share < 1]
    rest = sum(weights[at] for at in still_open)
    most = max((sum(row[at] * weights[at] for at in still_open) / rest for row in shares), default=0.0) if rest else 1.0
    best = max(range(len(own)), key=lambda at: (own[at], -at))
    return _Score(_densest(own) + _REST * most, best, own[best])


class _Named:
    """The names in a question, and which of them a passage and its headings hold."""

    def __init__(self, question: str, title: Sequence[str], found: Collection[str]) -> None:
        called = [frozenset(word for word in stems(name) if not _DIGIT.search(word)) for name in names(question)]
        self._called = [name for name in called if name]
        present = [name for name in self._called if name <= set(found)]
        called_so = _SUFFIX.split(title[0])[0].strip() if title else ""
        main = frozenset(stems(called_so))
        coded = [frozenset(stems(name)) for name in names(question) if _CODED.search(name)]
        self.is_met = bool(present) or not self._called
        """It names one of the things that the question names, if that names any; of identifiers, one of those."""
        self.is_met = self.is_met and (not coded or any(name <= set(found) for name in coded))
        whole = re.search(rf"(?<!\w){re.escape(called_so)}(?!\w)", question)
        self.about = bool(main) and called_so != called_so.casefold() and whole is not None
        """The page's title is a name that stands in the question."""
        self.is_met = self.is_met or self.about
        known = frozenset[str]().union(*present)
        absent = frozenset[str]().union(*(name for name in self._called if name not in present)) - known
        # Of several things a passage speaks of one; what its page is about is not said in each sentence.
        self.settled = (absent if present else frozenset[str]()) | (main if self.about else frozenset[str]())

    def asked(self, held: Mapping[str, float]) -> float:
        """The share of the question's words, without its names, that are held; 1 if there are only names."""
        own = frozenset[str]().union(*self._called)
        asked = [word for word in held if word not in own]
        whole = sum(map(weight, asked))
        return sum(weight(word) * held[word] for word in asked) / whole if whole else 1.0


_CODED = re.compile(r"\w[._]\w|\(\)")
"""An identifier, which nothing else is called."""
_SUFFIX = re.compile(r"(?:\.\.\.|…)?(?: \(| [—–|·-] )")
"""What follows the name of a page in its title: a kind in brackets, or its site."""


def _tells(question: str, sentence: str) -> bool:
    """Tell whether a sentence gives a date, number, name or place where one is asked for."""
    sort = expected(question)
    return sort in {"date", "number", "name", "place"} and fits(sort, sentence, question)


def relevance_of_text(question: str, text: str, heading: str = "", language: str = "en") -> Relevance:
    """The same for a passage that is not cut into sentences yet; a row of a table or an item counts as one."""
    return relevance_of(question, sentences_in(text), heading, language)


def whole_numbers(text: str) -> str:
    """Return the text with each number and version as one word: 3.2 is neither 3 nor 3.2.25."""
    return _POINT.sub("point", text)


def sentences_in(text: str) -> list[str]:
    """Return the sentences of a passage, as they stand in it."""
    return [text[span.start : span.end] for span in sentences(text)]


def _shares(query: Sequence[str], found: Sequence[str]) -> list[float]:
    held, pieces = set(found), grams(" ".join(found))
    # 3.2 and 3.2.25 have the same root and are two versions.
    return [float(word in held) if _DIGIT.search(word) else held_share(word, held, pieces) for word in query]


def _densest(shares: Sequence[float]) -> float:
    """Return the mean of the best stretch of neighbours."""
    size = min(_SENTENCES, len(shares))
    sums = [sum(shares[:size])]
    for leaving, coming in zip(shares, shares[size:], strict=False):
        sums.append(sums[-1] - leaving + coming)
    return max(sums) / size


def _is_headed(query: Sequence[str], heading: str, language: str) -> bool:
    """Tell whether the headings name all that is asked for; a page's title alone does not say what a passage says."""
    trail = headings_of(heading)
    if len(query) < _NAMED or len(trail) < _NAMED:
        return False
    found = {word for _, one in pairwise(trail) for word in stems(one, language)}
    return sum(word in found for word in query) >= _ALL * len(query)
