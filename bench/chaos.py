"""Servers that share one store are killed at random: does every run end, nothing done twice, nothing mixed up?

With --postgres the servers are workers on a PostgreSQL database of their own, and the database is restarted once.

Each run is a task group of branches, each branch two steps of which the second uses the result of the first. Servers
are processes of their own with everything real but the research: store, journal, locks, jobs, adoption. About every
second one of them gets kill -9, and another is started in its place.

Prints one line, or with --json one object. Exit code 1 when a run is lost, a finished step repeated, a result swapped,
or a run taken up too late.
"""

import argparse
import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from chaos_server import BRANCHES, expected
from deepresearch_mcp.store.orphans import FILE

SERVERS = 3
ENOUGH = 240.0
"""Seconds after which what has not ended counts as lost."""
YOUNG = 6.0
"""Seconds after the database's start in which no server counts as dead: takeovers are not measured then."""
TAKEOVER = 2.0
"""Seconds in which another server has to take up a run whose server was killed."""

_LIVE = "SELECT run_id, fence, owner FROM runs WHERE ended IS NULL"
_DONE = "SELECT run_id, key, attempt, ended, result FROM steps WHERE status = 'done'"


@dataclass(slots=True)
class Chaos:
    """What was seen so far."""

    place: "Place"
    runs: int
    kills: int = 0
    restarts: int = 0
    """Of the database."""
    takeovers: list[float] = field(default_factory=list[float])
    waiting: dict[str, tuple[float, int]] = field(default_factory=dict[str, tuple[float, int]])
    """Run → when its server was killed, and its fence then."""
    finished: dict[tuple[str, str], tuple[Any, ...]] = field(default_factory=dict[tuple[str, str], tuple[Any, ...]])
    """Step → how it stood when it was first seen done."""

    def look(self) -> int:
        """Note finished steps and takeovers; how many runs have not ended."""
        for run_id, key, *state in self.place.rows(_DONE):
            self.finished.setdefault((run_id, key), tuple(state))
        live = {run_id: fence for run_id, fence, _ in self.place.rows(_LIVE)}
        for run_id, (since, fence) in list(self.waiting.items()):
            if live.get(run_id, fence + 1) > fence:
                self.takeovers.append(time.monotonic() - since)
                del self.waiting[run_id]
        return len(live)

    def killed(self, owner: str) -> None:
        """A server was killed just now: its runs wait for another."""
        self.kills += 1
        for run_id, fence, of in self.place.rows(_LIVE):
            if of == owner:
                self.waiting.setdefault(run_id, (time.monotonic(), fence))

    def result(self) -> dict[str, Any]:
        """The figures."""
        now = {(run_id, key): tuple(state) for run_id, key, *state in self.place.rows(_DONE)}
        ended = dict(self.place.rows("SELECT run_id, status FROM runs"))
        answers = {run_id: self.place.answer(run_id) for run_id in ended}
        asked = self.place.rows("SELECT run_id, request FROM runs")
        questions = {run_id: json.loads(request)["question"] for run_id, request in asked}
        return {
            "runs": len(ended),
            "kills": self.kills,
            "restarts": self.restarts,
            "lost": self.runs - sum(status == "completed" for status in ended.values()),
            "swapped": sum(
                answers[run_id] != expected(questions[run_id])
                for run_id, status in ended.items()
                if status == "completed"
            ),
            "repeated": sum(now.get(step) != state for step, state in self.finished.items()),
            "takeover_s": round(max(self.takeovers, default=0.0), 2),
            "steps": len(now),
            "expected_steps": self.runs * BRANCHES * 2,
        }


class Place(Protocol):
    """Where the runs are kept."""

    name: str
    """As chaos_server.py takes it."""

    def rows(self, sql: str) -> list[tuple[Any, ...]]:
        """What a reader sees."""
        ...

    def answer(self, run_id: str) -> str:
        """What a report says."""
        ...

    def start(self, runs: int) -> "list[Server]":
        """Start the servers and the runs."""
        ...


