"""Ranks texts by their relevance to a query, without an index on disk."""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from deepresearch_mcp.text.keywords import content_words, stem, words

_K1 = 1.2
_B = 0.75


TermCounts = Mapping[str, int]
"""How often each stemmed word stands in a text."""


def term_counts(text: str) -> TermCounts:
    """Count the stemmed words of a text, for a `Ranker` that is made more than once of the same texts."""
    return Counter(_terms(words(text)))


class Ranker:
    """BM25 over stemmed words (k1 1.2, b 0.75); scripts without spaces are matched by pairs of characters."""

    def __init__(self, texts: Sequence[str | TermCounts]) -> None:
        self._counts = [term_counts(text) if isinstance(text, str) else text for text in texts]
        self._size = len(self._counts)
        self._postings: dict[str, list[tuple[int, int]]] = {}
        lengths = [sum(counts.values()) for counts in self._counts]
        mean = sum(lengths) / len(lengths) if lengths else 0.0
        self._norms = [_K1 * (1 - _B + _B * length / mean) if mean else _K1 for length in lengths]

    def scores(self, query: str) -> list[float]:
        """Return one score for each text, in order; 0 if no word of the query occurs."""
        return self.scores_of(_asked(query))

    def scores_of(self, terms: Iterable[str]) -> list[float]:
        """The same for stems."""
        scores = [0.0] * self._size
        for term in terms:
            postings, rarity = self._found(term), self._rarity(term)
            for position, count in postings:
                scores[position] += rarity * count * (_K1 + 1) / (count + self._norms[position])
        return scores

    def shares(self, query: str) -> tuple[list[float], list[int]]:
        """Return how much of the query's rarity each text holds, 0 to 1, and how many of its words.

        Words that stand in no text do not count: nothing could hold them.
        """
        shares, counts = [0.0] * self._size, [0] * self._size
        known = {term: self._rarity(term) for term in _asked(query) if self._found(term)}
        whole = sum(known.values())
        for term, rarity in known.items():
            for position, _ in self._found(term):
                shares[position] += rarity / whole
                counts[position] += 1
        return shares, counts

    def rarity(self, term: str) -> float:
        """How much a stem tells, as BM25 weighs it; 0 if it stands in no text."""
        return self._rarity(term) if self._found(term) else 0.0

    def _rarity(self, term: str) -> float:
        holding = len(self._found(term))
        return math.log(1 + (self._size - holding + 0.5) / (holding + 0.5))

    def _found(self, term: str) -> list[tuple[int, int]]:
        """The positions of the texts that hold a term, with its counts. Looked up once: most terms are never asked."""
        if term not in self._postings:
            self._postings[term] = [
                (position, counts[term]) for position, counts in enumerate(self._counts) if term in counts
            ]
        return self._postings[term]

    def top(self, query: str, limit: int) -> list[int]:
        """Return the positions of the best texts, best first, ties by position; those that score 0 are left out."""
        scores = self.scores(query)
        ranked = sorted(range(self._size), key=lambda position: (-scores[position], position))
        return [position for position in ranked[: max(0, limit)] if scores[position] > 0]


def _asked(query: str) -> list[str]:
    # A query of stopwords alone is matched by its stopwords.
    return list(dict.fromkeys(_terms(content_words(query) or words(query))))


def _terms(found: Sequence[str]) -> list[str]:
    return [stem(word) for word in found]


def query_coverage(query: str, text: str) -> float:
    """Return the share of the query's distinct stems that a text holds; 1 for a query without words."""
    wanted = set(_terms(content_words(query) or words(query)))
    return len(wanted.intersection(_terms(words(text)))) / len(wanted) if wanted else 1.0
