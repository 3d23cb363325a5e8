from deepresearch_mcp.jobs.asking import checked_request
from deepresearch_mcp.ports.figures import Rating, RunFigures
from deepresearch_mcp.ports.store import Store

NOW = 1_000.0


async def test_figures_are_summed_by_status_and_counted_within_bounds(store: Store) -> None:
    await store.figures.keep("a", RunFigures("completed", 10.0, 0.5, 100, 20, 3, 4, 2, 8, 0.5), NOW)
    await store.figures.keep("b", RunFigures("completed", 70.0, 0.25, 10, 2, 1, 1, 1, 0, None), NOW)
    await store.figures.keep("c", RunFigures("failed", 1.0, error="BUDGET_EXCEEDED"), NOW)

    totals = await store.figures.totals((5.0, 60.0))

    completed, failed = totals.ended
    assert (completed.runs, completed.usd, completed.input_tokens, completed.within) == (2, 0.75, 110, (0, 1))
    assert (completed.assessed, completed.sufficiency, completed.graded, completed.quality) == (1, 8, 1, 0.5)
    assert (failed.status, failed.within) == ("failed", (1, 1))
    assert totals.errors == {"BUDGET_EXCEEDED": 1}


async def test_marks_of_judges_are_summed_over_the_runs_that_have_some(store: Store) -> None:
    await store.figures.keep("a", RunFigures("completed", answer=8.0, process=6.0), NOW)
    await store.figures.keep("b", RunFigures("completed", answer=7.0, process=5.0), NOW)
    await store.figures.keep("c", RunFigures("completed"), NOW)

    [only] = (await store.figures.totals((5.0,))).ended
    assert (only.runs, only.judged, only.answer, only.process, only.within) == (3, 2, 15.0, 11.0, (3,))


async def test_the_second_end_of_a_run_replaces_the_first(store: Store) -> None:
    await store.figures.keep("a", RunFigures("partial", 10.0, 0.5), NOW)
    await store.figures.keep("a", RunFigures("completed", 12.0, 0.6), NOW)

    [only] = (await store.figures.totals(())).ended
    assert (only.status, only.runs, only.usd) == ("completed", 1, 0.6)


async def test_closing_a_run_keeps_the_fuller_figures_of_its_report(store: Store) -> None:
    await store.figures.keep("a", RunFigures("completed", 10.0, 0.5, 100), NOW)
    await store.figures.close("a", RunFigures("failed", 11.0, error="STORE_ERROR"), NOW)
    await store.figures.close("b", RunFigures("failed", 2.0, 0.1), NOW)

    [only] = (await store.figures.totals(())).ended
    assert (only.status, only.runs, only.input_tokens, only.seconds) == ("failed", 2, 100, 12.0)


async def test_a_deleted_run_loses_its_rating_and_its_figures_still_count(store: Store) -> None:
    await store.runs.create("a", "local", checked_request({"question": "Why?"}), "f", NOW)
    await store.figures.rate("a", Rating("down", "thin", NOW))
    await store.figures.rate("a", Rating("up", "", NOW))
    await store.figures.keep("a", RunFigures("completed", 1.0), NOW)

    assert await store.figures.rating("a") == Rating("up", "", NOW)
    before = await store.figures.totals(())
    await store.runs.move("a", NOW, status="completed")
    await store.runs.delete("a", NOW)
    after = await store.figures.totals(())

    assert (before.open, before.ratings) == ({"running": 1}, {"up": 1})
    assert (after.open, after.ratings, len(after.ended)) == ({}, {}, 1)
    assert await store.figures.rating("a") is None
