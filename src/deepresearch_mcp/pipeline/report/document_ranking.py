"""Ranks the passages of long documents that a question means: reports whose tables hold much of the answer."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from deepresearch_mcp.pipeline.report.row_match import (
    account_stems,
    has_rows,
    heading_match,
    introduced,
    row_match,
    same_stem,
    spelt_out,
)
from deepresearch_mcp.text.keywords import stem, words
from deepresearch_mcp.text.passages import headings_of
from deepresearch_mcp.text.ranking import Ranker, TermCounts
from deepresearch_mcp.thinkers.extractive.terms import asked

_FRAMES_SPELT = (
    "report reports reported reporting disclose disclosed disclosure mention mentioned state stated discuss discussion "
    "section sections document filing filings statement statements information data detail details insight insights "
    "provide provided outline outlined analyze analyse combine examine identify identified understand relate relation "
    "relationship correlate correlation correlates align connection suggest indicate indicated reflect contribute "
    "contributing impact impacts affect affected potential potentially significant significantly notable major key "
    "primary specific trend trends change changes changed changing fluctuate fluctuated variation variations seen "
    "period periods quarter quarters quarterly year years recent latest previous past prior current compare compared "
    "comparison company company's time across based overall level levels figure figures amount scale stack stood "
    "implication implications announce announced significance various different diverse breakdown distribution "
    "associated related"
)
_FRAMES = frozenset(map(stem, _FRAMES_SPELT.split()))
"""Words by which reports are asked about, and which tell nothing of what is asked."""
_ROW = 1.0
"""The weight of rows that are just what is asked for."""
_HEADS = 1.0
"""The weight of a heading that is just what is asked for."""
_HOLDS = 0.5
"""The weight of the share that the passage and its headings hold."""
_STUB = 15
"""Words below which a passage says little, whatever stands above it: the end of a table, a line of a contents list."""
_LEAST = 0.3
"""The share that a passage must hold, or its rows be, to answer at all."""


@dataclass(frozen=True, slots=True)
class DocumentPassage:
    """A passage by its place among those ranked."""

    at: int
    merit: float
    held: float
    """The share of what is asked that it and its headings hold, rare words weighing more."""
    row: float
    """How far rows of its tables are what is asked for, 0 to 1."""

    @property
    def answers(self) -> bool:
        """Whether it may be shown."""
        return max(self.held, self.row) >= _LEAST


def ranked_passages(
    topic: str, passages: Sequence[tuple[str, str, TermCounts]], whole: str = ""
) -> list[DocumentPassage]:
    """Rank passages, each given as headings, text and its words, for a topic; those that do not answer are left out.

    Words of accounts that mean the same count as one, so that `revenue` finds net sales. A topic that tells nothing
    (`what could be the implications?`) is that of the `whole` question.
    """
    telling = _telling(topic) or _telling(whole) or _stems(topic)
    merged = [_merged(counts) for _, _, counts in passages]
    ranker = Ranker(merged)
    wanted = {one: rarity for one in telling if (rarity := ranker.rarity(one)) > 0}
    scores = ranker.scores_of(wanted)
    best = max(scores, default=0.0)
    found = [
        _judged(at, heading, text, merged[at], scores[at] / best, wanted)
        for at, (heading, text, _) in enumerate(passages)
        if scores[at] > 0
    ]
    return sorted((one for one in found if one.answers), key=lambda one: (-one.merit, one.at))


def _stems(topic: str) -> list[str]:
    stems = (same_stem(stem(one)) for one in asked(spelt_out(topic)) if not one[0].isdigit())
    return list(dict.fromkeys(stems))


def _telling(topic: str) -> list[str]:
    return [one for one in _stems(topic) if one not in _FRAMES]


def _judged(
    at: int, heading: str, text: str, counts: TermCounts, rank: float, wanted: Mapping[str, float]
) -> DocumentPassage:
    whole = sum(wanted.values())
    trail = headings_of(heading)
    tabular = has_rows(text)
    above = set(account_stems(" ".join((*trail, introduced(text)))))
    held = sum(heavy for one, heavy in wanted.items() if one in counts or one in above) / whole
    heads = max((heading_match(wanted, one) for one in trail), default=0.0)
    row = row_match(wanted, text, above) if tabular else 0.0
    introducing = sum(wanted[one] for one in wanted.keys() & above) / whole if tabular else 0.0
    merit = rank + _ROW * max(row, introducing) + _HEADS * heads + _HOLDS * held
    merit *= min(1.0, len(words(text)) / _STUB)
    return DocumentPassage(at, round(merit, 4), held, row)


def _merged(counts: Mapping[str, int]) -> Counter[str]:
    merged: Counter[str] = Counter()
    for one, count in counts.items():
        merged[same_stem(one)] += count
    return merged
