"""What an answer on a finished sentence says of it: its words as ours, and the claim that decides or is lacking."""

from collections.abc import Sequence

from deepresearch_mcp.prompts.templates import one_line
from deepresearch_mcp.records.evidence import Claim, Judgement, Verdict
from deepresearch_mcp.thinkers.prompted import judging
from deepresearch_mcp.thinkers.prompted.answers import (
    ELSEWHERE,
    FAULTS,
    JUDGEMENT_FAULTS,
    JudgementVerdict,
    SentenceVerdict,
)
from deepresearch_mcp.thinkers.prompted.material import Labels


def word(text: str) -> str:
    """A word from a list, as a model may have written it."""
    return "_".join(text.strip(" .*`").lower().split())


def judgement(
    name: str,
    item: SentenceVerdict | JudgementVerdict,
    verdict: Verdict,
    claims: Labels[Claim],
    own: Sequence[Claim],
    why: str,
) -> Judgement:
    """What an answer says of the sentence of this name, which rests on its `own` claims; `why` it does not hold.

    An order is no statement, whatever the verdict says.
    """
    lacking = _also(item, claims, own)
    verdict = "unsupported" if word(item.fault) == "order" else "supported" if lacking else verdict
    sound = verdict == "supported"
    mislabelled = sound and word(item.verdict) == "mislabelled"
    return Judgement(claim_id=name, verdict=verdict, reason="" if sound else why, mislabelled=mislabelled, also=lacking)


def _also(item: SentenceVerdict | JudgementVerdict, claims: Labels[Claim], own: Sequence[Claim]) -> str:
    """The claim with which the sentence holds, where the answer says that it does and names one that is not its own."""
    claim = claims.find(item.shown_by) if word(item.fault) == ELSEWHERE else None
    return claim.claim_id if claim and claim.claim_id not in {one.claim_id for one in own} else ""


def reason(item: SentenceVerdict, claims: Labels[Claim]) -> str:
    """What decided, in our words, with the page's own where a claim shows it; never a model's own words."""
    fault = word(item.fault)
    said = FAULTS.get("not_said" if fault == ELSEWHERE else fault, "")
    claim = claims.find(item.shown_by)
    # A report never repeats an order, not even as a reason.
    if fault in {"not_said", "order", ELSEWHERE} or claim is None:
        return said
    return ": ".join(filter(None, (said, f"“{one_line(claim.quotes[0].text, judging.DECIDING)}”")))


def reason_of_judgement(item: JudgementVerdict) -> str:
    """The same for a judgement of the report's own."""
    fault = word(item.fault)
    return JUDGEMENT_FAULTS.get("fact" if fault == ELSEWHERE else fault, "")
