"""A hundred researches at once in one process: how much memory, how late the loop, how quick the list of runs.

Runs against the local world of pages, search and model (see bench/world.py), with its latencies. Exit code 1 when a bar
is missed or a run does not complete; with --json one object.
"""

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

import anyio

import world
from deepresearch_mcp.jobs.jobs import open_jobs
from deepresearch_mcp.records.request import ResearchRequest
from deepresearch_mcp.records.run import ENDED, RunRow
from deepresearch_mcp.runtime import open_runtime
from deepresearch_mcp.settings.schema import Settings

BARS = {"memory_mb": 500.0, "lag_p99_ms": 100.0, "list_p95_ms": 50.0}
_TICK = 0.01
"""Seconds between two looks at how late the loop is."""


def settings(home: Path, runs: int, port: int) -> Settings:
    """Those of the world, with room for all."""
    base = world.settings(home, port, critique=True)
    server = base.server.model_copy(update={"runs_at_once": runs})
    return base.model_copy(update={"server": server})


async def crowd(home: Path, runs: int, port: int) -> dict[str, Any]:
    """All runs at once, watched to their end."""
    there = world.World(port)
    await there.post("/__config", {**world.WORLD, **world.MODEL, "topic": world.QUESTION})
    await there.post("/__reset", {"label": "crowd"})
    lags: list[float] = []
    listed: list[float] = []
    peak = 0.0
    async with (
        open_runtime(settings(home, runs, port)) as runtime,
        open_jobs(runtime) as jobs,
        anyio.create_task_group() as tasks,
    ):

        async def lag() -> None:
            while True:
                before = time.perf_counter()
                await anyio.sleep(_TICK)
                lags.append(time.perf_counter() - before - _TICK)

        async def look() -> None:
            nonlocal peak
            while True:
                peak = max(peak, await anyio.to_thread.run_sync(world.memory))
                before = time.perf_counter()
                await jobs.find(limit=20)
                listed.append(time.perf_counter() - before)
                await anyio.sleep(0.5)

        tasks.start_soon(lag)
        tasks.start_soon(look)
        began = time.perf_counter()
        rows = [
            await jobs.start_or_join(
                ResearchRequest(
                    question=f"{world.QUESTION} (reader {number})",
                    effort="quick",
                    clarify="never",
                    max_minutes=30,
                    max_usd=5,
                )
            )
            for number in range(runs)
        ]
        ended = [await jobs.follow(row.run_id) for row in rows]
        wall = time.perf_counter() - began
        tasks.cancel_scope.cancel()
    statuses = [row.status for row in ended]
    return {
        "runs": runs,
        "ended": sum(status in ENDED for status in statuses),
        "completed": statuses.count("completed"),
        "others": dict(Counter(f"{row.status}: {_why(row)}" for row in ended if row.status != "completed")),
        "wall_s": round(wall, 1),
        "memory_mb": round(peak),
        "lag_p50_ms": _part(lags, 0.5),
        "lag_p99_ms": _part(lags, 0.99),
        "lag_max_ms": _part(lags, 1.0),
        "list_p95_ms": _part(listed, 0.95),
    }


def _why(row: RunRow) -> str:
    return (row.error or {}).get("message", "no error")


def missed(result: dict[str, Any]) -> list[str]:
    """The bars that a result does not reach; every run has to complete."""
    over = [name for name, bar in BARS.items() if result[name] > bar]
    return over + [name for name in ("ended", "completed") if result[name] < result["runs"]]


def _part(seconds: list[float], share: float) -> float:
    ordered = sorted(seconds)
    return round(1000 * ordered[min(len(ordered) - 1, int(share * len(ordered)))], 1)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--world", type=Path, metavar="DIR", default=Path(__file__).parents[2] / "shared" / "world")
    parser.add_argument("--port", type=int, default=8900, help="of the world")
    parser.add_argument("--runs", type=int, default=100)
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    if not (args.world / "setup.sh").is_file():
        print(f"skipped: there is no world at {args.world}", file=sys.stderr)
        return 0
    subprocess.run([str(args.world / "setup.sh"), "--port", str(args.port)], check=True, stdout=sys.stderr)
    with tempfile.TemporaryDirectory() as folder:
        result = anyio.run(crowd, Path(folder), args.runs, args.port)
    over = missed(result)
    print(json.dumps(result) if args.json else "  ".join(f"{name} {value}" for name, value in result.items()))
    if over:
        print(f"missed: {', '.join(over)}", file=sys.stderr)
    return 1 if over else 0


if __name__ == "__main__":
    sys.exit(main())
