"""The direct answer: how long it may be, and what answers where no writer did."""

from collections.abc import Sequence

from deepresearch_mcp.records.evidence import Claim
from deepresearch_mcp.records.plan import Brief
from deepresearch_mcp.records.report import Sentence

IN_SHORT_CHARS = 700
"""Asked of the writer."""
_OVER = 1.3
"""How much longer it may come out: a sentence that was worded down is sometimes longer than it was."""
ANSWER_CHARS = 140


def opening_chars(brief: Brief) -> int:
    """How long the direct answer may be."""
    return ANSWER_CHARS if brief.request.mode == "answer" else IN_SHORT_CHARS


def opening_limit(brief: Brief) -> int:
    """How long it may stay once it was audited; an answer of `mode=answer` never exceeds what was promised."""
    return ANSWER_CHARS if brief.request.mode == "answer" else round(_OVER * IN_SHORT_CHARS)


def opening(sentences: Sequence[Sentence], claims: Sequence[Claim], limit: int) -> tuple[Sentence, ...]:
    """The direct answer in at most `limit` characters, blanks between sentences included.

    Whole sentences from the first on; where not one fits or none is left, the best supported claim that fits, as it
    stands; only then a sentence cut with `…`.
    """
    kept: list[Sentence] = []
    left = limit
    for sentence in sentences:
        if len(sentence.text) > left:
            break
        kept.append(sentence)
        left -= len(sentence.text) + 1
    if kept:
        return tuple(kept)
    sound = [claim for claim in claims if claim.verdict == "supported"]
    sound.sort(key=lambda claim: (len(claim.text) > limit, -claim.backing, -claim.score))
    own = [Sentence(text=claim.text, claim_ids=(claim.claim_id,)) for claim in sound]
    whole = [sentence for sentence in own if len(sentence.text) <= limit]
    if whole or not (too_long := [*sentences, *own]):
        return tuple(whole[:1])
    return (too_long[0].model_copy(update={"text": shortened(too_long[0].text, limit)}),)


def shortened(text: str, limit: int) -> str:
    """The text in at most `limit` characters, cut between words and marked with `…` where it is longer."""
    if len(text) <= limit:
        return text
    head = text[: limit - 1]
    if text[limit - 1].isalnum() and " " in head:
        head = head[: head.rfind(" ")]
    return head.rstrip(" ,;:–—-") + "…"
