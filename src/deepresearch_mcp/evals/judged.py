"""Asks the thinker's judge about single claims with given evidence, and turns its judgements into numbers."""

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256

import anyio

from deepresearch_mcp.evals.lab import Lab
from deepresearch_mcp.exceptions import AnswerCut, AnswerRefused, ContextOverflow, UnreadableAnswer
from deepresearch_mcp.ports.journal import Step
from deepresearch_mcp.records.evidence import Claim, Judgement, Quote
from deepresearch_mcp.thinkers.tasks import JudgeClaims

_AT_ONCE = 8
"""Claims judged at the same time."""
_WORTH = {"supported": 1.0, "partly": 0.5}


@dataclass(frozen=True, slots=True)
class JudgedCase:
    """A claim and the evidence to judge it by."""

    claim: str
    shown: tuple[str, ...]
    """Parts of the evidence, in their order; the judge sees nothing else."""


async def opinions(name: str, cases: Sequence[JudgedCase], lab: Lab) -> list[float | None]:
    """Get a number between 0 and 1 for each case, in the order of the cases.

    The number is the judge's score if it gives one; else 1 for `supported`, ½ for `partly` and 0 for other verdicts.
    It is None if no readable judgement came. Cases without evidence (an article without any word of the claim) get 0
    without asking the model.

    Raises:
        ProviderError: The model could not be asked; in an exception group, because cases run concurrently.
        BudgetExceeded: A ceiling was met; in an exception group too.
    """
    found: dict[JudgedCase, float | None] = dict.fromkeys(cases)
    limit = anyio.CapacityLimiter(_AT_ONCE)

    async def ask(case: JudgedCase) -> None:
        async with limit:
            found[case] = await _opinion(name, case, lab)

    async with anyio.create_task_group() as asking:
        # Each case once: sets contain duplicates, and a journal refuses duplicate steps.
        for case in list(found):
            asking.start_soon(ask, case)
    return [found[case] for case in cases]


async def _opinion(name: str, case: JudgedCase, lab: Lab) -> float | None:
    text, shown = case.claim.strip(), [part for part in case.shown if part.strip()]
    if not text or not shown:
        return 0.0
    key = sha256("\n".join((text, *shown)).encode()).hexdigest()[:16]
    claim = Claim(claim_id=f"c{key[:10]}", sub_question="q0", text=text, quotes=_quotes(shown))
    try:
        judgements = await lab.thinker.ask(JudgeClaims(lab.brief(text), [claim]), Step(f"{name}/{key}"))
    except (UnreadableAnswer, AnswerCut, AnswerRefused, ContextOverflow):
        return None
    return next((_number(one) for one in judgements if one.claim_id == claim.claim_id), None)


def _quotes(shown: Sequence[str]) -> tuple[Quote, ...]:
    """A quote for each part, with offsets into the text that the parts form together."""
    text = "\n".join(shown)
    snapshot = sha256(text.encode()).hexdigest()
    quotes: list[Quote] = []
    start = 0
    for part in shown:
        quotes.append(Quote(source_id="s1", snapshot=snapshot, start=start, end=start + len(part), text=part))
        start += len(part) + 1
    return tuple(quotes)


def _number(judgement: Judgement) -> float:
    return _WORTH.get(judgement.verdict, 0.0) if judgement.score is None else judgement.score
