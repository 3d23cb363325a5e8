"""Verify each claim against its own quote: first by machine, then by a judge who sees nothing else.

The gates by machine are `pipeline.machine_gate` (the quote and its details) and `pipeline.settling` (agreement,
contradiction, independence).
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence

from deepresearch_mcp.exceptions import BudgetExceeded, KeyRefused, ProviderError
from deepresearch_mcp.pipeline.machine_gate import by_machine, is_for_a_reader, is_readers_word
from deepresearch_mcp.ports.journal import Step
from deepresearch_mcp.records.evidence import Claim, Judgement, Verdict
from deepresearch_mcp.records.plan import Brief
from deepresearch_mcp.records.sources import Document
from deepresearch_mcp.thinkers.base import Thinker
from deepresearch_mcp.thinkers.tasks import JudgeClaims

_PLAINLY: Mapping[Verdict, str] = {
    "partly": "the source carries a part of it only",
    "disputed": "the source reports it as contested",
    "unsupported": "the source does not say it",
    "unverifiable": "it could not be checked",
}
"""What a verdict means to a reader, if the judge gave no reason."""


Judge = Callable[[Sequence[Claim]], Awaitable[Sequence[Judgement]]]
"""Gives judgements on claims; one without a readable verdict is not among them."""


async def verify(
    brief: Brief, claims: Sequence[Claim], documents: Mapping[str, Document], thinker: Thinker, step: Step
) -> list[Claim]:
    """`verified`, with a question to the thinker about these very claims."""

    async def judge(open_claims: Sequence[Claim]) -> Sequence[Judgement]:
        return await thinker.ask(JudgeClaims(brief, open_claims), step)

    return await verified(claims, documents, judge)


async def verified(claims: Sequence[Claim], documents: Mapping[str, Document], judge: Judge) -> list[Claim]:
    """Give every claim a verdict, in the order given: gate 1 by machine, gate 2 by the judge.

    Without a judgement (a failure, a ceiling) a claim that passed the machine stays `supported`, and `checked_by` says
    by whom: one bad answer never ends a run, and nothing that was read is lost. If the machine refuses a claim only for
    what a reader can tell better, the judge's word counts.

    Raises:
        KeyRefused: Every later call would fail too.
    """
    checked = [by_machine(claim, documents) for claim in claims]
    unsure = {claim.claim_id for claim in checked if is_for_a_reader(claim, documents)}
    open_claims = [claim for claim in checked if claim.verdict == "supported" or claim.claim_id in unsure]
    if not open_claims:
        return checked
    try:
        judgements = await judge(open_claims)
    except KeyRefused:
        raise
    except (ProviderError, BudgetExceeded):
        return checked
    given = {judgement.claim_id: judgement for judgement in judgements}
    return [_judged(claim, given.get(claim.claim_id), unsure=claim.claim_id in unsure) for claim in checked]


def _judged(claim: Claim, judgement: Judgement | None, *, unsure: bool) -> Claim:
    if judgement is None or not (claim.verdict == "supported" or (unsure and is_readers_word(judgement))):
        return claim
    reason = "" if judgement.verdict == "supported" else judgement.reason or _PLAINLY[judgement.verdict]
    return claim.model_copy(update={"verdict": judgement.verdict, "reason": reason, "checked_by": judgement.by})
