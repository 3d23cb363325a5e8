from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from deepresearch_mcp.ports.store import Store
from deepresearch_mcp.store.connection import connect
from deepresearch_mcp.store.orphans import FILE
from deepresearch_mcp.store.run_rows import SELECT, escaped, json_or_none, rows_of


@pytest.fixture
def place(sqlite_place: Any) -> Any:
    return sqlite_place


async def test_a_row_is_read_as_it_was_written(store: Store, home: Path, create: Callable[..., Any]) -> None:
    made = await create(store, setup="same", origin="r0")
    await store.runs.move("r1", 150.0, status="failed", error={"code": "E", "message": "why"}, progress={"read": 2})

    conn = connect(str(home / FILE))
    [row] = rows_of(conn.execute(SELECT))
    conn.close()

    assert row.error == {"code": "E", "message": "why"}
    assert row.progress == {"read": 2}
    assert (row.request, row.setup, row.origin) == (made.request, "same", "r0")


@pytest.mark.parametrize(("text", "found"), [("100 %", True), ("1__ %", False), ("!", True)])
def test_escaped_text_is_looked_for_to_the_letter(text: str, found: bool) -> None:
    conn = connect(":memory:")
    [(met,)] = conn.execute("SELECT 'a 100 % of it!' LIKE ? ESCAPE '!'", (f"%{escaped(text)}%",))
    conn.close()

    assert bool(met) is found


def test_nothing_is_stored_as_nothing() -> None:
    assert (json_or_none(None), json_or_none({})) == (None, "{}")
