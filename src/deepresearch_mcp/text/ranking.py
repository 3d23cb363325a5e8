"""Ranks texts by their relevance to a query, without an index on disk."""

import math
from collections import Counter
from collections.abc import Sequence

from deepresearch_mcp.text.keywords import content_words, stem, words

_K1 = 1.2
_B = 0.75


class Ranker:
    """BM25 over stemmed words (k1 1.2, b 0.75); scripts without spaces are matched by pairs of characters."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._size = len(texts)
        self._postings: dict[str, list[tuple[int, int]]] = {}
        lengths: list[int] = []
        for position, text in enumerate(texts):
            counts = Counter(_terms(words(text)))
            lengths.append(sum(counts.values()))
            for term, count in counts.items():
                self._postings.setdefault(term, []).append((position, count))
        mean = sum(lengths) / len(lengths) if lengths else 0.0
        self._norms = [_K1 * (1 - _B + _B * length / mean) if mean else _K1 for length in lengths]

    def scores(self, query: str) -> list[float]:
        """Return one score for each text, in order; 0 if no word of the query occurs."""
        scores = [0.0] * self._size
        # A query of stopwords alone is matched by its stopwords.
        wanted = dict.fromkeys(_terms(content_words(query) or words(query)))
        for term in wanted:
            postings = self._postings.get(term, [])
            rarity = math.log(1 + (self._size - len(postings) + 0.5) / (len(postings) + 0.5))
            for position, count in postings:
                scores[position] += rarity * count * (_K1 + 1) / (count + self._norms[position])
        return scores

    def top(self, query: str, limit: int) -> list[int]:
        """Return the positions of the best texts, best first, ties by position; those that score 0 are left out."""
        scores = self.scores(query)
        ranked = sorted(range(self._size), key=lambda position: (-scores[position], position))
        return [position for position in ranked[: max(0, limit)] if scores[position] > 0]


def _terms(found: Sequence[str]) -> list[str]:
    return [stem(word) for word in found]


def query_coverage(query: str, text: str) -> float:
    """Return the share of the query's distinct stems that a text holds; 1 for a query without words."""
    wanted = set(_terms(content_words(query) or words(query)))
    return len(wanted.intersection(_terms(words(text)))) / len(wanted) if wanted else 1.0
