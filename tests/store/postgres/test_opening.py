from pathlib import Path

import anyio
import anyio.to_thread
import pytest

from clocks import HandClock
from deepresearch_mcp.exceptions import StoreError
from deepresearch_mcp.store import schema
from deepresearch_mcp.store.postgres.connection import connect
from deepresearch_mcp.store.postgres.opening import migrate, open_store
from postgres_server import own_schema


def test_an_empty_schema_gets_all_tables_once(database_url: str) -> None:
    with own_schema(database_url) as url:
        assert migrate(url) == len(schema.MIGRATIONS) + 1  # procrastinate's tables are one more.
        assert migrate(url) == 0


async def test_several_that_open_an_empty_schema_at_once_all_come_through(database_url: str, tmp_path: Path) -> None:
    async def come(url: str) -> None:
        async with open_store(url, tmp_path, HandClock()) as store:
            assert await store.runs.find() == []

    with own_schema(database_url) as url:
        async with anyio.create_task_group() as tasks:
            for _ in range(5):
                tasks.start_soon(come, url)


async def test_what_a_newer_version_wrote_is_refused_with_what_to_do(database_url: str, tmp_path: Path) -> None:
    with own_schema(database_url) as url:
        migrate(url)
        with connect(url) as conn:
            conn.execute("UPDATE deepresearch_version SET number = 99")

        with pytest.raises(StoreError, match=r"its schema is number 99.*Upgrade deepresearch-mcp"):
            async with open_store(url, tmp_path, HandClock()):
                pass


async def test_an_address_that_leads_nowhere_is_refused_at_once(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=r"it cannot be reached"):
        async with open_store("postgresql://127.0.0.1:1/none", tmp_path, HandClock()):
            pass
