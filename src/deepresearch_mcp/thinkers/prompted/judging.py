"""The question that verification asks a model: judge."""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import get_args

from deepresearch_mcp.prompts.templates import one_line
from deepresearch_mcp.records.evidence import Claim, Judgement, Verdict
from deepresearch_mcp.thinkers.prompted import deciding, lines
from deepresearch_mcp.thinkers.prompted.answers import FAULTS, ClaimVerdict, JudgeAnswer, SheetAnswer
from deepresearch_mcp.thinkers.prompted.claim_sheet import ClaimSheet
from deepresearch_mcp.thinkers.prompted.material import Labels
from deepresearch_mcp.thinkers.prompted.prompt_spec import (
    FilledPrompt,
    Halves,
    PromptContext,
    PromptSpec,
    in_two,
    joined,
)
from deepresearch_mcp.thinkers.tasks import JudgeClaims

DECIDING = 160
"""Characters of the page's sentence that decided."""

_VERDICTS: dict[str, Verdict] = {word: word for word in get_args(Verdict)}


def judge(task: JudgeClaims, context: PromptContext) -> FilledPrompt[SheetAnswer, tuple[Judgement, ...]]:
    """Ask for a verdict on each claim."""
    labels = Labels("c", sorted(task.claims, key=_place))
    sheet = ClaimSheet(labels, context.nonce)
    return FilledPrompt(
        values={"today": task.brief.today.isoformat(), "claims": sheet.text},
        result=lambda answer: verdicts(_each(answer), labels, sheet.sentence),
        max_tokens=200 + 40 * len(labels.items),
        limits={name: {"maxItems": len(labels.items)} for name in ("supported", "verdicts")},
    )


def _each(answer: SheetAnswer) -> JudgeAnswer:
    """A verdict for each claim; a fault that is told counts more than a place in the list of those supported."""
    ids = (name for said in answer.supported for name in re.split(r"[,;\s]+", said))
    return JudgeAnswer(verdicts=[*answer.verdicts, *(ClaimVerdict(claim_id=one, verdict="supported") for one in ids)])


def _in_lines(text: str) -> SheetAnswer | None:
    found = lines.judge(text)
    return SheetAnswer(verdicts=found.verdicts) if found else None


def _place(claim: Claim) -> tuple[str, int]:
    # Claims of one page stand together: its sentences are shown once.
    return claim.quotes[0].source_id, claim.quotes[0].start


def numbered_alone(claim: Claim, number: str) -> str:
    """The sentence with this number where `deciding.to_judge` showed the claim by itself."""
    shown = deciding.shown_to_judge(claim)
    return Labels("", shown).find(number) or (shown[0] if len(shown) == 1 else "")


def verdicts(
    answer: JudgeAnswer, labels: Labels[Claim], sentence: Callable[[Claim, str], str] = numbered_alone
) -> tuple[Judgement, ...] | None:
    """The verdicts on what was shown under these labels; None: not one can be read.

    `sentence`: what was shown of a claim's pages under a number.
    """
    found: dict[str, Judgement] = {}
    for item in answer.verdicts:
        claim, verdict = labels.find(item.claim_id), _VERDICTS.get(_word(item.verdict))
        if claim and verdict:
            # An order is no claim, whatever the verdict says.
            verdict = "unsupported" if _word(item.fault) == "order" else verdict
            reason = "" if verdict == "supported" else _reason(item, sentence(claim, item.sentence))
            found.setdefault(claim.claim_id, Judgement(claim_id=claim.claim_id, verdict=verdict, reason=reason))
    return tuple(found.values()) or None


def _reason(item: ClaimVerdict, found: str) -> str:
    """What decided, in our words, with the page's own sentence where one shows it; never a model's own words."""
    fault = _word(item.fault).replace(" ", "_")
    if fault in {"not_said", "order"}:
        # A report never repeats an order, not even as a reason.
        return FAULTS[fault]
    return ": ".join(filter(None, (FAULTS.get(fault, ""), found and f"“{one_line(found, DECIDING)}”")))


def _word(text: str) -> str:
    return text.strip(" .*`").lower()


def _halves(task: JudgeClaims) -> Sequence[JudgeClaims]:
    return [replace(task, claims=some) for some in in_two(task.claims)]


JUDGE = PromptSpec(
    prompt="judge",
    role="verifier",
    lines=_in_lines,
    fill=judge,
    shape=SheetAnswer,
    halves=Halves(_halves, joined),
    doing=JudgeClaims.doing,
)

HANDLERS = (JudgeClaims.by(JUDGE.ask),)
