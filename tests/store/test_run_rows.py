from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from deepresearch_mcp.exceptions import StoreError
from deepresearch_mcp.ports.store import Store
from deepresearch_mcp.store.connection import connect_sqlite
from deepresearch_mcp.store.orphans import FILE
from deepresearch_mcp.store.run_rows import SELECT, escape_like, json_or_none, rows_of


@pytest.fixture
def place(sqlite_place: Any) -> Any:
    return sqlite_place


async def test_a_row_is_read_as_it_was_written(store: Store, home: Path, create: Callable[..., Any]) -> None:
    made = await create(store, setup="same", origin="r0")
    await store.runs.move("r1", 150.0, status="failed", error={"code": "E", "message": "why"}, progress={"read": 2})

    conn = connect_sqlite(str(home / FILE))
    [row] = rows_of(conn.execute(SELECT))
    conn.close()

    assert row.error == {"code": "E", "message": "why"}
    assert row.progress == {"read": 2}
    assert (row.request, row.setup, row.origin) == (made.request, "same", "r0")


@pytest.mark.parametrize(("text", "found"), [("100 %", True), ("1__ %", False), ("!", True)])
def test_escaped_text_is_looked_for_to_the_letter(text: str, found: bool) -> None:
    conn = connect_sqlite(":memory:")
    [(met,)] = conn.execute("SELECT 'a 100 % of it!' LIKE ? ESCAPE '!'", (f"%{escape_like(text)}%",))
    conn.close()

    assert bool(met) is found


def test_nothing_is_stored_as_nothing() -> None:
    assert (json_or_none(None), json_or_none({})) == (None, "{}")


@pytest.mark.parametrize(("column", "value"), [("request", '{"que'), ("request", "{}"), ("status", "strange")])
async def test_a_run_that_is_damaged_costs_no_one_the_others(
    store: Store, place: Any, create: Callable[..., Any], caplog: pytest.LogCaptureFixture, column: str, value: str
) -> None:
    for number in range(4):
        await create(store, f"r{number}", now=100.0 + number, queued=True, setup="same")
    place.execute(f"UPDATE runs SET {column} = '{value}' WHERE run_id IN ('r0', 'r3')")

    assert [row.run_id for row in await store.runs.find(limit=1)] == ["r2"]
    assert "Run r3 is left out: its stored data is damaged" in caplog.text
    assert [row.run_id for row in await store.runs.find()] == ["r2", "r1"]
    assert [row.run_id for row in await store.runs.waiting("same", limit=1)] == ["r1"]
    assert await store.runs.claim("r1", "same", 200.0) is not None
    assert await store.runs.adopt("same", 200.0, 8) == []
    with pytest.raises(StoreError, match=r"run r3 is damaged and cannot be read\. Restore it from a backup"):
        await store.runs.get("r3")


async def test_an_event_that_is_damaged_is_named_and_the_trail_read_on(store: Store, place: Any) -> None:
    for number in range(3):
        await store.events.add("r1", float(number), "page_read", {"n": number})
    place.execute("UPDATE events SET data = '{\"n' WHERE number = 2")

    assert await store.events.broken("r1") == 2
    assert [event.data for event in await store.events.of("r1")] == [{"n": 0}, {}, {"n": 2}]


async def test_a_living_owner_is_running_for_everybody_and_a_gone_one_interrupted(
    store: Store, other: Store, create: Callable[..., Any], place: Any
) -> None:
    async with place() as third:
        await create(third, "r1", now=1.0)
        await create(third, "r2", now=2.0)
        await third.runs.move("r2", 3.0, status="input_required")
        await create(third, "r3", now=3.0)
        await third.runs.move("r3", 3.0, status="queued")
        await create(third, "r4", now=4.0)
        await third.runs.move("r4", 5.0, status="completed")
        await create(store, "r5", now=5.0)

        for eye in (store, other):
            row = await eye.runs.get("r1")
            assert row
            assert row.status == "running"
        assert [row.run_id for row in await store.runs.find(status="running")] == ["r5", "r1"]
        assert await store.runs.find(status="interrupted") == []

    async def ids(**how: Any) -> list[str]:
        return [row.run_id for row in await other.runs.find(**how)]

    row = await store.runs.get("r1")
    assert row
    assert row.status == "interrupted"
    assert {row.run_id: row.status for row in await other.runs.find()} == {
        "r1": "interrupted",
        "r2": "input_required",
        "r3": "interrupted",
        "r4": "completed",
        "r5": "running",
    }
    assert await ids(status="running") == ["r5"]
    assert await ids(status="queued") == []
    assert await ids(status="interrupted") == ["r3", "r1"]
    assert await ids(status="input_required") == ["r2"]
    assert await ids(status="interrupted", limit=1, before=(3.0, "r3")) == ["r1"]
