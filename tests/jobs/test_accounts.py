"""The books of a run, and the ceilings of a day, over whole runs."""

from pathlib import Path
from typing import Any

import pytest

from deepresearch_mcp.exceptions import DayCeilingMet
from deepresearch_mcp.jobs.accounts import accounts_of, stage_or_other
from deepresearch_mcp.jobs.jobs import open_jobs
from deepresearch_mcp.ports.journal import StepRow, Used
from deepresearch_mcp.records.request import ResearchRequest
from deepresearch_mcp.runtime import open_runtime
from deepresearch_mcp.settings.schema import Settings
from scholar import Scholar
from small_web import QUESTION, settings_for, small_web
from whole_runs import opened, researched
from wires import Scripted, serve

PRICED = {"prices": {"openai:scholar": {"input": 10.0, "output": 50.0}}, "retries": 0}


def row(key: str, kind: Any, status: Any, used: Used | None = None) -> StepRow:
    return StepRow(key, kind, status, 1, (), "", None, None, None, 0.0, None, used)


def test_steps_are_summed_by_stage_role_model_and_engine() -> None:
    books = accounts_of(
        [
            row("read/q1/a", "model", "done", Used("openai:x", "reader", 0.2, 10, 5, 3)),
            row("read/q1/b", "model", "started", Used("openai:x", "reader", 0.1, 40, 60)),
            row("write/1", "model", "done", Used("openai:y", "writer", None, 7, 8, earlier_usd=0.05, earlier_tokens=9)),
            row("write/2", "model", "error", Used("openai:y", "writer")),
            row("search/1/one", "search", "done", Used("one", searches=1)),
            row("search/2/one", "search", "error"),
            row("fetch/1", "fetch", "done", Used("one.example", pages=1)),
            row("nonce", "decision", "done"),
        ]
    )

    total = books.total
    assert (total.calls, total.input_tokens, total.output_tokens, total.cached_tokens) == (2, 17, 13, 3)
    assert total.usd == pytest.approx(0.35)
    assert (total.in_doubt, total.doubt_tokens, total.usd_known) == (2, 109, False)
    assert total.doubt_usd == pytest.approx(0.15)
    assert (total.searches, total.pages) == (2, 1)
    assert set(books.stages) == {"reader", "writer", "searcher"}
    assert set(books.roles) == {"reader", "writer"}
    assert books.models["openai:x"].usd == pytest.approx(0.3)
    assert books.engines["one"].searches == 2
    assert (stage_or_other("gaps"), stage_or_other("clock/today")) == ("analyst", "other")


def timed(key: str, kind: Any, used: Used, started: float, ended: float, *needs: str) -> StepRow:
    return StepRow(key, kind, "done", 1, needs, "", None, None, None, started, ended, used)


def test_steps_are_summed_by_sub_question_with_their_times() -> None:
    books = accounts_of(
        [
            timed("search/ab/one", "search", Used("one", searches=1), 0.0, 1.0),
            StepRow("admit/ab/one/first/q2", "decision", "done", 1, ("search/ab/one",), "", None, None, None, 1.0, 1.0),
            timed("fetch/cd", "fetch", Used("one.example", pages=1), 1.0, 3.0, "search/ab/one"),
            timed("read/q2/ef", "model", Used("p:m", "reader", 0.1, 70, 30), 3.0, 7.0),
            timed("read/q10/ef", "model", Used("p:m", "reader", 0.1, 70, 30), 3.0, 4.0),
            timed("sketch", "model", Used("p:m", "writer", 0.2, 7, 3), 8.0, 9.0),
        ]
    )

    assert list(books.sub_questions) == ["q2", "q10", "shared"]
    second = books.sub_questions["q2"]
    assert (second.searches, second.pages, second.calls, second.usd) == (1, 1, 1, 0.1)
    assert (second.began, second.ended, second.seconds) == (0.0, 7.0, 7.0)


