"""Which of the scored sentences become claims."""

from collections.abc import Sequence

from deepresearch_mcp.records.sources import Passage
from deepresearch_mcp.thinkers.extractive.candidates import Candidate, follows

PER_PASSAGE = 3
COVERED = 0.3
"""Least share of the question's words in the best sentence; below it there is no answer.

On the open half of ClapNQ this keeps 92 % of the passages with an answer and drops 42 % of those without.
"""
_BELOW_BEST = 0.45
"""Sentences that score less than this share of the best are left out."""
LESS_COVERED = 0.4
"""Sentences with less than this share of the question's words that the best one has are off the point."""
_LEAST = 0.15
"""So are sentences with less than this share of all the question's words, even if no better one exists."""
_FIRST = 0.5
"""Both floors are multiplied by this for the first sentence of a source that names what the question names.

Where the answer is a chain of facts, most pages hold one link and few of the question's words.
"""
_NEAR = 0.4
"""The same holds for a passage with at least this share of the best one's rank."""
_ABOUT = 1.0
"""A sentence must name as much of the question as this many words of average rarity.

A word that is common among the sentences is not enough alone: the sentence must name the question's subject. The best
sentence decides. With 1.5 the reader loses pages of HotpotQA that hold a link of a chain; with 1 it loses none.
"""
_MOST_ABOUT = 0.5
"""Half of a question is always enough, however short it is."""
_ALIKE = 0.8
"""From this share of common stems, two sentences say the same."""


def choose(
    found: Sequence[Candidate],
    passages: Sequence[Passage],
    limit: int,
    asked: int,
    less_covered: float = LESS_COVERED,
) -> list[Candidate]:
    """Return at most `limit` sentences, best first, at most three a passage; none where nothing answers.

    A sentence that refers to its neighbour comes only with it. Copies of a sentence on other pages come last,
    because they are no second witness.

    Args:
        found: The scored sentences.
        passages: Where they stand.
        limit: Of the sentences.
        asked: How many words the question asks for.
        less_covered: See `LESS_COVERED`.
    """
    best = max((candidate.score for candidate in found), default=0.0)
    most = max((candidate.covered for candidate in found), default=0.0)
    least = max(COVERED, 1 / asked) if asked > 1 else COVERED
    if most < least and not any(candidate.named for candidate in found):
        return []
    chosen = _Chosen(found, passages, limit)
    named = min(_MOST_ABOUT, _ABOUT / max(1, asked)) * max((candidate.about for candidate in found), default=0.0)
    ranked = [candidate for candidate in sorted(found, key=_rank) if candidate.telling and 0 < candidate.about >= named]
    # One sentence of each source comes first: two witnesses are worth more than two sentences of one.
    for first in (True, False):
        for candidate in ranked:
            eased = first and (candidate.named or candidate.around >= _NEAR)
            ease = _FIRST if eased else 1.0
            enough = candidate.score >= ease * _BELOW_BEST * best
            enough = enough and candidate.covered >= ease * max(_LEAST, less_covered * most)
            if enough and (not first or chosen.is_new(candidate)):
                chosen.offer(candidate)
    return chosen.all()


def _rank(candidate: Candidate) -> tuple[float, int, int]:
    return (0.3 * candidate.dangling - candidate.score, candidate.passage, candidate.place)


class _Chosen:
    """The sentences taken so far, within their limits."""

    def __init__(self, found: Sequence[Candidate], passages: Sequence[Passage], limit: int) -> None:
        self._found = found
        self._source = [passage.source_id for passage in passages]
        self._limit = limit
        self._taken: list[Candidate] = []
        self._copies: list[Candidate] = []
        self._in_passage = [0] * len(passages)

    def is_new(self, candidate: Candidate) -> bool:
        """Tell whether no sentence of its source is taken yet."""
        return all(self._source[other.passage] != self._source[candidate.passage] for other in self._taken)

    def offer(self, candidate: Candidate) -> None:
        """Take the sentence if it is new and there is room."""
        if candidate in self._taken or candidate in self._copies:
            return
        if twin := self._twin(candidate):
            if self._source[twin.passage] != self._source[candidate.passage]:
                self._copies.append(candidate)
            return
        together = self._with_support(candidate) if candidate.dangling else [candidate]
        room = len(self._taken) + len(together) <= self._limit
        if together and room and self._in_passage[candidate.passage] + len(together) <= PER_PASSAGE:
            self._taken.extend(together)
            self._in_passage[candidate.passage] += len(together)

    def all(self) -> list[Candidate]:
        """Return the sentences taken, then as many copies as fit."""
        return [*self._taken, *self._copies[: self._limit - len(self._taken)]]

    def _twin(self, candidate: Candidate) -> Candidate | None:
        mine = set(candidate.stems)
        for other in self._taken:
            theirs = set(other.stems)
            if len(mine & theirs) >= _ALIKE * len(mine | theirs):
                return other
        return None

    def _with_support(self, candidate: Candidate) -> list[Candidate]:
        """Return a sentence after the one it refers to, if that one needs no other; else nothing."""
        if any(follows(candidate, other) for other in self._taken):
            return [candidate]
        before = next((other for other in self._found if follows(candidate, other) and not other.dangling), None)
        return [before, candidate] if before else []
