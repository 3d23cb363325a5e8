"""Forks and deletions: a run's rows as a whole."""

from collections.abc import Callable
from typing import Any

import pytest

from deepresearch_mcp.exceptions import StoreError
from deepresearch_mcp.ports.journal import Step, Used
from deepresearch_mcp.ports.store import Store
from deepresearch_mcp.records.request import ResearchRequest
from deepresearch_mcp.records.sources import Document
from deepresearch_mcp.store import runs

Create = Callable[..., Any]


async def done(store: Store, *keys: str) -> None:
    async def value() -> str:
        return "paid for"

    async with store.journal("r1") as journal:
        for key in keys:
            await journal.step(Step(key), value, kind="model", result=str, used=lambda _: Used(usd=1.0))


async def test_a_fork_has_the_finished_steps_but_those_of_the_stages_done_anew_and_has_paid_nothing(
    store: Store, create: Create, document: Callable[..., Document]
) -> None:
    await create(store)
    await done(store, "plan", "planning", "read/q1/1", "write/1/a", "conclude")
    await store.documents.save(document("Ice floats."), "r1")

    row = await store.runs.fork(
        "r1", "r2", ResearchRequest(question="Why?"), "f2", "same", 200.0, ("write", "conclude", "plan")
    )

    assert row is not None
    assert (row.origin, row.caller, row.status, row.setup) == ("r1", "me", "running", "same")
    async with store.journal("r2") as journal:
        rows = await journal.rows()
    # What is made anew is known to whoever carries it out.
    [forked] = [one for one in rows if one.key == "forked"]
    assert (forked.kind, forked.result) == ("decision", '["write","conclude","plan"]')
    assert [(one.key, one.status, one.cost, one.used) for one in rows if one is not forked] == [
        ("planning", "done", None, None),
        ("read/q1/1", "done", None, None),
    ]
    assert len(await store.documents.cards("r2")) == 1
    async with store.journal("r1") as journal:
        assert len(await journal.rows()) == 5


async def test_a_fork_that_cannot_be_filled_is_not_begun(
    store: Store, create: Create, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **__: object) -> None:
        raise StoreError("The disk is full.")

    await create(store)
    monkeypatch.setattr(runs, "copy_steps", full)

    with pytest.raises(StoreError):
        await store.runs.fork("r1", "r2", ResearchRequest(question="Why?"), "f2", "same", 200.0, ())

    assert await store.runs.get("r2") is None


async def test_there_is_no_fork_of_what_is_not_there(store: Store) -> None:
    assert await store.runs.fork("r1", "r2", ResearchRequest(question="Why?"), "f", "", 1.0, ()) is None


async def test_a_deleted_run_leaves_nothing_and_takes_nothing_that_others_hold(
    store: Store, place: Any, create: Create, document: Callable[..., Document]
) -> None:
    async with place() as gone:
        await create(gone, "r1")
        await done(gone, "plan", "conclude")
        for name in ("r1", "r2"):
            await gone.documents.save(document("Both read this."), name)
        await gone.documents.save(document("Only one read this.", "https://example.org/one"), "r1")
        await gone.events.add("r1", 1.0, "started", {})

    deleted = await store.runs.delete("r1", 400.0)

    assert deleted == {"steps": 2, "claims": 0, "events": 1, "pages": 2, "texts": 1}
    assert await store.runs.get("r1") is None
    assert await store.documents.cards("r1") == []
    assert [one.text for one in await store.documents.search_run("r2", "read")] == ["Both read this."]
    assert await store.runs.delete("r1", 400.0) is None


async def test_what_someone_works_on_is_not_deleted(store: Store, other: Store, create: Create) -> None:
    await create(other)

    assert await store.runs.delete("r1", 400.0) is None
    assert await store.runs.get("r1") is not None


async def test_runs_that_ended_long_ago_are_found_oldest_first(store: Store, create: Create) -> None:
    for name, moment in (("late", 300.0), ("early", 100.0), ("middle", 200.0), ("lives", None)):
        await create(store, name)
        if moment:
            await store.runs.move(name, moment, status="completed")

    assert await store.runs.ended_before(250.0, 300.0, 10) == ["early", "middle"]
    assert await store.runs.ended_before(250.0, 300.0, 1) == ["early"]
