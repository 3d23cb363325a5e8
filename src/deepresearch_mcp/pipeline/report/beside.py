"""Other claims that a doubted sentence may really rest on: a writer sometimes names the claim next to the right one."""

from collections.abc import Mapping
from functools import cached_property

from deepresearch_mcp.pipeline.report.pieces import Piece
from deepresearch_mcp.records.evidence import KEPT, Claim
from deepresearch_mcp.text.numbers import numbers
from deepresearch_mcp.text.ranking import Ranker

_MOST = 3
_DECIDES = 0.15
"""What a point of weight adds to a claim's nearness: of claims about equally near the one that decides is offered."""
_HOLDS = 1.5
"""The same for a figure of the sentence that its own claims lack."""


class Beside:
    """Finds for a sentence the claims that speak most of the same thing."""

    def __init__(self, claims: Mapping[str, Claim]) -> None:
        standing = {claim.claim_id: claim for claim in claims.values() if claim.verdict in KEPT}
        self._claims = list(standing.values())

    @cached_property
    def _ranker(self) -> Ranker:
        return Ranker([f"{claim.text} {claim.quotes[0].heading}" for claim in self._claims])

    def of(self, piece: Piece, most: int = _MOST) -> tuple[str, ...]:
        """At most so many ids of claims that it does not name, the nearest first; none where none shares its words."""
        if not self._claims:
            return ()
        named = set(piece.sentence.rests_on)
        own = set[str]().union(*(numbers(claim.text) for claim in self._claims if claim.claim_id in named))
        lacking = numbers(piece.statement) - own
        scores = [
            score * (1 + _DECIDES * claim.weight) * (_HOLDS if lacking & numbers(claim.text) else 1)
            for score, claim in zip(self._ranker.scores(piece.statement), self._claims, strict=True)
        ]
        ranked = sorted(range(len(scores)), key=lambda at: -scores[at])
        near = [self._claims[at].claim_id for at in ranked[: most + len(named)] if scores[at] > 0]
        return tuple(name for name in near if name not in named)[:most]
