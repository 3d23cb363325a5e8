"""Follows a run to its end and keeps a view of it from its progress and audit trail."""

import asyncio
import os
import signal
from collections import deque
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Protocol
from urllib.parse import urlsplit

import anyio
from typing_extensions import override

from deepresearch_mcp.events import PERCENT
from deepresearch_mcp.jobs.jobs import Jobs
from deepresearch_mcp.ports.clock import Clock
from deepresearch_mcp.ports.store import EventRow
from deepresearch_mcp.progress import Progress
from deepresearch_mcp.records.run import Run

TRAIL = 4
"""Number of recent events that are shown."""
_STDERR = 2  # the descriptor
_LOOK = 0.2
"""Seconds between two polls of the audit trail."""
_SAY_EVERY = 3.0
"""Seconds between two plain lines, if there is no terminal to redraw."""


@dataclass(slots=True)
class Part:
    """One sub-question and its progress."""

    text: str
    claims: int = 0
    verified: int = 0
    status: str = "todo"


@dataclass(slots=True)
class RunView:
    """What is known about a run so far."""

    question: str
    progress: Progress
    parts: dict[str, Part] = field(default_factory=dict[str, Part])
    """By sub-question id; `q0` is the whole question."""
    trail: deque[tuple[str, str]] = field(default_factory=lambda: deque[tuple[str, str]](maxlen=TRAIL))
    """Recent events: what was done, and to what."""
    stopping: bool = False

    def take(self, row: EventRow) -> None:
        """Apply one event of the audit trail."""
        data = row.data
        if row.kind == "planned":
            self._planned([str(text) for text in data["sub_questions"]])
            self.trail.append(("planned", _plan(data)))
        elif row.kind in {"claimed", "verified"}:
            part = self.parts.setdefault(str(data["sub_question"]), Part(self.question))
            part.claims += int(data.get("claims", 0))
            part.verified += int(data.get("kept", 0))
        elif row.kind == "plan_marked":
            part = self.parts.setdefault(str(data["sub_question"]), Part(str(data["text"])))
            part.text, part.status = str(data["text"]), str(data["status"])
        elif told := _TOLD.get(row.kind):
            self.trail.append(told(data))

    def _planned(self, texts: list[str]) -> None:
        for number, text in enumerate(texts, 1):
            known = self.parts.setdefault(f"q{number}", Part(text))
            known.text = text


def _plan(data: Mapping[str, Any]) -> str:
    """What a plan holds; a run of an earlier version does not know what it delivers."""
    counts = (
        (len(data.get("deliverables", ())), "thing to deliver", "things to deliver"),
        (len(data["sub_questions"]), "sub-question", "sub-questions"),
        (int(data.get("hypotheses", 0)), "statement to test", "statements to test"),
    )
    return ", ".join(f"{count} {one if count == 1 else more}" for count, one, more in counts if count)


_TOLD: dict[str, Callable[[dict[str, Any]], tuple[str, str]]] = {
    "answered": lambda data: ("searched", f"{data['engine']}, {_many(data['hits'], 'hit')}: {data['query']}"),
    "engine_failed": lambda data: ("no answer", f"{data['engine']}: {data['reason']}"),
    "page_read": lambda data: ("read", _page(data)),
    "page_unread": lambda data: ("not read", f"{short_address(data['url'])}: {data['detail'] or data['reason']}"),
    "ceiling_near": lambda data: ("ceiling", f"{data['ceiling']} is {PERCENT[data['level']]} % used"),
    "round_ended": lambda data: ("weighed", _round(data)),
    "section_written": lambda data: ("wrote", data["heading"]),
    "degraded": lambda data: ("note", data["what"]),
    "cautioned": lambda data: ("note", data["what"]),
}


def _page(data: dict[str, Any]) -> str:
    return f"{data['title']} ({short_address(data['url'])})" if data["title"] else short_address(data["url"])


