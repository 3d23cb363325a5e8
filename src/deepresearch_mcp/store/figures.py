"""Figures of ended runs, and ratings, in the database."""

from collections.abc import Sequence

from typing_extensions import override

from deepresearch_mcp.ports.figures import Figures, Rating, RunFigures, StatusFigures, Totals
from deepresearch_mcp.store.sql import Database

_FIELDS = (
    "status, seconds, usd, input_tokens, output_tokens, searches, pages, rounds, sufficiency, quality, error,"
    " answer, process"
)
_MARKS = ", ".join("?" for _ in ("run_id", "at", *_FIELDS.split(",")))
_INSERT = f"INSERT INTO figures(run_id, at, {_FIELDS}) VALUES({_MARKS})"
_ALL = ", ".join(f"{name} = excluded.{name}" for name in ("at", *_FIELDS.split(", ")))
_SUMS = """
SELECT status, COUNT(*), SUM(seconds), SUM(usd), SUM(input_tokens), SUM(output_tokens), SUM(searches), SUM(pages),
  SUM(rounds), SUM(sufficiency), COUNT(NULLIF(sufficiency, 0)), COALESCE(SUM(quality), 0), COUNT(quality),
  COUNT(answer), COALESCE(SUM(answer), 0), COALESCE(SUM(process), 0)
"""


class SqlFigures(Figures):
    """`ports.figures.Figures` in a database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    @override
    async def keep(self, run_id: str, figures: RunFigures, now: float) -> None:
        await self._database.change(
            f"{_INSERT} ON CONFLICT(run_id) DO UPDATE SET {_ALL}", (run_id, now, *_values(figures))
        )

    @override
    async def close(self, run_id: str, figures: RunFigures, now: float) -> None:
        await self._database.change(
            f"{_INSERT} ON CONFLICT(run_id) DO UPDATE SET at = excluded.at, status = excluded.status,"
            " error = excluded.error",
            (run_id, now, *_values(figures)),
        )

    @override
    async def totals(self, bounds: Sequence[float]) -> Totals:
        within = "".join(", SUM(CASE WHEN seconds <= ? THEN 1 ELSE 0 END)" for _ in bounds)
        ended = await self._database.rows(f"{_SUMS}{within} FROM figures GROUP BY status ORDER BY status", *bounds)
        rows = self._database.rows
        return Totals(
            # PostgreSQL sums whole numbers as decimals.
            ended=[
                StatusFigures(
                    status=row[0],
                    runs=row[1],
                    seconds=row[2],
                    usd=row[3],
                    input_tokens=int(row[4]),
                    output_tokens=int(row[5]),
                    searches=int(row[6]),
                    pages=int(row[7]),
                    rounds=int(row[8]),
                    sufficiency=int(row[9]),
                    assessed=row[10],
                    quality=row[11],
                    graded=row[12],
                    judged=row[13],
                    answer=row[14],
                    process=row[15],
                    within=tuple(map(int, row[16:])),
                )
                for row in ended
            ],
            open=dict(await rows("SELECT status, COUNT(*) FROM runs WHERE ended IS NULL GROUP BY status")),
            errors=dict(await rows("SELECT error, COUNT(*) FROM figures WHERE error <> '' GROUP BY error")),
            ratings=dict(await rows("SELECT rated, COUNT(*) FROM ratings GROUP BY rated")),
        )

    @override
    async def rate(self, run_id: str, rating: Rating) -> None:
        await self._database.change(
            "INSERT INTO ratings(run_id, rated, note, at) VALUES(?, ?, ?, ?) ON CONFLICT(run_id) DO UPDATE SET"
            " rated = excluded.rated, note = excluded.note, at = excluded.at",
            (run_id, rating.rated, rating.note, rating.at),
        )

    @override
    async def rating(self, run_id: str) -> Rating | None:
        rows = await self._database.rows("SELECT rated, note, at FROM ratings WHERE run_id = ?", run_id)
        return Rating(*rows[0]) if rows else None


def _values(figures: RunFigures) -> tuple[object, ...]:
    return (
        figures.status,
        figures.seconds,
        figures.usd,
        figures.input_tokens,
        figures.output_tokens,
        figures.searches,
        figures.pages,
        figures.rounds,
        figures.sufficiency,
        figures.quality,
        figures.error,
        figures.answer,
        figures.process,
    )
