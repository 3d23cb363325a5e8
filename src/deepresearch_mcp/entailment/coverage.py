"""Coverage: how well sentences carry a claim, as far as words show it: which of them, how far, and what they leave out.

Nothing here understands: synonyms are missed, and words in another order are taken for the same. What each threshold
is for, and where it is from, stands in `thresholds.toml`.
"""

import math
import unicodedata
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Self

from deepresearch_mcp.entailment.denial import contradicts
from deepresearch_mcp.entailment.details import missing_details
from deepresearch_mcp.entailment.rules import threshold, whole_threshold
from deepresearch_mcp.text.keywords import content_words, stem, words
from deepresearch_mcp.text.sentences import sentences
from deepresearch_mcp.text.stopwords import STOPWORDS

SHOWN = whole_threshold("coverage.shown")
"""Sentences that are looked at closely."""

_SATURATION = threshold("coverage.saturation")
_LENGTH = threshold("coverage.length")
_AGAIN = threshold("coverage.again")
_BESIDE = threshold("coverage.beside")
_STEPS = whole_threshold("coverage.near")
_NEAR = (*range(-_STEPS, 0), *range(1, _STEPS + 1))
_LATE = threshold("coverage.late")
_PAGE = whole_threshold("coverage.page")
_IN_ORDER = threshold("coverage.in_order")
_KIN = threshold("coverage.kin")
_PREFIX = whole_threshold("coverage.prefix")
_CLOSE = whole_threshold("coverage.close")
_BIAS, _COVERED, _MISSING, _SAID = (threshold(f"coverage.{name}") for name in ("bias", "covered", "missing", "said"))
_FIGURE, _NAMED = threshold("coverage.figure"), threshold("coverage.named")
_LONGEST_WORD, _USUAL_WORD = whole_threshold("coverage.longest_word"), whole_threshold("coverage.usual_word")


class SentenceIndex:
    """Sentences made ready for holding claims against them; made once, asked for any number of claims."""

    def __init__(self, found: Sequence[str]) -> None:
        """`found`: sentences in the order of the page; headings and lines of metadata may be among them."""
        self._sentences = found
        self._stems = [[_stem(word) for word in words(sentence)] for sentence in found]
        self._postings: dict[str, dict[int, int]] = {}
        for at, line in enumerate(self._stems):
            for term in line:
                counts = self._postings.setdefault(term, {})
                counts[at] = counts.get(at, 0) + 1
        self._kin: dict[str, list[str]] = {}
        for term in self._postings:
            if len(term) >= _PREFIX:
                self._kin.setdefault(term[:_PREFIX], []).append(term)
        mean = sum(map(len, self._stems)) / max(1, len(self._stems)) or 1.0
        self._norms = [_SATURATION * (1 - _LENGTH + _LENGTH * len(line) / mean) for line in self._stems]

    @classmethod
    def of(cls, text: str) -> Self:
        """Split a text into its sentences."""
        return cls([text[start:end] for start, end in sentences(text)])

    def best(self, claim: str, limit: int = SHOWN) -> list[int]:
        """Return the positions of at most `limit` sentences that together carry most of the claim, best first.

        Each is chosen for what it adds to those before it; sentences without any word of the claim are left out.
        """
        return self._best(_asked(claim), limit)

    def score(self, claim: str) -> float:
        """Return how well the sentences carry the claim, between 0 and 1: a logistic function of three figures.

        The share of the claim's words, by weight, that the three best sentences hold; how many of its numbers, dates
        and names the five best lack (one more where the best denies it); and how much it says: what is missing is
        a smaller part of a longer claim. It ranks; it is no probability where supported claims are commoner or rarer
        than in the sets (one in five, one in three). 0 for a claim or evidence without words.
        """
        asked = _asked(claim)
        best = self._best(asked, SHOWN)
        if not best:
            return 0.0
        missing = self._details(claim, best)
        faults = len(missing) + contradicts(claim, self._sentences[best[0]])
        said = sum(asked.weights.values())
        held = sum(weight * self._share(term, best[:_CLOSE]) for term, weight in asked.weights.items())
        drive = _BIAS + _COVERED * held / said + _MISSING * math.log1p(faults) + _SAID * math.log1p(said)
        return 1 / (1 + math.exp(-drive))

    def uncarried(self, tokens: Sequence[str]) -> list[bool]:
        """Tell for each token of a claim (a word or a mark, in order) whether the five best sentences leave it out.

        A word of content is left out where none of them has it or its kin. Next to such a word, one that they do
        have, but never beside the same neighbour, is there by accident; and the small word or mark before an
        uncarried one goes with it (`in` 1991).
        """
        asked = _asked(" ".join(tokens))
        best = self._best(asked, SHOWN)
        lines = [[_stem(word) for word in words(token)] for token in tokens]
        meant = [[term for term in line if term in asked.weights] for line in lines]
        content = [at for at, terms in enumerate(meant) if terms]
        absent = {at for at in content if not all(self._share(term, best) for term in meant[at])}
        chance = {at for at in _next_to(absent, content) if not self._in_order(lines, at, best)}
        before = {at - 1 for at in absent} - set(content)
        return [at in absent or at in chance or at in before for at in range(len(tokens))]

    def _best(self, asked: "_Asked", limit: int) -> list[int]:
        parts = self._parts(asked)
        whole = {at: sum(found.values()) for at, found in parts.items()}
        beside = {at: _BESIDE * sum(whole.get(at + step, 0.0) for step in _NEAR) for at in whole}
        fall = _LATE / max(_PAGE, len(self._sentences))
        chosen: list[int] = []
        brought: set[_Key] = set()
        left = sorted(whole)
        while left and len(chosen) < limit:
            worth = [
                (1 - fall * at)
                * (beside[at] + sum(part * (_AGAIN if key in brought else 1) for key, part in parts[at].items()))
                for at in left
            ]
            at = left.pop(worth.index(max(worth)))
            chosen.append(at)
            brought |= parts[at].keys()
        return chosen

    def _parts(self, asked: "_Asked") -> dict[int, dict["_Key", float]]:
        """What each word, and each pair of words, of the claim is worth in each sentence that has it."""
        parts: dict[int, dict[_Key, float]] = {}
        worth = {term: weight * self._rarity(term) for term, weight in asked.weights.items()}
        for term, value in worth.items():
            counts = self._postings.get(term, {})
            for at, share in self._held(term).items():
                count = counts.get(at, 1)
                parts.setdefault(at, {})[term] = share * value * count * (1 + _SATURATION) / (count + self._norms[at])
        for at, found in parts.items():
            for pair in asked.pairs.intersection(pairwise(self._stems[at])):
                found[pair] = _IN_ORDER * (worth.get(pair[0], 0.0) + worth.get(pair[1], 0.0)) / 2
        return parts

    def _rarity(self, term: str) -> float:
        size, holding = len(self._sentences), len(self._postings.get(term, ()))
        return math.log(1 + (size - holding + 0.5) / (holding + 0.5))

    def _held(self, term: str) -> dict[int, float]:
        """The sentences that have the word or its kin, and what that counts for."""
        kin = self._kin.get(term[:_PREFIX], ()) if len(term) >= _PREFIX else ()
        held = {at: _KIN for other in kin for at in self._postings[other]}
        held.update(dict.fromkeys(self._postings.get(term, ()), 1.0))
        return held

    def _share(self, term: str, among: Collection[int]) -> float:
        held = self._held(term)
        return max((held.get(at, 0.0) for at in among), default=0.0)

    def _details(self, claim: str, best: Sequence[int]) -> tuple[str, ...]:
        return missing_details(claim, "\n".join(self._sentences[at] for at in sorted(best)))

    def _in_order(self, lines: Sequence[Sequence[str]], at: int, best: Sequence[int]) -> bool:
        before = [term for line in lines[:at] for term in line][-1:]
        after = [term for line in lines[at + 1 :] for term in line][:1]
        pairs = set(pairwise([*before, *lines[at], *after]))
        return any(not pairs.isdisjoint(pairwise(self._stems[one])) for one in best)