def _round(data: dict[str, Any]) -> str:
    return f"round {data['round']} {'is enough' if data['enough'] else 'is not enough'}: {data['why']}"


def _many(number: int, word: str) -> str:
    return f"{number} {word}" if number == 1 else f"{number} {word}s"


def short_address(url: str) -> str:
    """Return a readable form of an address, without scheme, query and port."""
    try:
        parts = urlsplit(url)
        return f"{parts.hostname or parts.netloc}{parts.path.rstrip('/')}"
    except ValueError:
        return url


class View(Protocol):
    """Shows a run's state while it changes."""

    def update(self, state: RunView) -> None:
        """Show a changed state."""
        ...

    def close(self) -> None:
        """Restore the terminal."""
        ...


class Silent(View):
    """Shows nothing."""

    @override
    def update(self, state: RunView) -> None:
        pass

    @override
    def close(self) -> None:
        pass


class Lines(View):
    """Writes a plain line every `_SAY_EVERY` seconds and at each new stage."""

    def __init__(self, write: Callable[[str], None], clock: Clock) -> None:
        self._write = write
        self._clock = clock
        self._said = clock.monotonic()
        self._stage: str = ""
        self._line: str = ""
        self._cautions = 0

    @override
    def update(self, state: RunView) -> None:
        progress = state.progress
        for caution in progress.cautions[self._cautions :]:
            self._write(f"Note: {caution}")
        self._cautions = len(progress.cautions)
        due = self._clock.monotonic() - self._said >= _SAY_EVERY
        line = progress.line()
        nothing = progress.stage in {"created", "ended"} or (progress.stage == "researching" and not progress.admitted)
        if progress.status == "queued":
            nothing, due = not progress.place, True
        if nothing or (progress.stage == self._stage and not due) or line == self._line:
            return
        self._said, self._stage, self._line = self._clock.monotonic(), progress.stage, line
        self._write(line)

    @override
    def close(self) -> None:
        pass


async def watch(jobs: Jobs, run_id: str, view: View, stop: anyio.Event) -> Run:
    """Follow a run to its end. Setting `stop` cancels the run and has its findings written up.

    Raises:
        UnknownRun: There is no such run.
    """
    store, clock = jobs.runtime.store, jobs.runtime.clock
    row = await jobs.get(run_id)
    state = RunView(row.request.question, await jobs.progress(row))

    async def hear(progress: Progress) -> None:
        state.progress = progress
        view.update(state)

    async def look() -> None:
        seen = 0
        while True:
            for event in await store.events.of(run_id, seen):
                seen = event.number
                state.take(event)
            view.update(state)
            await clock.sleep(_LOOK)

    async def obey() -> None:
        await stop.wait()
        state.stopping = True
        view.update(state)
        await jobs.cancel(run_id)

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(look)
        tasks.start_soon(obey)
        await jobs.follow(run_id, on_progress=hear, every=1.0)
        tasks.cancel_scope.cancel()
    return await jobs.result(run_id)


@contextmanager
def interrupts(view: View, farewell: str = "") -> Generator[anyio.Event]:
    """Set the event at the first Ctrl-C (or SIGTERM), and leave the process at once at the second, with `farewell`."""
    loop = asyncio.get_running_loop()
    pressed = anyio.Event()
    times = 0

    def heard(number: int, frame: object) -> None:
        nonlocal times
        del number, frame
        times += 1
        if times == 1:
            # The handler runs between two steps of the event loop, which must be woken up.
            loop.call_soon_threadsafe(pressed.set)
            return
        view.close()
        # Past the streams, which may be in the middle of a write.
        os.write(_STDERR, f"{farewell}\n".encode() if farewell else b"")
        # Abandon pending calls: the stored row shows the run as interrupted.
        os._exit(130)

    wanted = [signal.SIGINT, signal.SIGTERM]
    before = [(number, signal.signal(number, heard)) for number in wanted]
    try:
        yield pressed
    finally:
        for number, handler in before:
            signal.signal(number, handler)
