"""Stored judgements, by the hash of what was judged."""

from collections.abc import Collection, Mapping

from typing_extensions import override

from deepresearch_mcp.ports.clock import Clock
from deepresearch_mcp.ports.store import Judgements
from deepresearch_mcp.records.evidence import Judgement
from deepresearch_mcp.store.sql import Database, among


class SqlJudgements(Judgements):
    """`ports.store.Judgements` in a database."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    @override
    async def find(self, subjects: Collection[str]) -> dict[str, Judgement]:
        if not subjects:
            return {}
        found = await self._database.rows(
            f"SELECT subject, verdict, reason, judge FROM judgements WHERE subject IN {among(subjects)}",  # noqa: S608 - question marks alone
            *subjects,
        )
        return {
            subject: Judgement.model_validate({"claim_id": "", "verdict": verdict, "reason": reason, "by": judge})
            for subject, verdict, reason, judge in found
        }

    @override
    async def keep(self, judgements: Mapping[str, Judgement]) -> None:
        """Store all judgements, or none on error."""
        now = self._clock.now().timestamp()
        rows = [(subject, one.verdict, one.reason, one.by, now) for subject, one in judgements.items()]
        if rows:
            await self._database.write(
                lambda conn: conn.executemany(
                    "INSERT INTO judgements(subject, verdict, reason, judge, kept) VALUES(?, ?, ?, ?, ?)"
                    " ON CONFLICT(subject) DO UPDATE SET verdict = excluded.verdict, reason = excluded.reason,"
                    " judge = excluded.judge, kept = excluded.kept",
                    rows,
                )
            )
