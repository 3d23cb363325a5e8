"""Answers of search engines, by query."""

from collections.abc import Collection, Sequence

from typing_extensions import override

from deepresearch_mcp.ports.answers import EngineAnswers, KeptAnswer
from deepresearch_mcp.ports.clock import Clock
from deepresearch_mcp.records.sources import Hit
from deepresearch_mcp.store.encoding import adapter, dump
from deepresearch_mcp.store.sql import Database, among

_HITS = tuple[Hit, ...]
_KEEP = (
    "INSERT INTO answers(subject, hits, kept, most) VALUES(?, ?, ?, ?)"
    " ON CONFLICT(subject) DO UPDATE SET hits = excluded.hits, kept = excluded.kept, most = excluded.most"
)


class SqlAnswers(EngineAnswers):
    """`ports.answers.EngineAnswers` in a database."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    @override
    async def find(self, subjects: Collection[str]) -> dict[str, KeptAnswer]:
        if not subjects:
            return {}
        found = await self._database.rows(
            f"SELECT subject, hits, kept, most FROM answers WHERE subject IN {among(subjects)}",  # noqa: S608 - question marks alone
            *subjects,
        )
        return {
            subject: KeptAnswer(adapter(_HITS).validate_json(hits), kept, most) for subject, hits, kept, most in found
        }

    @override
    async def keep(self, subject: str, hits: Sequence[Hit], until: float, *, limit: int = 0) -> None:
        now = self._clock.now().timestamp()
        await self._database.change(_KEEP, (subject, dump(adapter(_HITS), tuple(hits)), now, limit))
        await self._database.change("DELETE FROM answers WHERE kept < ?", (until,))
