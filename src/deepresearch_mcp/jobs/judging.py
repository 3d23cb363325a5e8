"""Has a run judged when it has ended, where the settings name a judge. A judge's failure changes nothing in the run."""

import secrets

from deepresearch_mcp.budget import Ledger
from deepresearch_mcp.exceptions import DeepResearchError, ProviderError
from deepresearch_mcp.pipeline import steps
from deepresearch_mcp.pipeline.judging import Judge, mark_run
from deepresearch_mcp.pipeline.session import Session
from deepresearch_mcp.pipeline.signal import at_most, leaf
from deepresearch_mcp.ports.clock import Clock
from deepresearch_mcp.ports.journal import Journal
from deepresearch_mcp.records.judging import RunJudgement, overall
from deepresearch_mcp.records.run import Run
from deepresearch_mcp.runtime import Runtime
from deepresearch_mcp.settings.judging import JudgingSettings
from deepresearch_mcp.tally import Tally
from deepresearch_mcp.thinking import Thinkers

_UNBOUND = 24 * 60.0
"""Minutes."""
_SECONDS = 120.0
"""Time that a judge has, all attempts together: the run waits for it."""


async def open_judge(
    thinkers: Thinkers, name: str, journal: Journal, ledger: Ledger, clock: Clock, *subject: str, tally: Tally
) -> Judge:
    """Open a judge whose calls are steps of this journal. `subject`: what it judges.

    Raises:
        SettingsError: The model lacks its key.
    """

    async def now() -> tuple[str, str]:
        return secrets.token_hex(4), clock.today().isoformat()

    # Both stand in the prompts: drawn again, the same question would be another one, and paid for again.
    step = steps.for_judge("opening", name, *subject)
    nonce, day = await journal.step(step, now, kind="decision", result=tuple[str, str])
    return Judge(name, thinkers.judge(name, journal, ledger, nonce, tally), journal, clock.today().fromisoformat(day))


async def judged(runtime: Runtime, session: Session, run: Run) -> RunJudgement | None:
    """Return the judgement of a run; None if no judge is set, or the run is no research with a report.

    Its calls are steps of the run, so a resumed run does not pay for them again. They use at most `max_usd`, and at
    most what the run has left of its own ceilings. Where the judge fails, `error` says why.
    """
    settings = runtime.settings.judging
    if not settings.model or run.checks or run.status not in {"completed", "partial"} or not run.report:
        return None
    found: list[RunJudgement] = []
    failure: DeepResearchError | None = None

    async def ask() -> None:
        found.append(await _asked(settings, runtime.thinkers, session, run))

    try:
        await at_most(session.clock, _SECONDS, ask)
    except* DeepResearchError as group:
        failure = leaf(group)
    if found:
        return found[0]
    why = str(failure) if failure else f"It did not answer within {_SECONDS:g} seconds."
    return RunJudgement(judge=settings.model, error=why)


def _ledger(session: Session, max_usd: float) -> Ledger:
    """At most this much of what the run has left; its report is there, so its time no longer binds."""
    shape, used = session.request.shape, session.ledger.used
    left = {
        "max_usd": min(max_usd, max(0.0, shape.max_usd - used.usd)),
        "max_tokens": max(0, shape.max_tokens - used.tokens),
        "max_minutes": _UNBOUND,
    }
    return Ledger(shape.model_copy(update=left), session.clock, share=session.ledger.share)


async def _asked(settings: JudgingSettings, thinkers: Thinkers, session: Session, run: Run) -> RunJudgement:
    name, ledger, tally = thinkers.judge_named(settings.model), _ledger(session, settings.max_usd), Tally()
    if not name:
        raise ProviderError("judging.model", "it names no model, and none is configured")
    judge = await open_judge(thinkers, name, session.journal, ledger, session.clock, run.run_id, tally=tally)
    marks = await mark_run(run, judge)
    return RunJudgement(
        judge=name,
        overall=overall(marks),
        answer=marks.answer,
        process=marks.process,
        marks=marks,
        usd=round(ledger.used.usd, 6),
        tokens=ledger.used.tokens,
    )