class File:
    """One file of one machine."""

    def __init__(self, home: Path) -> None:
        self.name = str(home)
        self._home = home

    def rows(self, sql: str) -> list[tuple[Any, ...]]:
        with closing(sqlite3.connect(f"{(self._home / FILE).as_uri()}?mode=ro", uri=True, timeout=30)) as conn:
            return conn.execute(sql).fetchall()

    def answer(self, run_id: str) -> str:
        path = self._home / "runs" / run_id / "report.json"
        return json.loads(path.read_bytes())["answer"] if path.is_file() else ""

    def start(self, runs: int) -> "list[Server]":
        shares = [runs // SERVERS + (number < runs % SERVERS) for number in range(SERVERS)]
        servers = [Server(self.name, sum(shares[:number]), share) for number, share in enumerate(shares)]
        assert servers[0].owner  # There is a file to look into then.
        return servers


class Shared:
    """A database; a reader waits while it restarts."""

    def __init__(self, url: str) -> None:
        self.name = url

    def rows(self, sql: str) -> list[tuple[Any, ...]]:
        import psycopg

        while True:
            try:
                with psycopg.connect(self.name) as conn:
                    return conn.execute(sql.encode()).fetchall()
            except psycopg.OperationalError:
                time.sleep(0.1)

    def answer(self, run_id: str) -> str:
        found = self.rows(f"SELECT text FROM reports WHERE run_id = '{run_id}' AND name = 'report.json'")
        return json.loads(found[0][0])["answer"] if found else ""

    def start(self, runs: int) -> "list[Server]":
        servers = [Server(self.name, 0, 0) for _ in range(SERVERS)]
        assert all(server.owner for server in servers)
        Server(self.name, 0, runs)  # It ends by itself, once it has put the runs into the queue.
        return servers


class Server:
    """One server process, and the owner's name that it told."""

    def __init__(self, place: str, first: int, count: int) -> None:
        self.process = subprocess.Popen(self.command(place, first, count), stdout=subprocess.PIPE, text=True)
        self._owner = ""

    @property
    def owner(self) -> str:
        """Waits until it is ready."""
        assert self.process.stdout is not None
        self._owner = self._owner or self.process.stdout.readline().strip()
        return self._owner

    @staticmethod
    def command(place: str, first: int, count: int) -> list[str]:
        return [sys.executable, str(Path(__file__).with_name("chaos_server.py")), place, str(first), str(count)]

    def kill(self) -> None:
        """Without a warning."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()


def chaos(place: Place, runs: int, every: float, seed: int, restart: Callable[[], None] | None) -> dict[str, Any]:
    """Start servers and runs, kill until all have ended; in between the database is restarted once."""
    chance = random.Random(seed)
    seen = Chaos(place, runs)
    servers = place.start(runs)
    began = last = time.monotonic()
    restarted = -YOUNG
    try:
        while time.monotonic() - began < ENOUGH:
            time.sleep(0.05)
            left = seen.look()
            if not left and len(place.rows("SELECT 1 FROM runs")) == runs:
                break
            if restart and seen.kills == 2:
                restart()
                restart, seen.restarts, restarted = None, 1, time.monotonic()
            if time.monotonic() - restarted < YOUNG:
                seen.waiting.clear()
            if time.monotonic() - last >= every * chance.uniform(0.6, 1.4):
                last = time.monotonic()
                at = chance.randrange(SERVERS)
                owner = servers[at].owner
                servers[at].kill()
                seen.killed(owner)
                servers[at] = Server(place.name, 0, 0)
    finally:
        for server in servers:
            server.kill()
    return seen.result()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=30)
    parser.add_argument("--every", type=float, default=1.0, help="seconds between two kills, about")
    parser.add_argument("--seed", type=int, default=os.getpid())
    parser.add_argument("--postgres", action="store_true", help="3 workers on a database, which is restarted once")
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    if args.postgres:
        # The server that the tests start; pytest finds it by itself.
        sys.path.append(str(Path(__file__).parents[1] / "tests"))
        from postgres_server import own_server

        with own_server() as database:

            def restart() -> None:
                database.stop(signal.SIGQUIT)
                database.start()

            result = chaos(Shared(database.url), args.runs, args.every, args.seed, restart)
    else:
        with tempfile.TemporaryDirectory() as folder:
            result = chaos(File(Path(folder)), args.runs, args.every, args.seed, None)
    bad = [name for name in ("lost", "swapped", "repeated") if result[name]]
    if result["takeover_s"] > TAKEOVER:
        bad.append("takeover_s")
    print(json.dumps(result) if args.json else "  ".join(f"{name} {value}" for name, value in result.items()))
    if bad:
        print(f"missed: {', '.join(bad)} (seed {args.seed})", file=sys.stderr)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
