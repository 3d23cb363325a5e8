"""Tells the verdicts of one judgement: on each claim, then how many were kept."""

from collections.abc import Sequence

from deepresearch_mcp.events import ClaimVerified, EventSink, Verified
from deepresearch_mcp.records.checks import CheckedClaim
from deepresearch_mcp.records.evidence import Claim


def tell_verdicts(
    sub_question: str, judged: Sequence[Claim] | Sequence[CheckedClaim], kept: int, emit: EventSink
) -> None:
    """Emit each verdict, and the sum for the sub-question that the claims were read for."""
    for one in judged:
        source_id = one.quotes[0].source_id if one.quotes else ""
        asked = one.sub_question if isinstance(one, Claim) else sub_question
        emit(ClaimVerified(one.claim_id, asked, one.text, one.verdict, source_id, one.checked_by))
    emit(Verified(sub_question, kept, len(judged) - kept))
