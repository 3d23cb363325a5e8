import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from clocks import HandClock
from deepresearch_mcp.exceptions import StoreError
from deepresearch_mcp.ports.documents import FileStamp
from deepresearch_mcp.ports.journal import Step, Used
from deepresearch_mcp.ports.store import Store
from deepresearch_mcp.records.consent import InputRequest, Reply
from deepresearch_mcp.records.evidence import Claim, Judgement, Quote
from deepresearch_mcp.records.principal import LOCAL_CALLER
from deepresearch_mcp.store import sqlite
from deepresearch_mcp.store.moving import Moved, copy_file
from deepresearch_mcp.store.orphans import FILE
from deepresearch_mcp.store.postgres import opening
from deepresearch_mcp.store.postgres.connection import PostgresConn, connect_postgres
from postgres_server import own_schema

Create = Callable[..., Any]


def told(_: str) -> Used:
    return Used(by="m", usd=0.5, input_tokens=7)


async def paid() -> str:
    return "paid\0for"


async def fill(store: Store, create: Create, document: Callable[..., Any]) -> None:
    """A run that ended, one that lost its server, a collection, a cached page, a judgement."""
    page = document("Ice floats on water.\n\nA\0B", "https://example.org/ice")
    for run_id in ("done", "left"):
        await create(store, run_id, setup="same")
        async with store.journal(run_id) as journal:
            await journal.step(Step("plan"), paid, kind="model", result=str, used=told)
        await store.documents.save(page, run_id)
    quote = Quote(source_id="s1", snapshot=page.snapshot, start=0, end=3, text="Ice")
    await store.claims.save(
        "done", [Claim(claim_id="c1", sub_question="q1", text="Ice floats.", quotes=(quote,), verdict="supported")]
    )
    await store.events.add("done", 1.0, "started", {"a": 1})
    await store.events.add("done", 2.0, "ended", {"status": "completed"})
    await store.reports.write("done", "# Ice", '{"a": "é"}')
    await store.runs.move("done", 150.0, status="completed")
    await store.collections.of(LOCAL_CALLER).put("notes", "folder", 1.0)
    await store.collections.of(LOCAL_CALLER).add(
        "notes", FileStamp("a.md", 3, 4), document("Hexagonal lattice.", "file:a")
    )
    await store.documents.keep("https://example.org/ice", page, {"etag": "x"})
    await store.judgements.keep({"s": Judgement(claim_id="", verdict="supported", reason="so", by="model")})


@pytest.fixture
async def filled(home: Path, clock: HandClock, create: Create, document: Any) -> Path:
    async with sqlite.open_sqlite_store(home, clock) as store:
        await fill(store, create, document)
    return home


def copied(home: Path, url: str) -> Moved:
    opening.migrate_database(url)
    with connect_postgres(url) as session:
        return copy_file(home, PostgresConn(session), lambda done, of: None)


async def test_everything_of_a_laptop_is_found_in_the_database(
    filled: Path, database_url: str, clock: HandClock, tmp_path: Path
) -> None:
    with own_schema(database_url) as url:
        moved = copied(filled, url)
        again = copied(filled, url)
        async with (
            opening.open_postgres_store(url, tmp_path, clock, grace=0) as store,
            sqlite.open_sqlite_store(filled, clock) as old,
        ):
            for run_id in ("done", "left"):
                assert await store.runs.get(run_id) == await old.runs.get(run_id)
                assert await store.documents.cards(run_id) == await old.documents.cards(run_id)
                assert await store.spending.steps(run_id) == await old.spending.steps(run_id)
            assert await store.claims.of("done") == await old.claims.of("done")
            assert [event.data for event in await store.events.of("done")] == [{"a": 1}, {"status": "completed"}]
            assert await store.events.broken("done") is None
            assert await store.reports.read("done", "report.json") == '{"a": "é"}'
            assert await store.collections.of(LOCAL_CALLER).all() == await old.collections.of(LOCAL_CALLER).all()
            assert [hit.url for hit in await store.collections.of(LOCAL_CALLER).search(["notes"], "lattice", 5)] == [
                "library://notes/a.md"
            ]
            assert await store.documents.cached("https://example.org/ice") == await old.documents.cached(
                "https://example.org/ice"
            )
            assert (await store.judgements.find(["s"]))["s"].reason == "so"
            [found] = await store.documents.search("ice floats", caller=LOCAL_CALLER)
            assert found.text.startswith("Ice floats on water.")
            # What was paid for on the laptop is not paid for again.
            [row] = await store.runs.adopt("same", 200.0, 8)
            assert await store.runs.claim(row.run_id, "same", 200.0)
            async with store.journal(row.run_id) as journal:
                assert await journal.step(Step("plan"), never, kind="model", result=str) == "paid\0for"

    assert moved.copied["runs"] == 2
    assert (moved.known, again.known) == (0, 2)
    assert again.copied == {}


async def test_a_run_that_waits_for_its_user_waits_on_in_the_database(
    home: Path, clock: HandClock, create: Create, database_url: str, tmp_path: Path
) -> None:
    asked = InputRequest(inquiry_id="plan/approve/1", kind="approval", text="So?")
    async with sqlite.open_sqlite_store(home, clock) as store:
        row = await create(store, "asks")
        await store.inquiries.put("asks", asked, 1.0, {})
    with own_schema(database_url) as url:
        copied(home, url)
        async with opening.open_postgres_store(url, tmp_path, clock, grace=0) as store:
            waits = await store.runs.get("asks")
            assert waits
            assert (waits.status, await store.inquiries.open("asks")) == ("input_required", asked)
            assert await store.inquiries.reply("asks", asked.inquiry_id, Reply(decision="approve"), row.request, 2.0)


async def never() -> str:
    raise AssertionError("it was paid for already")


async def test_nothing_is_copied_while_someone_works_on_a_run(
    home: Path, clock: HandClock, create: Create, database_url: str
) -> None:
    async with sqlite.open_sqlite_store(home, clock) as store:
        await create(store, "busy")
        with own_schema(database_url) as url, pytest.raises(StoreError, match=r"Run busy is being worked on\. Wait"):
            copied(home, url)


def test_a_folder_without_data_is_refused_with_what_to_do(tmp_path: Path, database_url: str) -> None:
    with own_schema(database_url) as url, pytest.raises(StoreError, match=r"There is no deepresearch\.db in .*--from"):
        copied(tmp_path, url)


async def test_a_copy_that_breaks_off_leaves_whole_runs_and_is_gone_on_with(
    filled: Path, database_url: str, tmp_path: Path
) -> None:
    with own_schema(database_url) as url:
        with sqlite3.connect(filled / FILE) as conn:
            conn.execute("UPDATE readings SET card = 'broken' WHERE run_id = 'left'")
        conn.close()
        with pytest.raises(ValueError, match="DocumentCard"):
            copied(filled, url)
        with connect_postgres(url) as session:
            assert session.execute("SELECT run_id FROM runs").fetchall() == [("done",)]
