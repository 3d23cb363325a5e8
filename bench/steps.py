"""What a step costs: processor time on one file, and whether eight processes that write it at once hinder each other.

Two parts, both with everything real but the calls: store, journal, locks, and steps of two kilobytes that answer at
once. First one process alone, three times, of which the least counts (other programs only ever add processor time),
then eight that each carry out ten runs of thirty steps side by side.

Prints one line, or with --json one object. Exit code 1 when a bar is missed.
"""

import argparse
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import anyio

from deepresearch_mcp.exceptions import StoreError
from deepresearch_mcp.ports.journal import Step, Used
from deepresearch_mcp.ports.store import Store
from deepresearch_mcp.records.request import ResearchRequest
from deepresearch_mcp.store.sqlite import open_sqlite_store
from deepresearch_mcp.system_clock import SystemClock

PROCESSES, RUNS, STEPS = 8, 10, 30
TIMES = 3
BARS = {"cpu_ms_per_step": 1.0, "locked": 0, "lost": 0, "wall_s": 30.0}
_ANSWER = "What a model said. " * 110
_USED = Used(by="bench:model", role="reader", usd=0.0001, input_tokens=900, output_tokens=400)


async def one_run(store: Store, run_id: str, steps: int) -> int:
    """Carry out a run of so many steps; how often the file was found locked."""
    locked = 0
    try:
        await store.runs.create(run_id, "bench", ResearchRequest(question=f"What is {run_id}?"), run_id, time.time())
        async with store.journal(run_id) as journal:
            for number in range(steps):

                async def call(number: int = number) -> str:
                    return f"{run_id} {number} {_ANSWER}"

                await journal.step(
                    Step(f"read/{number}"),
                    call,
                    kind="model",
                    result=str,
                    request=(run_id, number),
                    used=lambda _: _USED,
                )
        await store.runs.move(run_id, time.time(), status="completed")
    except StoreError as error:
        if "locked" not in str(error):
            raise
        locked += 1
    return locked


async def process(home: Path, name: str, runs: int, steps: int) -> dict[str, float]:
    """So many runs at once in this process; what its processor did for a step, with the threads of the store."""
    locked = 0

    async def one(number: int) -> None:
        nonlocal locked
        locked += await one_run(store, f"{name}-{number}", steps)

    async with open_sqlite_store(home, SystemClock()) as store:
        await one_run(store, f"{name}-first", 3)  # So that nothing is measured that happens once.
        before = time.process_time()
        async with anyio.create_task_group() as tasks:
            for number in range(runs):
                tasks.start_soon(one, number)
        spent = time.process_time() - before
    return {"cpu_ms": 1000 * spent / (runs * steps), "locked": locked}


async def done(home: Path) -> int:
    """Steps that are there with their results, of those that should be."""
    count = 0
    async with open_sqlite_store(home, SystemClock()) as store:
        for row in await store.runs.find(limit=1000):
            if not row.run_id.endswith("-first"):
                count += sum(step.status == "done" for step in await store.spending.steps(row.run_id))
    return count


def together(home: Path, processes: int, runs: int, steps: int) -> dict[str, Any]:
    """That many processes on one file, begun at the same moment."""
    command = [sys.executable, __file__, "--home", str(home), "--runs", str(runs), "--steps", str(steps)]
    started = [
        subprocess.Popen([*command, "--name", f"p{number}"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        for number in range(processes)
    ]
    for one in started:
        assert one.stdout is not None
        one.stdout.readline()
    began = time.perf_counter()
    for one in started:
        assert one.stdin is not None
        one.stdin.write("go\n")
        one.stdin.flush()
    told = [json.loads(one.communicate()[0]) for one in started]
    return {
        "wall_s": round(time.perf_counter() - began, 2),
        "locked": sum(one["locked"] for one in told),
        "cpu_ms_together": round(sum(one["cpu_ms"] for one in told) / processes, 3),
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--processes", type=int, default=PROCESSES)
    parser.add_argument("--runs", type=int, default=RUNS)
    parser.add_argument("--steps", type=int, default=STEPS)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--home", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--name", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.name:
        print("ready", flush=True)
        sys.stdin.readline()
        print(json.dumps(anyio.run(process, args.home, args.name, args.runs, args.steps)))
        return 0
    with tempfile.TemporaryDirectory() as folder:
        alone = [
            anyio.run(process, Path(folder) / f"alone-{turn}", "alone", args.runs, args.steps) for turn in range(TIMES)
        ]
        shared = Path(folder) / "shared"
        result = {
            "cpu_ms_per_step": round(min(one["cpu_ms"] for one in alone), 3),
            **together(shared, args.processes, args.runs, args.steps),
            "lost": args.processes * args.runs * args.steps - anyio.run(done, shared),
            "steps": args.processes * args.runs * args.steps,
        }
    missed = [name for name, bar in BARS.items() if result[name] > bar]
    print(json.dumps(result) if args.json else "  ".join(f"{name} {value}" for name, value in result.items()))
    if missed:
        print(f"missed: {', '.join(missed)}", file=sys.stderr)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
