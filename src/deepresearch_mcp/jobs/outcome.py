"""Stores the report of a run that has ended, and reads it back as a run object."""

from collections.abc import Awaitable, Callable, Generator
from contextlib import contextmanager

import anyio.to_thread
from pydantic import TypeAdapter, ValidationError

from deepresearch_mcp.exceptions import StoreError
from deepresearch_mcp.jobs.naming import rebuild_command
from deepresearch_mcp.pipeline.check.check_report import assemble_check
from deepresearch_mcp.pipeline.check.checking import CheckFindings
from deepresearch_mcp.pipeline.findings import Findings
from deepresearch_mcp.pipeline.report.assemble import assemble
from deepresearch_mcp.pipeline.report_frame import Facts
from deepresearch_mcp.pipeline.session import Session
from deepresearch_mcp.ports.figures import RunFigures
from deepresearch_mcp.ports.store import Store
from deepresearch_mcp.progress import Progress
from deepresearch_mcp.records.judging import RunJudgement
from deepresearch_mcp.records.run import ENDED, Metrics, Run, RunRow, RunStatus

Judging = Callable[[Session, Run], Awaitable[RunJudgement | None]]


async def keep_outcome(
    session: Session,
    run_id: str,
    status: RunStatus,
    error: dict[str, str] | None,
    progress: Progress,
    judge: Judging | None = None,
) -> Run:
    """Assemble and store the run object: claims in the store, `report.md` and `report.json` in the run's folder."""
    store = session.store
    facts = Facts(
        run_id=run_id,
        status=status,
        metrics=session.metrics(progress),
        provenance=await session.provenance(),
        warnings=tuple(session.warnings),
        path=store.reports.place(run_id),
        without_model=session.degradations.without_model,
        by_rules=session.degradations.by_rules,
        replaced=session.degradations.replaced,
        summary_tokens=session.summary_tokens,
    )
    # In a thread: grading and summing up a hundred pages takes a second or more.
    run = await anyio.to_thread.run_sync(_assembled, session.research.findings, facts, abandon_on_cancel=True)
    run = run.model_copy(update={"error": error, "checklist": progress.checklist})
    if judge and (judgement := await judge(session, run)):
        run = run.model_copy(update={"judgement": judgement})
    await store.claims.save(run_id, run.claims)
    await store.figures.keep(run_id, figures_of(run), session.clock.now().timestamp())
    await store.reports.write(run_id, run.report, run.model_dump_json(indent=1))
    return run


def figures_of(run: Run) -> RunFigures:
    """What a run with a report came to, in numbers alone."""
    used, marks = run.metrics, run.judgement.marks if run.judgement else None
    grades = [one.quality.score for one in run.sources if one.cited and one.quality]
    return RunFigures(
        status=run.status,
        seconds=used.seconds,
        usd=used.usd,
        input_tokens=used.input_tokens,
        output_tokens=used.output_tokens,
        searches=used.searches,
        pages=used.pages,
        rounds=used.rounds,
        sufficiency=run.assessment.sufficiency if run.assessment else 0,
        quality=sum(grades) / len(grades) if grades else None,
        error=(run.error or {}).get("name", ""),
        answer=marks.answer if marks else None,
        process=marks.process if marks else None,
    )


def _assembled(findings: Findings | CheckFindings, facts: Facts) -> Run:
    return assemble_check(findings, facts) if isinstance(findings, CheckFindings) else assemble(findings, facts)


def saved_progress(row: RunRow) -> Progress:
    """The progress of a run as it was last saved."""
    known = {"run_id": row.run_id, "status": row.status, "stage": row.stage}
    return _SAVED.validate_python({**(row.progress or {}), **known})


_SAVED = TypeAdapter(Progress)


async def read_run(store: Store, row: RunRow, progress: Progress, stored: str | None = None) -> Run:
    """Return the run object of any run: from its report if it has ended, else from its progress.

    `stored` is its `report.json` where that is known already.

    Raises:
        StoreError: The stored report cannot be read.
    """
    if row.status in ENDED:
        with _readable(row.run_id):
            stored = stored or await store.reports.read(row.run_id, "report.json")
            if stored is not None:
                return Run.model_validate_json(stored)
    return Run(
        run_id=row.run_id,
        waiting=await store.inquiries.open(row.run_id) if row.status == "input_required" else None,
        status=row.status,
        stage=progress.stage,
        question=row.request.question,
        checklist=progress.checklist,
        metrics=Metrics(
            usd=progress.usd, searches=progress.searches, pages=progress.read, seconds=round(progress.seconds, 1)
        ),
        error=row.error,
        path=store.reports.place(row.run_id),
    )


async def read_report(store: Store, row: RunRow) -> str | None:
    """Return the report of a run that has ended, as Markdown; None if it has none.

    It is read alone, as the whole run object is ten times as long and has to be parsed.

    Raises:
        StoreError: The stored report cannot be read.
    """
    if row.status not in ENDED:
        return None
    with _readable(row.run_id):
        return await store.reports.read(row.run_id, "report.md")


@contextmanager
def _readable(run_id: str) -> Generator[None]:
    try:
        yield
    except (StoreError, UnicodeDecodeError, ValidationError) as error:
        raise StoreError(
            f"The report of run {run_id} cannot be read ({type(error).__name__}).",
            f"Its steps and claims are kept. Make it again with {rebuild_command(run_id)}.",
        ) from error
