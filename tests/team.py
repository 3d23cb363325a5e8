"""What deploy/ starts, on loopback: servers and workers on one database, each a process with a home of its own.

One script starts them all: `with team(env, url, homes) as started`.
"""

import re
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

T = TypeVar("T")

SERVING = r"Serving MCP at (http://127\.0\.0\.1:\d+)/mcp"
READY = r"Ready: up to \d+ runs at once"
_SECONDS = 90
"""As nine processes may start at once on two cores."""


@dataclass
class Member:
    """One process, and what it has said."""

    process: subprocess.Popen[str]
    news: threading.Condition
    """Of the whole team."""
    address: str = ""
    """Of a server."""
    lines: list[str] = field(default_factory=list[str])

    def listen(self) -> None:
        """Keep what it says until it ends, so that its pipe never fills."""
        assert self.process.stderr
        with self.process.stderr as said:
            for line in said:
                with self.news:
                    self.lines.append(line)
                    self.news.notify_all()

    def found(self, pattern: str) -> re.Match[str] | None:
        """The first match in what it has said so far."""
        return next((match for line in self.lines if (match := re.search(pattern, line))), None)

    def end(self, how: signal.Signals) -> int:
        """Tell it to end, and wait; its exit code."""
        self.process.send_signal(how)
        return self.process.wait(_SECONDS)


@dataclass
class Team:
    """All that was started."""

    servers: list[Member] = field(default_factory=list[Member])
    workers: list[Member] = field(default_factory=list[Member])
    news: threading.Condition = field(default_factory=threading.Condition)
    start_worker: Callable[[], None] = lambda: None
    """Start one more, as a supervisor does in the place of one that died."""

    def until(self, look: Callable[[], T | None]) -> T:
        """What `look` finds in what the members say; waits for it."""
        with self.news:
            found = self.news.wait_for(look, _SECONDS)
        assert found, "".join(line for member in [*self.servers, *self.workers] for line in member.lines)
        return found

    def at_work_on(self, run_id: str) -> Member:
        """The worker that has taken a run up."""
        taken = f"Run {run_id} is worked on"
        return self.until(lambda: next((one for one in self.workers if one.found(taken)), None))


@contextmanager
def team(
    env: dict[str, str], url: str, homes: Path, *, servers: int = 2, workers: int = 2, runs: int = 4
) -> Generator[Team]:
    """Start them on the database, and end what is left of them; `homes` is a folder for their data directories."""
    threads: list[threading.Thread] = []

    def start_worker() -> None:
        started.workers.append(start(f"worker{len(started.workers)}", "worker", "--runs", str(runs)))

    started = Team(start_worker=start_worker)

    def start(name: str, *words: str) -> Member:
        own = env | {"DEEPRESEARCH_DATABASE_URL": url, "DEEPRESEARCH_HOME": str(homes / name)}
        command = [sys.executable, "-m", "deepresearch_mcp", *words]
        member = Member(subprocess.Popen(command, env=own, stderr=subprocess.PIPE, text=True), started.news)
        threads.append(threading.Thread(target=member.listen, daemon=True))
        threads[-1].start()
        return member

    try:
        for number in range(servers):
            started.servers.append(start(f"server{number}", "serve", "--http", "--port", "0"))
        for _ in range(workers):
            start_worker()
        for member in started.servers:
            member.address = started.until(lambda member=member: member.found(SERVING))[1]
        for member in started.workers:
            started.until(lambda member=member: member.found(READY))
        yield started
    finally:
        for member in [*started.servers, *started.workers]:
            member.process.kill()
            member.process.wait(_SECONDS)
        for thread in threads:
            thread.join(_SECONDS)
