"""Parses pages in processes that can be killed."""

import json
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from types import TracebackType
from typing import Self, cast

import anyio
import anyio.abc
from anyio.streams.buffered import BufferedByteReceiveStream

from deepresearch_mcp.exceptions import FetchFailed
from deepresearch_mcp.ports.clock import Clock
from deepresearch_mcp.records.sources import Screening
from deepresearch_mcp.settings.web import WebSettings
from deepresearch_mcp.web.fetching.client import Fetched
from deepresearch_mcp.web.parsed import Parsed
from deepresearch_mcp.web.parsed_page import ParsedPage, page_of, screening_of
from deepresearch_mcp.web.worker import ALIVE, READY

# Without -P the current directory comes first on the path: an opened repository could bring its own lxml.
WORKER = (sys.executable, "-P", "-m", "deepresearch_mcp.web.worker")
LONGEST_START = 60.0
"""Seconds a process may take to start; on an idle machine it takes half a second."""
LARGEST_ANSWER = 64_000_000
"""Most bytes of one answer; a process that sends more is broken."""

_MORE_TIME = 2_000_000
"""Bytes of a page for which it gets as much time again: 4 MB of a change log take 10 s of an idle processor."""
_LONGEST = 3.0
"""The most that the time of a page grows: a hostile one holds a process no longer."""


def parse_seconds(timeout: float, size: int) -> float:
    """Seconds that a page of `size` bytes may take: `timeout` for a small one, up to three times as long."""
    return timeout * min(_LONGEST, 1 + size / _MORE_TIME)


class Parsers:
    """Up to `settings.workers` parser processes, started on demand and killed when they take too long.

    They end with this context, and on their own if this process dies.
    """

    def __init__(self, settings: WebSettings, clock: Clock, command: Sequence[str] = WORKER) -> None:
        """`command` starts a process that speaks the protocol of `web/worker.py`."""
        self._settings = settings
        self._command = command
        self._clock = clock
        self._room = anyio.Semaphore(settings.workers)
        self._idle: list[_Worker] = []
        self._alive = 0
        """Number of processes that run or start, idle or not."""

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with anyio.CancelScope(shield=True):
            while self._idle:
                await self._end(self._idle.pop())

    async def begin(self) -> None:
        """Start one more process if the limit allows, without waiting until it is ready.

        Call it when a page is requested, so that the parser starts while the page loads.
        """
        if self._alive < self._settings.workers:
            worker = await self._spawned()
            if worker is not None:
                self._idle.append(worker)

    async def warm(self) -> None:
        """Start all processes and wait until they are ready. The first page retries what fails here."""
        for _ in range(self._settings.workers):
            await self.begin()
        for worker in self._idle:
            with suppress(TimeoutError, *_BROKEN):
                await worker.ready()

    async def parse(self, fetched: Fetched) -> ParsedPage:
        """Parse a fetched page.

        Raises:
            FetchFailed: The page holds nothing readable (`reason` says why), or its parser died or was killed.
        """
        job = {
            "url": fetched.final_url,
            "media_type": fetched.media_type,
            "charset": fetched.charset,
            "limit": self._settings.max_text,
            "most": self._settings.max_body_bytes,
            "today": self._clock.today().isoformat(),
        }
        return page_of(fetched.url, await self._ask(fetched.url, job, fetched.body))

    async def screen(self, url: str, text: str) -> Screening:
        """Screen a text that was stored without its screening.

        Raises:
            FetchFailed: Screening takes too long, or its process died.
        """
        found = await self._ask(url, {"text": True}, text.encode("utf-8", "surrogatepass"))
        if (screening := screening_of(found)) is None:
            raise FetchFailed(url, "unparsable", found.get("detail", "The page's text cannot be screened."))
        return screening

    async def _ask(self, url: str, job: Mapping[str, object], body: bytes) -> Parsed:
        seconds = parse_seconds(self._settings.parse_timeout, len(body))
        async with self._room:
            worker = await self._ready()
            if worker is None:
                raise FetchFailed(url, "unparsable", "No parser process could be started.", "Run the doctor command.")
            healthy = False
            try:
                with anyio.fail_after(seconds):
                    answer = await worker.ask(json.dumps({**job, "seconds": seconds}).encode("ascii"), body)
                healthy = True
            except TimeoutError:
                raise FetchFailed(url, "timed_out", "The page took too long to parse.") from None
            except _BROKEN:
                if await worker.ran_out_of_time():
                    raise FetchFailed(url, "timed_out", "Screening the page's text took too long.") from None
                raise FetchFailed(url, "unparsable", "The page broke its parser.") from None
            finally:
                # After a cancellation too: the pending answer must not be taken for the answer to the next page.
                if healthy:
                    self._idle.append(worker)
                else:
                    await self._end(worker)
            return answer

    async def _ready(self) -> "_Worker | None":
        """Return a process that waits for a job, a new one if necessary; None if none can be started."""
        for _ in range(1 + len(self._idle)):
            worker = self._next() or await self._spawned()
            if worker is None:
                return None
            healthy = False
            try:
                await worker.ready()
                healthy = True
            except (TimeoutError, *_BROKEN):
                continue
            finally:
                if not healthy:
                    await self._end(worker)
            return worker
        return None

    def _next(self) -> "_Worker | None":
        """Take an idle process, preferably one that is ready; None if there is no idle process."""
        ready = [worker for worker in self._idle if worker.is_ready]
        chosen = (ready or self._idle)[-1] if self._idle else None
        if chosen is not None:
            self._idle.remove(chosen)
        return chosen

    async def _spawned(self) -> "_Worker | None":
        self._alive += 1
        try:
            return _Worker(await _process(self._command))
        except BaseException as error:
            self._alive -= 1
            if isinstance(error, OSError):
                return None
            raise

    async def _end(self, worker: "_Worker") -> None:
        self._alive -= 1
        await worker.end()


