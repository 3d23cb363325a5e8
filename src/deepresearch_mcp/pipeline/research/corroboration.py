"""Corroborate: which of the claims that matter most rest on one source alone, and what to ask for a second."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from deepresearch_mcp.records.evidence import Claim, FollowUp
from deepresearch_mcp.text.keywords import keywords
from deepresearch_mcp.thinkers.base import SubQuestionEvidence

KEY_CLAIMS = 3
"""Claims of a sub-question that its answer stands or falls with: its best ones."""
_WORDS = 8
"""Of a claim, in the query that looks for another source of it."""
_ORDER = {"high": 0, "medium": 1, "low": 2}


@dataclass(frozen=True, slots=True)
class Corroboration:
    """How many key claims have two independent sources or more."""

    backed: int
    total: int
    queries: tuple[FollowUp, ...]
    """What to ask for those that have one: urgent sub-questions first, the best claim of each before a second."""

    @property
    def share(self) -> float:
        """Backed ones among all, 0 to 1; 1 where there are none."""
        return self.backed / self.total if self.total else 1.0


def corroboration_of(parts: Sequence[SubQuestionEvidence], settled: Mapping[str, Claim]) -> Corroboration:
    """Look at the key claims of all sub-questions; `settled` is each claim's id with the one that stands for it."""
    keys: dict[str, tuple[int, str, Claim]] = {}
    for part in sorted(parts, key=lambda part: _ORDER[part.sub_question.priority]):
        own = {one.claim_id: one for claim in part.claims if (one := settled.get(claim.claim_id, claim))}
        best = sorted(own.values(), key=lambda claim: (claim.verdict != "supported", -claim.score))[:KEY_CLAIMS]
        for rank, claim in enumerate(best):
            keys.setdefault(claim.claim_id, (rank, part.sub_question.id, claim))
    alone = sorted((key for key in keys.values() if key[2].backing < 2), key=lambda key: key[0])
    queries = tuple(
        FollowUp(sub_question=name, query=" ".join(keywords(claim.text, _WORDS))) for _, name, claim in alone
    )
    return Corroboration(len(keys) - len(alone), len(keys), queries)
