"""What an idle server sees of runs that lost theirs."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from clocks import HandClock
from deepresearch_mcp.ports.store import Store
from deepresearch_mcp.store.orphans import FILE, has_orphans
from deepresearch_mcp.store.sqlite import open_sqlite_store

Create = Callable[..., Any]


@pytest.fixture
def place(sqlite_place: Any) -> Any:
    return sqlite_place


async def test_only_a_run_without_a_living_owner_waits(
    store: Store, home: Path, clock: HandClock, create: Create
) -> None:
    await create(store, "lives")
    assert not has_orphans(home)

    async with open_sqlite_store(home, clock) as gone:
        await create(gone, "orphan")
        assert not has_orphans(home)
    assert has_orphans(home)

    await store.runs.request_cancel("orphan", 200.0)
    assert not has_orphans(home)


def test_where_there_is_nothing_or_nothing_readable_nothing_waits(tmp_path: Path) -> None:
    assert not has_orphans(tmp_path / "missing")
    (tmp_path / FILE).write_bytes(b"no database at all" * 100)
    assert not has_orphans(tmp_path)
