"""Runs that are judged when they have ended."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from deepresearch_mcp.records.run import Run
from scholar import Scholar
from small_web import small_web
from whole_runs import opened, researched
from wires import Asked, Fault, Scripted, serve

MARKS = {"complete": 8, "founded": 9, "clear": "7/10", "searching": 6, "sources": 5, "checking": 7, "why": "Sound."}


async def judged_run(
    tmp_path: Path, says: Callable[[Asked], object], **given: Any
) -> tuple[Run, Run, Scripted, list[Any]]:
    """A run with a judge of its own model name, the same run resumed, what was asked, and the store's figures."""
    scholar = Scholar()

    def answers(asked: Asked) -> object:
        return says(asked) if asked["model"] == "judge" else scholar.answer(asked)

    scripted = Scripted(answers)
    more = {"judging": {"model": "openai:judge"} | given}
    async with small_web() as web, serve(scripted) as model, opened(tmp_path, web, model, more=more) as jobs:
        run = await researched(jobs, model="openai:scholar")
        totals = await jobs.runtime.store.figures.totals(())
        rows = [row.key for row in await rows_of(jobs, run.run_id)]
        again = await rebuilt(jobs, run.run_id)
    return run, again, scripted, [totals, rows]


async def rows_of(jobs: Any, run_id: str) -> Any:
    async with jobs.runtime.store.journal(run_id) as journal:
        return await journal.rows()


async def rebuilt(jobs: Any, run_id: str) -> Run:
    from deepresearch_mcp.jobs.attempts import resume_run

    row = await resume_run(jobs, run_id, complete=True)
    await jobs.follow(row.run_id)
    return await jobs.result(row.run_id)


async def test_a_run_is_marked_once_by_its_report_and_its_process_and_the_marks_are_kept(tmp_path: Path) -> None:
    run, again, scripted, (totals, keys) = await judged_run(tmp_path, lambda asked: MARKS)

    judgement = run.judgement
    assert judgement is not None
    assert (judgement.judge, judgement.answer, judgement.process, judgement.overall) == ("openai:judge", 8, 6, 7.2)
    assert judgement.marks is not None
    assert judgement.marks.why == "Sound."
    assert judgement.tokens > 0
    [asked] = [one for one in scripted.asked if one["model"] == "judge"]
    shown = asked["prompt"]
    assert run.question in shown
    assert "Query: " in shown
    assert "Cited: The density of ice" in shown
    assert "scholar" not in shown, "the judge does not learn which model wrote"
    assert "Evidence: " not in shown
    [ended] = totals.ended
    assert (ended.judged, ended.answer, ended.process) == (1, 8.0, 6.0)
    assert sum(key.startswith("judged/run/") for key in keys) == 1
    assert again.judgement is not None
    assert again.judgement.overall == 7.2
    assert again.status == run.status == "completed"


async def test_a_judge_that_fails_changes_nothing_but_says_why(tmp_path: Path) -> None:
    run, _, _, (totals, _) = await judged_run(tmp_path, lambda asked: Fault(401, "no such key"))

    assert run.status == "completed"
    assert run.judgement is not None
    assert run.judgement.marks is None
    assert "openai" in run.judgement.error
    assert totals.ended[0].judged == 0


async def test_a_judge_has_a_ceiling_of_its_own(tmp_path: Path) -> None:
    priced = {"openai:judge": {"input": 1_000.0, "output": 1_000.0}}
    scholar = Scholar()
    scripted = Scripted(lambda asked: MARKS if asked["model"] == "judge" else scholar.answer(asked))
    more = {"judging": {"model": "openai:judge", "max_usd": 0.01}, "model": {"prices": priced}}
    async with small_web() as web, serve(scripted) as model, opened(tmp_path, web, model, more=more) as jobs:
        run = await researched(jobs, model="openai:scholar")

    assert run.status == "completed"
    assert run.judgement is not None
    assert "max_usd" in run.judgement.error
    assert [one for one in scripted.asked if one["model"] == "judge"] == []


async def test_no_run_is_judged_unless_it_was_asked_for(tmp_path: Path) -> None:
    scripted = Scripted(Scholar().answer)
    async with small_web() as web, serve(scripted) as model, opened(tmp_path, web, model) as jobs:
        run = await researched(jobs, model="openai:scholar")

    assert run.judgement is None