async def test_the_books_say_what_the_metrics_say_and_a_day_that_is_used_up_begins_no_run(tmp_path: Path) -> None:
    async with small_web() as web, serve(Scripted(Scholar().answer)) as model:
        table = settings_for(tmp_path, web.base).model_dump()
        table["model"] |= PRICED | {"openai_base_url": f"{model}/v1"}
        table["limits"] = {"usd_per_day": 0.2, "usd_per_day_and_caller": 0.15}
        asked = ResearchRequest(question=QUESTION, effort="quick", model="openai:scholar", max_usd=5)
        async with open_runtime(Settings.model_validate(table)) as runtime, open_jobs(runtime) as jobs:
            row = await jobs.start_or_join(asked)
            await jobs.follow(row.run_id)
            run = await jobs.result(row.run_id)
            books = accounts_of(await runtime.store.spending.steps(row.run_id))
            second = await jobs.start_or_join(asked, "you", fresh=True)
            await jobs.follow(second.run_id, "you")
            other = await jobs.result(second.run_id, "you")

        async with open_runtime(
            Settings.model_validate(table | {"limits": {"usd_per_day": run.metrics.usd / 2}})
        ) as runtime:
            with pytest.raises(DayCeilingMet, match=r"limits\.usd_per_day"):
                await runtime.check(asked, "you")

    assert run.status == "partial"
    assert any("limits.usd_per_day_and_caller was met" in warning for warning in run.warnings)
    assert 0 < run.metrics.usd <= 0.15
    assert run.metrics.usd + other.metrics.usd <= 0.2 + 1e-9
    metrics, total = run.metrics, books.total
    assert total.usd == pytest.approx(metrics.usd, abs=1e-6)
    assert (total.calls, total.input_tokens, total.output_tokens) == (
        metrics.model_calls,
        metrics.input_tokens,
        metrics.output_tokens,
    )
    assert total.searches == metrics.searches
    assert {role: one.input_tokens + one.output_tokens for role, one in books.roles.items() if one.calls} == (
        metrics.tokens_by_role
    )


PAID = {"search": {"prices": {"searxng": 0.01}}}


async def test_paid_queries_stand_in_metrics_report_books_and_the_days_account_without_any_model(tmp_path: Path):
    async with small_web() as web, opened(tmp_path, web, more=PAID) as jobs:
        run = await researched(jobs)
        store = jobs.runtime.store

        books = accounts_of(await store.spending.steps(run.run_id))
        of_the_day = sum(one.usd for one in await store.spending.since(0.0))

    assert run.metrics.searches == len(web.asked) > 0
    cost = pytest.approx(0.01 * run.metrics.searches)
    assert (run.metrics.usd, run.metrics.search_usd) == (cost, cost)
    assert (books.engines["searxng"].usd, books.total.usd, of_the_day) == (cost, cost, cost)
    assert f"Cost: ${run.metrics.usd:.2f} · " in run.report


@pytest.mark.parametrize("limit", ["max_usd", "limits.usd_per_day"])
async def test_a_ceiling_of_money_holds_for_queries_too(tmp_path: Path, limit: str):
    given = {"max_usd": 0.03} if limit == "max_usd" else {}
    more = PAID | ({} if given else {"limits": {"usd_per_day": 0.03}})
    async with small_web() as web, opened(tmp_path, web, more=more) as jobs:
        run = await researched(jobs, effort="standard", **given)

    assert 0 < len(web.asked) * 0.01 <= run.metrics.usd <= 0.03
    assert run.status == "partial"
    assert any(f"{limit} was met" in warning for warning in run.warnings)


async def test_where_the_day_is_used_up_no_run_that_pays_for_queries_begins(tmp_path: Path):
    async with small_web() as web:
        async with opened(tmp_path, web, more=PAID) as jobs:
            run = await researched(jobs)
        async with opened(tmp_path, web, more=PAID | {"limits": {"usd_per_day": run.metrics.usd}}) as jobs:
            with pytest.raises(DayCeilingMet, match=r"limits\.usd_per_day"):
                await jobs.start_or_join(ResearchRequest(question=QUESTION), fresh=True)