_BROKEN = (
    anyio.EndOfStream,
    anyio.IncompleteRead,
    anyio.BrokenResourceError,
    anyio.ClosedResourceError,
    OSError,
    ValueError,
)


class _Worker:
    def __init__(self, process: anyio.abc.Process) -> None:
        self._process = process
        self.is_ready = False
        self._stdin = cast(anyio.abc.ByteSendStream, process.stdin)
        self._stdout = BufferedByteReceiveStream(cast(anyio.abc.ByteReceiveStream, process.stdout))

    async def ready(self) -> None:
        """Wait until the process has loaded its parsers.

        An idle process is pinged first: it may have died since its last page, and the next page would be blamed.

        Raises:
            TimeoutError: It took longer than `LONGEST_START` seconds.
            _BROKEN: The process is dead, or its answer cannot be trusted.
        """
        if self._process.returncode is not None:
            raise anyio.ClosedResourceError
        with anyio.fail_after(LONGEST_START):
            if self.is_ready:
                await self._stdin.send(ALIVE)
            if (said := await self._answer()) != json.loads(READY):
                # A page may have taken the process over: its answers may no longer match the questions.
                raise ValueError(said)
        self.is_ready = True

    async def ask(self, job: bytes, body: bytes) -> Parsed:
        await self._stdin.send(len(job).to_bytes(4, "big") + job + len(body).to_bytes(4, "big"))
        await self._stdin.send(body)
        return await self._answer()

    async def _answer(self) -> Parsed:
        size = int.from_bytes(await self._stdout.receive_exactly(4), "big")
        if size > LARGEST_ANSWER:
            raise ValueError(size)
        return cast(Parsed, json.loads(await self._stdout.receive_exactly(size)))

    async def ran_out_of_time(self) -> bool:
        """Return whether the process ended itself because a text took too long."""
        with anyio.move_on_after(1):
            return -(await self._process.wait()) == getattr(signal, "SIGPROF", 0)
        return False

    async def end(self) -> None:
        """Kill the process and wait for its end."""
        with anyio.CancelScope(shield=True):
            with suppress(ProcessLookupError):
                self._process.kill()
            await self._process.aclose()


async def _process(command: Sequence[str]) -> anyio.abc.Process:
    return await anyio.open_process(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        start_new_session=True,  # Ctrl-C in a terminal must reach only the parent, which ends its parsers
    )
