"""Which hypotheses a reader is told of: a few, those of its sub-question and those nearest to its passages."""

import re
from collections.abc import Sequence

from deepresearch_mcp.records.plan import Hypothesis
from deepresearch_mcp.records.sources import Passage
from deepresearch_mcp.text.keywords import content_words, stem
from deepresearch_mcp.text.ranking import term_counts

_MOST = 6
_NEAR = 0.4
"""The share of the words of another one's hypothesis that one passage holds."""
_TELLING = re.compile(r"(?<!^)(?<![\w])[^\W_]*(?:[A-Z\d_]|\w\.\w)\S*")
_SAME = 0.75
"""The share of a statement's words from which another one that has them says the same."""


def nearest_hypotheses(
    own: Sequence[Hypothesis], others: Sequence[Hypothesis], passages: Sequence[Passage], most: int = _MOST
) -> tuple[Hypothesis, ...]:
    """At most so many hypotheses: the sub-question's `own`, then `others` that the passages speak of.

    Of those that say the same the first is taken.
    """
    held = [frozenset(term_counts(f"{one.heading} {one.text}")) for one in passages]

    def near(one: Hypothesis) -> float:
        words = _words(one.statement)
        return max((len(words & said) for said in held), default=0) / max(1, len(words))

    shares = {one.id: near(one) for one in (*own, *others)}
    ranked = sorted(own, key=lambda one: -shares[one.id])
    ranked += sorted(
        (one for one in others if one not in own and shares[one.id] >= _NEAR), key=lambda one: -shares[one.id]
    )
    found: list[Hypothesis] = []
    for one in ranked:
        if len(found) < most and not is_known(one.statement, [other.statement for other in found]):
            found.append(one)
    return tuple(found)


def is_known(statement: str, others: Sequence[str]) -> bool:
    """Whether one of the others says what the statement does, and perhaps more."""
    words, telling = _words(statement), _words(" ".join(_TELLING.findall(statement)))
    # A figure, a version or a name of its own makes another statement of it.
    return any(telling <= said and len(words - said) <= (1 - _SAME) * len(words) for said in map(_words, others))


def _words(text: str) -> frozenset[str]:
    return frozenset(map(stem, content_words(text)))
