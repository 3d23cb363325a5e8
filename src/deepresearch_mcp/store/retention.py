"""Deletes data past its retention time: pages and judgements outside any run, and the spending of deleted runs."""

import json
from collections.abc import Collection
from typing import Any

from typing_extensions import override

from deepresearch_mcp.ports.retention import Retention
from deepresearch_mcp.ports.spending import SpentRow
from deepresearch_mcp.store.documents import drop_reading
from deepresearch_mcp.store.sql import Conn, Database

# `NOT IN` builds the list of cached readings once; the cache has no index on them.
_PAGES = """
SELECT number FROM readings AS r WHERE run_id = '' AND collection = '' AND read_at < ?
  AND number NOT IN (SELECT reading FROM cache WHERE kept >= ?)
  AND NOT EXISTS (SELECT 1 FROM readings AS o WHERE o.snapshot = r.snapshot AND (o.run_id <> '' OR o.collection <> ''))
ORDER BY number LIMIT ?
"""
_JUDGEMENTS = """
DELETE FROM judgements WHERE subject IN (SELECT subject FROM judgements WHERE kept < ? ORDER BY kept LIMIT ?)
"""
_REMEMBER = """
INSERT INTO spent(run_id, key, fence, caller, at, used)
SELECT s.run_id, s.key, s.fence, r.caller, COALESCE(s.ended, s.started), s.used
FROM steps AS s JOIN runs AS r ON r.run_id = s.run_id
WHERE s.run_id = ? AND s.used IS NOT NULL AND COALESCE(s.ended, s.started) > ?
ON CONFLICT(run_id, key) DO NOTHING
"""
_DAY = 24 * 3600.0


class SqlRetention(Retention):
    """`ports.retention.Retention` in a database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    @override
    async def drop_pages(self, moment: float, limit: int) -> int:
        def drop(conn: Conn) -> int:
            numbers = [number for (number,) in conn.execute(_PAGES, (moment, moment, limit))]
            for number in numbers:
                conn.execute("DELETE FROM cache WHERE reading = ?", (number,))
                drop_reading(conn, number)
            return len(numbers)

        return await self._database.write(drop)

    @override
    async def drop_judgements(self, moment: float, limit: int) -> int:
        return await self._database.change(_JUDGEMENTS, (moment, limit))

    @override
    async def drop_spending(self, moment: float) -> int:
        return await self._database.change("DELETE FROM spent WHERE at <= ?", (moment,))


def remember_spending(conn: Conn, run_id: str, now: float) -> None:
    """Record what a deleted run used in the last 24 hours, which still counts towards the daily ceilings.

    Call it inside a transaction.
    """
    conn.execute(_REMEMBER, (run_id, now - _DAY))


def spent_without_steps(conn: Conn, moment: float, ours: Collection[tuple[str, int]]) -> list[SpentRow]:
    """What deleted runs and queries outside runs used after `moment`.

    Of each attempt in `ours` (run id and fence), only the use of earlier attempts counts.
    """
    found = conn.execute("SELECT run_id, fence, caller, at, used FROM spent WHERE at > ?", (moment,)).fetchall()
    rows: list[SpentRow] = []
    for run_id, fence, caller, at, text in found:
        used: dict[str, Any] = json.loads(text)
        usd, tokens = used.get("earlier_usd") or 0.0, used.get("earlier_tokens") or 0
        if (run_id, fence) not in ours:
            usd += used.get("usd") or 0.0
            tokens += (used.get("input_tokens") or 0) + (used.get("output_tokens") or 0)
        rows.append(SpentRow(at, caller, usd, tokens))
    return rows
