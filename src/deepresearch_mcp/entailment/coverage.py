"""Coverage: measures by words how well sentences carry a claim: which sentences, how far, and what they leave out.

This is a comparison of words: it misses synonyms and mostly ignores word order. `thresholds.toml` gives the purpose and
the source of each threshold.
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
"""How many sentences are compared in detail."""

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
    """An index of sentences, built once and queried for any number of claims."""

    def __init__(self, found: Sequence[str]) -> None:
        """`found` holds sentences in page order; headings and metadata lines may be among them."""
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
        """Build the index of a text's sentences."""
        return cls([text[start:end] for start, end in sentences(text)])

    def best(self, claim: str, limit: int = SHOWN) -> list[int]:
        """Return the positions of at most `limit` sentences that together carry most of the claim, best first.

        Each sentence is chosen for what it adds to the earlier ones; sentences without any word of the claim are left
        out.
        """
        return self._best(_asked(claim), limit)

    def score(self, claim: str) -> float:
        """Return how well the sentences carry the claim, between 0 and 1: a logistic function of three figures.

        The figures are: the weighted share of the claim's words in the three best sentences; how many of its numbers,
        dates and names the five best lack (one more if the best denies it); and the claim's length, because a missing
        detail is a smaller part of a longer claim. The score ranks claims. It is no probability if the share of
        supported claims differs from the fitted sets (one in five, one in three). It is 0 for a claim or evidence
        without words.
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
        """Return for each token of a claim (a word or a mark, in order) whether the five best sentences leave it out.

        A content word is left out if no sentence has it or its kin. A word beside it counts too if the sentences have
        it, but never next to the same neighbour: it is there by chance. The small word or mark before a left-out word
        goes with it (`in` 1991).
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
        """Return, for each sentence, the worth of each word and word pair of the claim that it has."""
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
        """Return the sentences that have the word (1) or its kin (`_KIN`)."""
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
    """The words of a claim that are searched for."""

    weights: Mapping[str, float]
    """Stem of each content word → its weight."""
    pairs: frozenset[tuple[str, str]]
    """Pairs of consecutive stems, small words included."""


def _asked(claim: str) -> _Asked:
    named = {word for part in claim.split() if part.strip("\"'“‘(")[:1].isupper() for word in words(part)}
    weights: dict[str, float] = {}
    for word in content_words(claim) or words(claim):
        weights.setdefault(_stem(word), _weight(word, named=word in named))
    return _Asked(weights, frozenset(pairwise(map(_stem, words(claim)))))


def _weight(word: str, *, named: bool) -> float:
    """Return the weight of a word from its shape: long words are rare (Zipf), and numbers and names decide most."""
    if any(char.isdigit() for char in word):
        return _FIGURE
    return min(len(word), _LONGEST_WORD) / _USUAL_WORD * (_NAMED if named else 1.0)


@lru_cache(maxsize=32_768)
def _stem(word: str) -> str:
    if not word.isascii():
        # Names are spelt with and without accents.
        word = "".join(char for char in unicodedata.normalize("NFD", word) if not unicodedata.combining(char))
    return stem(word)


def _next_to(absent: Collection[int], content: Sequence[int]) -> Iterator[int]:
    """Yield the content words that are present next to one that is absent; small words do not count."""
    for one, other in pairwise(content):
        if (one in absent) != (other in absent):
            yield other if one in absent else one


def covered(statement: str, evidence: str, language: str = "") -> float:
    """Return the share of a statement's content words that the evidence has, 0 to 1; see `held_terms`."""
    return len(held_terms(statement, evidence, language)) / max(1, len(_terms(statement, language)))


def held_terms(statement: str, evidence: str, language: str = "") -> frozenset[str]:
    """Return the stems of a statement's content words that the evidence has.

    A statement without content words is compared by its small words. Without a `language`, the language is guessed from
    the statement.
    """
    return _terms(statement, language) & {_meaning(word) for word in words(evidence)}


def lost_words(statement: str, evidence: str, language: str = "") -> list[str]:
    """Return a statement's content words that occur nowhere in the evidence, in order."""
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
    # Adverbs are not stemmed: what is "historically" so is not what is historical.
    return word if word.endswith("ly") else _stem(word)
