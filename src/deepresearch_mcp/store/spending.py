"""What steps of all runs have used lately: the books behind the ceilings of a day."""

from collections.abc import Collection

from deepresearch_mcp.ports.journal import StepRow
from deepresearch_mcp.ports.spending import SpentRow
from deepresearch_mcp.store.connection import Database
from deepresearch_mcp.store.encoding import to_json
from deepresearch_mcp.store.journal import step_rows
from deepresearch_mcp.store.retention import spent_by_deleted

# The second half: steps under way or in doubt, which stand at their bound, and those of models without a price.
_SINCE = """
WITH lately AS (
  SELECT run_id, fence, used, ended AS at FROM steps WHERE cost IS NOT NULL AND ended > :since
  UNION ALL
  SELECT steps.run_id, steps.fence, steps.used, COALESCE(steps.ended, steps.started) FROM runs
  JOIN steps ON steps.run_id = runs.run_id
  WHERE runs.updated > :since AND steps.cost IS NULL AND steps.used IS NOT NULL
  AND COALESCE(steps.ended, steps.started) > :since
), counted AS (
  SELECT run_id, CAST(at / 60 AS INTEGER) AS minute, used,
  run_id || '/' || fence NOT IN (SELECT value FROM json_each(:ours)) AS theirs FROM lately
)
SELECT (minute + 1) * 60.0, caller,
  SUM(COALESCE(used ->> '$.earlier_usd', 0.0) + theirs * COALESCE(used ->> '$.usd', 0.0)),
  SUM(COALESCE(used ->> '$.earlier_tokens', 0)
    + theirs * (COALESCE(used ->> '$.input_tokens', 0) + COALESCE(used ->> '$.output_tokens', 0)))
FROM counted JOIN runs ON runs.run_id = counted.run_id
GROUP BY minute, caller ORDER BY minute
"""


class SqliteSpending:
    """`ports.store.Spending` on SQLite."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def since(self, moment: float, *, without: Collection[tuple[str, int]] = ()) -> list[SpentRow]:
        """See `Spending.since`."""
        ours = to_json([f"{run_id}/{fence}" for run_id, fence in without])
        found = await self._database.read(lambda conn: conn.execute(_SINCE, {"since": moment, "ours": ours}).fetchall())
        deleted = await self._database.read(lambda conn: spent_by_deleted(conn, moment, without))
        rows = (*(SpentRow(*row) for row in found), *deleted)
        return sorted((row for row in rows if row.usd or row.tokens), key=lambda row: row.at)

    async def steps(self, run_id: str) -> list[StepRow]:
        """See `Spending.steps`."""
        return await step_rows(self._database, run_id)
