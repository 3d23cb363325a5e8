"""The opening of a report once it was audited: it answers every deliverable, or says which it cannot answer."""

from collections.abc import Iterable, Mapping, Sequence

from deepresearch_mcp.pipeline.report.differing import both_sided, disputes
from deepresearch_mcp.pipeline.report.restoring import refilled
from deepresearch_mcp.records.evidence import Claim
from deepresearch_mcp.records.plan import Brief
from deepresearch_mcp.records.report import Draft, Sentence

ANSWER_CHARS = 140
"""The length of an answer of `mode=answer`, which is promised. A report's opening is as long as its answers need."""


def opened(
    brief: Brief, draft: Draft, written: Sequence[Sentence], said: Sequence[Claim], claims: Mapping[str, Claim]
) -> tuple[Sentence, ...]:
    """What opens the audited `draft`; of what sources dispute it states both sides or neither.

    A sub-question that it answered as `written`, and no longer does, the best claim of `said` on it answers. A
    deliverable that it answered, and nothing in the report answers any more, is told as not established. Where there is
    nothing but disputes, the best founded one is the answer.
    """
    sound = both_sided(draft.in_short, claims)
    # Where nothing is left, `opening` has a rule of its own. A deliverable that is lost is told as lost: the words of a
    # claim, set behind an answer, would read as a part of it.
    sound = refilled(written, sound, said, claims) if sound and not brief.scope.deliverables else sound
    shown = both_sided(opening(brief, sound, said), claims) or opening(brief, (), said)
    if not shown:
        shown = _best_dispute(brief, draft, claims)
    return (*shown, *_lost(brief, (*shown, *draft.sentences), written, claims))


def _best_dispute(brief: Brief, draft: Draft, claims: Mapping[str, Claim]) -> tuple[Sentence, ...]:
    sides = next((one.sides for one in disputes(draft.differences, claims)), ())
    if brief.request.mode != "answer":
        return sides
    each = (ANSWER_CHARS - len(sides)) // max(1, len(sides))
    return tuple(side.model_copy(update={"text": shortened(side.text, each)}) for side in sides)


def _lost(
    brief: Brief, left: Iterable[Sentence], written: Iterable[Sentence], claims: Mapping[str, Claim]
) -> tuple[Sentence, ...]:
    """A sentence for each deliverable that the opening answered before the audit, and that no sentence answers now."""
    if brief.request.mode == "answer":
        return ()
    before, now = _answered(written, claims), _answered(left, claims)
    return tuple(
        Sentence(text=f"Could not be established from the sources that were read: {one.text.rstrip('.')}.")
        for one in brief.scope.deliverables
        if one.id in before - now
    )


def _answered(sentences: Iterable[Sentence], claims: Mapping[str, Claim]) -> set[str]:
    """The points that sentences speak of, by what their claims cover."""
    return {point for one in sentences for name in one.rests_on if name in claims for point in claims[name].covers}


def opening(brief: Brief, sentences: Sequence[Sentence], claims: Sequence[Claim]) -> tuple[Sentence, ...]:
    """All sentences; for `mode=answer` whole ones from the first on, as far as its length goes.

    Where none is left, or not one fits, the best supported claim that fits stands as it is; only then a sentence is cut
    with `…`.
    """
    if brief.request.mode != "answer" and sentences:
        return tuple(sentences)
    kept: list[Sentence] = []
    left = ANSWER_CHARS
    for sentence in sentences:
        if len(sentence.text) > left:
            break
        kept.append(sentence)
        left -= len(sentence.text) + 1
    if kept:
        return tuple(kept)
    sound = [claim for claim in claims if claim.verdict == "supported"]
    if brief.request.mode != "answer":
        best = max(sound, key=lambda claim: (claim.backing, claim.score), default=None)
        return (_as_sentence(best),) if best else ()
    sound.sort(key=lambda claim: (len(claim.text) > ANSWER_CHARS, -claim.backing, -claim.score))
    own = [_as_sentence(claim) for claim in sound]
    whole = [sentence for sentence in own if len(sentence.text) <= ANSWER_CHARS]
    if whole or not (too_long := [*sentences, *own]):
        return tuple(whole[:1])
    return (too_long[0].model_copy(update={"text": shortened(too_long[0].text, ANSWER_CHARS)}),)


def _as_sentence(claim: Claim) -> Sentence:
    return Sentence(text=claim.text, claim_ids=(claim.claim_id,))


def shortened(text: str, limit: int) -> str:
    """The text in at most `limit` characters, cut between words and marked with `…` where it is longer."""
    if len(text) <= limit:
        return text
    head = text[: limit - 1]
    if text[limit - 1].isalnum() and " " in head:
        head = head[: head.rfind(" ")]
    return head.rstrip(" ,;:–—-") + "…"
