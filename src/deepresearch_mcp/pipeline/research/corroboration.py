"""Corroboration: the claims that decide most, and how many of them have a second source."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from deepresearch_mcp.records.evidence import Claim, FollowUp
from deepresearch_mcp.text.keywords import keywords
from deepresearch_mcp.thinkers.base import SubQuestionEvidence

KEY_CLAIMS = 3
"""The best claims of a sub-question, on which its answer rests."""
_WORDS = 8
"""Words of a claim in the query for another source of it."""


@dataclass(frozen=True, slots=True)
class Corroboration:
    """How many key claims have two independent sources or more."""

    backed: int
    total: int
    queries: tuple[FollowUp, ...]
    """What to ask for the others: urgent sub-questions first, the best claim of each before a second."""

    @property
    def share(self) -> float:
        """The share of key claims with two sources, 0 to 1; 1 if there are no claims."""
        return self.backed / self.total if self.total else 1.0


NOTHING_TO_BACK = Corroboration(0, 0, ())


def corroboration_of(parts: Sequence[SubQuestionEvidence], settled: Mapping[str, Claim]) -> Corroboration:
    """Count the key claims with a second source; `settled` has the claim that stands for each id."""
    keys: dict[str, tuple[int, str, Claim]] = {}
    for part in sorted(parts, key=lambda part: part.sub_question.urgency):
        own = {one.claim_id: one for claim in part.claims if (one := settled.get(claim.claim_id, claim))}
        best = sorted(own.values(), key=_rank)[:KEY_CLAIMS]
        for rank, claim in enumerate(best):
            keys.setdefault(claim.claim_id, (rank, part.sub_question.id, claim))
    alone = sorted((key for key in keys.values() if key[2].backing < 2), key=lambda key: key[0])
    queries = tuple(
        FollowUp(sub_question=name, query=" ".join(keywords(claim.text, _WORDS))) for _, name, claim in alone
    )
    return Corroboration(len(keys) - len(alone), len(keys), queries)


def _rank(claim: Claim) -> tuple[bool, int, float]:
    return claim.verdict != "supported", -claim.weight, -claim.score