_Key = str | tuple[str, str]


@dataclass(frozen=True, slots=True)
class _Asked:
    """What of a claim is looked for."""

    weights: Mapping[str, float]
    """Stem of each word of content → what it says."""
    pairs: frozenset[tuple[str, str]]
    """Stems that follow one another, small words too."""


def _asked(claim: str) -> _Asked:
    named = {word for part in claim.split() if part.strip("\"'“‘(")[:1].isupper() for word in words(part)}
    weights: dict[str, float] = {}
    for word in content_words(claim) or words(claim):
        weights.setdefault(_stem(word), _weight(word, named=word in named))
    return _Asked(weights, frozenset(pairwise(map(_stem, words(claim)))))


def _weight(word: str, *, named: bool) -> float:
    """What a word says, from its shape: long words are rare ones (Zipf), and numbers and names settle most."""
    if any(char.isdigit() for char in word):
        return _FIGURE
    return min(len(word), _LONGEST_WORD) / _USUAL_WORD * (_NAMED if named else 1.0)


@lru_cache(maxsize=32_768)
def _stem(word: str) -> str:
    if not word.isascii():
        # Names are written with and without their accents.
        word = "".join(char for char in unicodedata.normalize("NFD", word) if not unicodedata.combining(char))
    return stem(word)


def _next_to(absent: Collection[int], content: Sequence[int]) -> Iterator[int]:
    """The words of content that are there but follow or precede one that is not, small words aside."""
    for one, other in pairwise(content):
        if (one in absent) != (other in absent):
            yield other if one in absent else one


def covered(statement: str, evidence: str, language: str = "") -> float:
    """Return the share of a statement's words of content that the evidence has, 0 to 1; see `held_terms`."""
    return len(held_terms(statement, evidence, language)) / max(1, len(_terms(statement, language)))


def held_terms(statement: str, evidence: str, language: str = "") -> frozenset[str]:
    """Return the stems of a statement's words of content that the evidence has.

    Of a statement without such words, the stems of its small ones. Without a `language` it is the one that the
    statement seems to be in.
    """
    return _terms(statement, language) & {_meaning(word) for word in words(evidence)}


def lost_words(statement: str, evidence: str, language: str = "") -> list[str]:
    """Return a statement's words of content that stand nowhere in the evidence, in order."""
    held = {_meaning(word) for word in words(evidence)}
    return [word for word in _content(statement, language) if _meaning(word) not in held]


@lru_cache(maxsize=1024)
def _terms(statement: str, language: str) -> frozenset[str]:
    return frozenset(_meaning(word) for word in _content(statement, language) or words(statement))


def _content(statement: str, language: str) -> list[str]:
    if not language:
        return content_words(statement)
    common = STOPWORDS["en"] | STOPWORDS.get(language, frozenset())
    return [word for word in words(statement) if word not in common]


def _meaning(word: str) -> str:
    # An adverb is a word of its own: what is "historically" so is not what is historical.
    return word if word.endswith("ly") else _stem(word)
