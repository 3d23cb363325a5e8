"""Deliveries of webhooks in a database: they outlive the process that makes them."""

from typing_extensions import override

from deepresearch_mcp.ports.webhooks import Webhooks
from deepresearch_mcp.records.deliveries import Delivery, DueDelivery
from deepresearch_mcp.store.sql import Conn, Database
from deepresearch_mcp.text.url_secrets import without_secrets

_EXPECT = "INSERT INTO webhooks(run_id, url) VALUES(?, ?) ON CONFLICT(run_id, url) DO NOTHING"
_BEGIN = "UPDATE webhooks SET state = 'waiting', attempts = 0, due = 0, reason = '' WHERE run_id = ?"
_DUE = """
SELECT w.number, w.run_id, runs.caller, w.url, runs.ended, w.attempts, w.due
FROM webhooks w JOIN runs ON runs.run_id = w.run_id
WHERE w.state IN ('waiting', 'pending') AND w.due <= ? AND runs.ended IS NOT NULL ORDER BY w.due, w.number LIMIT ?
"""
_TAKE = """
UPDATE webhooks SET state = 'pending', attempts = attempts + 1, due = ?
WHERE number = ? AND due = ? AND state IN ('waiting', 'pending')
"""
# Only while it is still ours: the run may have been resumed, or another process may have taken the delivery.
_SETTLE = "UPDATE webhooks SET state = ?, due = ?, reason = ? WHERE number = ? AND due = ? AND state = 'pending'"
_LONGEST_REASON = 300


class SqlWebhooks(Webhooks):
    """`ports.webhooks.Webhooks` in a database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    @override
    async def expect(self, run_id: str, url: str) -> None:
        await self._database.change(_EXPECT, (run_id, url))

    @override
    async def begin(self, run_id: str) -> int:
        return await self._database.change(_BEGIN, (run_id,))

    @override
    async def take(self, now: float, until: float, limit: int) -> list[DueDelivery]:
        found = await self._database.rows(_DUE, now, limit)
        if not found:
            return []

        def take(conn: Conn) -> list[DueDelivery]:
            return [
                DueDelivery(
                    number=number,
                    run_id=run_id,
                    caller=caller,
                    url=url,
                    ended=ended,
                    attempt=attempts + 1,
                    taken_until=until,
                )
                for number, run_id, caller, url, ended, attempts, due in found
                if conn.execute(_TAKE, (until, number, due)).rowcount == 1
            ]

        return await self._database.write(take)

    @override
    async def settle(self, taken: DueDelivery, *, reason: str = "", again_at: float | None = None) -> None:
        state = "delivered" if not reason else "failed" if again_at is None else "pending"
        values = (state, again_at or 0.0, reason[:_LONGEST_REASON], taken.number, taken.taken_until)
        await self._database.change(_SETTLE, values)

    @override
    async def of(self, run_id: str) -> list[Delivery]:
        found = await self._database.rows(
            "SELECT url, state, attempts, due, reason FROM webhooks WHERE run_id = ? ORDER BY number", run_id
        )
        return [
            Delivery(
                url=without_secrets(url),
                state=state,
                attempts=attempts,
                next_attempt=due if state == "pending" else None,
                reason=reason,
            )
            for url, state, attempts, due, reason in found
        ]
