from dataclasses import replace
from pathlib import Path

from clocks import HandClock
from deepresearch_mcp.ports.sessions import SessionRow
from deepresearch_mcp.store.sqlite import open_sqlite_store

ONE = SessionRow("s1", "token:1", "{}", 100.0)


async def test_a_session_survives_a_restart_and_keeps_its_first_run(tmp_path: Path) -> None:
    async with open_sqlite_store(tmp_path, HandClock()) as store:
        assert await store.sessions.create(ONE, 0.0)
        assert not await store.sessions.create(replace(ONE, caller="token:2"), 0.0)
    async with open_sqlite_store(tmp_path, HandClock()) as store:
        assert await store.sessions.get("s1") == ONE
        assert await store.sessions.bind("s1", "r1") == "r1"
        assert await store.sessions.bind("s1", "r2") == "r1"
        assert await store.sessions.of_run("r1") == ["s1"]
        assert await store.sessions.remove("s1")
        assert not await store.sessions.remove("s1")
        assert await store.sessions.bind("s1", "r1") == ""


async def test_sessions_that_were_never_used_are_dropped_in_time_and_used_ones_stay(tmp_path: Path) -> None:
    async with open_sqlite_store(tmp_path, HandClock()) as store:
        await store.sessions.create(ONE, 0.0)
        await store.sessions.create(replace(ONE, session_id="s2", run_id="r1"), 0.0)
        await store.sessions.create(replace(ONE, session_id="s3", created=300.0), 200.0)

        assert await store.sessions.get("s1") is None
        assert await store.sessions.get("s2") is not None
