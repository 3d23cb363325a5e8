"""Recent spending of all runs and of queries outside runs, for the daily ceilings."""

import uuid
from collections.abc import Collection

from typing_extensions import override

from deepresearch_mcp.ports.journal import StepRow
from deepresearch_mcp.ports.spending import Spending, SpentRow
from deepresearch_mcp.store.encoding import to_json
from deepresearch_mcp.store.journal import step_rows
from deepresearch_mcp.store.retention import spent_without_steps
from deepresearch_mcp.store.sql import Database, Dialect, among


def _since(dialect: Dialect, lives: str) -> str:
    """The SQL for the sums by minute and caller. Its values: the moment three times, then the attempts to leave out."""
    number = dialect.number
    # The second half selects steps that are running or in doubt, which count with their upper bound, and steps of
    # models without a price.
    return f"""
WITH lately AS (
  SELECT run_id, fence, used, ended AS at FROM steps WHERE cost IS NOT NULL AND ended > ?
  UNION ALL
  SELECT steps.run_id, steps.fence, steps.used, COALESCE(steps.ended, steps.started) FROM runs
  JOIN steps ON steps.run_id = runs.run_id
  WHERE runs.updated > ? AND steps.cost IS NULL AND steps.used IS NOT NULL
  AND COALESCE(steps.ended, steps.started) > ?
), counted AS (
  SELECT run_id, CAST(at AS BIGINT) / 60 AS minute, used,
  CASE WHEN run_id || '/' || fence IN {lives} THEN 0 ELSE 1 END AS theirs FROM lately
)
SELECT (minute + 1) * 60.0, caller,
  SUM({number("used", "earlier_usd")} + theirs * {number("used", "usd")}),
  SUM({number("used", "earlier_tokens")}
    + theirs * ({number("used", "input_tokens")} + {number("used", "output_tokens")}))
FROM counted JOIN runs ON runs.run_id = counted.run_id
GROUP BY minute, caller ORDER BY minute
"""  # noqa: S608 - names of our own columns, and question marks


class SqlSpending(Spending):
    """`ports.store.Spending` in a database."""

    def __init__(self, database: Database, owner: str) -> None:
        self._database = database
        # No run id looks like this, and a later process has another owner: it counts what this one has left.
        self.outside = (f"outside runs/{owner}", 0)

    @override
    async def since(self, moment: float, *, without: Collection[tuple[str, int]] = ()) -> list[SpentRow]:
        ours = [f"{run_id}/{fence}" for run_id, fence in without]
        statement = _since(self._database.dialect, among(ours))
        found = await self._database.rows(statement, moment, moment, moment, *ours)
        told = [SpentRow(float(at), caller, usd, int(tokens)) for at, caller, usd, tokens in found]
        others = await self._database.read(lambda conn: spent_without_steps(conn, moment, without))
        return sorted((row for row in (*told, *others) if row.usd or row.tokens), key=lambda row: row.at)

    @override
    async def begin(self, caller: str, usd: float, at: float) -> str:
        run_id, fence = self.outside
        key = uuid.uuid4().hex
        await self._database.change(
            "INSERT INTO spent(run_id, key, fence, caller, at, used) VALUES(?, ?, ?, ?, ?, ?)",
            (run_id, key, fence, caller, at, to_json({"usd": usd})),
        )
        return key

    @override
    async def correct(self, key: str, usd: float) -> None:
        await self._database.change(
            "UPDATE spent SET used = ? WHERE run_id = ? AND key = ?", (to_json({"usd": usd}), self.outside[0], key)
        )

    @override
    async def steps(self, run_id: str) -> list[StepRow]:
        return await step_rows(self._database, run_id)
