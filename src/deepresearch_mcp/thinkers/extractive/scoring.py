"""How well each sentence of some passages answers a question: a linear model over words, place and form."""

from collections.abc import Sequence
from dataclasses import dataclass

from deepresearch_mcp.text.keywords import STOPWORDS
from deepresearch_mcp.text.ranking import Ranker
from deepresearch_mcp.thinkers.extractive.answers import defines, expected, suits
from deepresearch_mcp.thinkers.extractive.prose import is_closed
from deepresearch_mcp.thinkers.extractive.terms import asked, coverage, grams, split_topic, wanted

_ROOTS = 0.6
_RANK = 0.3
_LENGTH = 0.65
_WORDS = 60
"""A sentence of so many words gets the whole credit for saying much."""
_OPENING = 0.6
_PEAK = 0.2
_SORT = 0.55
_SUBJECT = 0.1
_SUBJECT_WORDS = 3
"""What the question is about is best named among so many first words."""
_DEFINES = 0.2
_NO_PROSE = 0.35
_OPEN_END = 0.25


@dataclass(frozen=True, slots=True)
class Cut:
    """One sentence as it was cut out of its passage."""

    passage: int
    """Position of its passage."""
    place: int
    """Position among the sentences of its passage."""
    start: int
    end: int
    """Offsets in the passage."""
    text: str
    """Cleaned."""
    stems: tuple[str, ...]
    prose: bool = True
    """See `prose.is_prose`."""


def scores(
    question: str, cuts: Sequence[Cut], around: Sequence[float], language: str, *, ordered: bool = True
) -> list[float]:
    """Return one score for each sentence, about 0 to 2.5; only comparable within one call.

    The sentence's own merits: words in common by shared roots and by BM25, being no worse a match than both its
    neighbours (they explain what it says), length, what it shares with the opening of its passage (most of all being
    it), words of the sort that was asked for, the subject in front, a definition; and it loses where it is no whole
    sentence. Ridge logistic regression within passages over the open half of ClapNQ gave the weights, rounded; by
    five-fold cross-validation top-3 F1 is .64 on questions not fitted to, .60 for BM25 alone. The weights of subject,
    definition and open end make no difference there; they are kept for pages that are not from an encyclopaedia.

    Args:
        question: The sub-question.
        cuts: In the order of the passages.
        around: The rank of each passage, 0 to 1: an opening counts as much as its passage is about the question.
        language: ISO 639-1 of the question.
        ordered: The sentences stand in the order of their passages; else no opening and no neighbours count.
    """
    query, core = wanted(question, language), wanted(split_topic(question)[1], language)
    pieces = grams(" ".join(query))
    shared = [len(grams(" ".join(cut.stems)) & pieces) / max(1, len(pieces)) for cut in cuts]
    found = ranks([cut.text for cut in cuts], question, language)
    match = [_ROOTS * roots + _RANK * rank for roots, rank in zip(shared, found, strict=True)]
    sort = expected(question)
    defining = _DEFINES * (1.0 if sort in {"meaning", "any"} else 0.3)
    openings: dict[int, frozenset[str]] = {}
    scored: list[float] = []
    for at, cut in enumerate(cuts):
        score = match[at] + _LENGTH * min(1.0, len(cut.text.split()) / _WORDS)
        score += _SORT * suits(sort, cut.text, question) + _SUBJECT * coverage(core, cut.stems[:_SUBJECT_WORDS])
        score += defining * defines(cut.text, core, language)
        score -= _NO_PROSE * (not cut.prose) + _OPEN_END * (not is_closed(cut.text))
        if ordered:
            mine = frozenset(cut.stems)
            opening = openings.setdefault(cut.passage, mine)
            score += _OPENING * around[cut.passage] * _likeness(mine, opening)
            score += _PEAK * _is_peak(match, cuts, at)
        scored.append(score)
    return scored


def ranks(texts: Sequence[str], question: str, language: str) -> list[float]:
    """Return BM25 scores as shares of the best, 0 to 1."""
    ranker = Ranker(texts)
    found = ranker.scores(question)
    for word in sorted(common(question, language)):
        # The ranker leaves common words out of a query unless they are all of it.
        found = [score + more for score, more in zip(found, ranker.scores(word), strict=True)]
    best = max(found, default=0.0)
    return [score / best if best > 0 else 0.0 for score in found]


def common(question: str, language: str) -> frozenset[str]:
    """Return the words of the question that are asked for although they are common, as `else` is."""
    return frozenset(word for word in asked(split_topic(question)[1], language) if word in STOPWORDS["en"])


def _likeness(one: frozenset[str], other: frozenset[str]) -> float:
    """Return the cosine of two sets of words, 0 to 1."""
    if not one or not other:
        return 0.0
    return len(one & other) / (len(one) * len(other)) ** 0.5


def _is_peak(match: Sequence[float], cuts: Sequence[Cut], at: int) -> bool:
    """Tell whether neither neighbour in the passage matches the question better."""
    beside = [other for other in (at - 1, at + 1) if 0 <= other < len(cuts)]
    return all(match[at] >= match[other] for other in beside if cuts[other].passage == cuts[at].passage)
