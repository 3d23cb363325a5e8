"""What a server that restarts, and others that write at the same time, do to a store in PostgreSQL."""

import signal
from collections.abc import Generator
from pathlib import Path

import anyio
import anyio.to_thread
import psycopg
import pytest
from hypothesis import given
from hypothesis import strategies as st

import postgres_server
from deepresearch_mcp.exceptions import StoreError
from deepresearch_mcp.ports.store import Store
from deepresearch_mcp.records.request import ResearchRequest
from deepresearch_mcp.store.postgres.connection import (
    PostgresDatabase,
    configure,
    connect_postgres,
    escape_nul,
    open_pool,
    unescape_nul,
)
from deepresearch_mcp.store.postgres.opening import open_postgres_store
from deepresearch_mcp.store.sql import Conn
from deepresearch_mcp.system_clock import SystemClock


@pytest.fixture(scope="module")
def own() -> Generator[postgres_server.Server]:
    """A server that may be stopped: nobody else uses it."""
    if postgres_server.programs() is None:
        pytest.skip(postgres_server.missing() or "no programs of PostgreSQL to start a server with")
    with postgres_server.own_server() as server:
        yield server


async def begin(store: Store, run_id: str = "r1") -> None:
    await store.runs.create(run_id, "me", ResearchRequest(question="Why does ice float?"), "f", 1.0)


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGQUIT])
async def test_what_is_asked_while_the_server_restarts_is_answered_afterwards(
    own: postgres_server.Server, tmp_path: Path, how: signal.Signals
) -> None:
    run_id = f"r{how}"
    async with open_postgres_store(own.url, tmp_path, SystemClock()) as store:
        await begin(store, run_id)
        await anyio.to_thread.run_sync(own.stop, how)
        moved: list[bool] = []

        async def write() -> None:
            moved.append(await store.runs.move(run_id, 2.0, status="completed"))

        async with anyio.create_task_group() as tasks:
            tasks.start_soon(write)
            await anyio.to_thread.run_sync(own.start)
        row = await store.runs.get(run_id)

    assert moved == [True]
    assert row is not None
    assert row.status == "completed"


async def test_an_owner_is_not_taken_for_dead_after_the_servers_restart(
    own: postgres_server.Server, tmp_path: Path
) -> None:
    async with (
        open_postgres_store(own.url, tmp_path, SystemClock()) as store,
        open_postgres_store(own.url, tmp_path, SystemClock()) as other,
    ):
        await store.runs.create("mine", "me", ResearchRequest(question="Why?"), "f", 1.0, setup="same")
        await anyio.to_thread.run_sync(own.stop, signal.SIGQUIT)
        await anyio.to_thread.run_sync(own.start)

        assert await other.runs.adopt("same", 2.0, 8) == []
        row = await other.runs.get("mine")
        assert row is not None
        assert row.status == "running"


async def test_what_the_database_refuses_is_not_asked_again(database_url: str) -> None:
    tried = 0

    def wrong(conn: Conn) -> None:
        nonlocal tried
        tried += 1
        conn.execute("SELECT * FROM no_table_of_this_name")

    async with open_pool(database_url) as pool:
        database = PostgresDatabase(pool, SystemClock())
        with pytest.raises(StoreError, match="its tables are missing"):
            await database.read(wrong)
    assert tried == 1


async def test_a_failing_write_leaves_nothing(database_url: str) -> None:
    with postgres_server.own_schema(database_url) as url:
        async with open_pool(url) as pool:
            database = PostgresDatabase(pool, SystemClock())
            await database.write(lambda conn: conn.execute("CREATE TABLE kept(x integer)"))

            def half(conn: Conn) -> None:
                conn.execute("INSERT INTO kept(x) VALUES(?)", (1,))
                raise ValueError("in between")

            with pytest.raises(ValueError, match="in between"):
                await database.write(half)
            assert await database.rows("SELECT COUNT(*) FROM kept") == [(0,)]


async def test_two_that_lock_each_other_both_come_through(database_url: str) -> None:
    with postgres_server.own_schema(database_url) as url:
        with connect_postgres(url) as conn:
            conn.execute("CREATE TABLE pair(x integer PRIMARY KEY, n integer)")
            conn.execute("INSERT INTO pair VALUES (1, 0), (2, 0)")
        async with open_pool(url) as pool:
            database = PostgresDatabase(pool, SystemClock())

            def both(first: int, second: int) -> None:
                def change(conn: Conn) -> None:
                    conn.execute("UPDATE pair SET n = n + 1 WHERE x = ?", (first,))
                    conn.execute("SELECT pg_sleep(0.2)")
                    conn.execute("UPDATE pair SET n = n + 1 WHERE x = ?", (second,))

                tasks.start_soon(database.write, change)

            async with anyio.create_task_group() as tasks:
                both(1, 2)
                both(2, 1)
            assert await database.rows("SELECT n FROM pair") == [(2,), (2,)]


async def test_a_closed_store_says_so(database_url: str) -> None:
    async with open_pool(database_url) as pool:
        database = PostgresDatabase(pool, SystemClock())
    with pytest.raises(StoreError, match="cannot be used"):
        await database.rows("SELECT 1")


_ANY = st.text(st.characters(exclude_categories=["Cs"]) | st.sampled_from(["\0", "\ufffe", "0"]))


@given(_ANY)
def test_every_text_comes_back_as_it_was_and_none_is_stored_with_the_character_0(text: str) -> None:
    assert "\0" not in escape_nul(text)
    assert unescape_nul(escape_nul(text)) == text


@pytest.mark.parametrize("text", ["", "a\0b", "\ufffe0", "\0\ufffe\ufffe0\0", "冰 🧊"])
def test_a_configured_connection_takes_and_gives_every_text(database_url: str, text: str) -> None:
    with psycopg.connect(database_url) as conn:
        configure(conn)
        assert conn.execute(
            "SELECT CAST(%s AS text), %s = ANY(CAST(%s AS text[]))", (text, text, [text])
        ).fetchone() == (
            text,
            True,
        )
