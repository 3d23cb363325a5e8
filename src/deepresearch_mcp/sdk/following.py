"""Follows a run on a server by server-sent events, and goes on after a broken connection."""

import json
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from dataclasses import fields
from typing import Any

import httpx2

from deepresearch_mcp.events import Event
from deepresearch_mcp.exceptions import UNREACHABLE, ProviderError
from deepresearch_mcp.pipeline.signal import at_most
from deepresearch_mcp.ports.clock import Clock
from deepresearch_mcp.progress import Progress
from deepresearch_mcp.records.run import ENDED, Run
from deepresearch_mcp.records.trail import RunEvent
from deepresearch_mcp.sdk.engine import OnEvent, OnProgress
from deepresearch_mcp.sdk.problems import error_of

RESTS = ENDED | {"input_required"}
"""Statuses in which nothing happens until there is a reply or a request."""
_TRIES = 8
"""Broken connections in a row, without an event between them, after which the server counts as gone."""
_PAUSE = 0.5
"""Seconds before the first new connection; doubled each time."""
_LONGEST_LINE = 4_000_000


class Follower:
    """Follows one run."""

    def __init__(self, http: httpx2.AsyncClient, clock: Clock, path: str, get: Callable[[str], Awaitable[Run]]) -> None:
        self._http = http
        self._clock = clock
        self._path = path
        self._get = get
        self.last = 0
        """Number of the last event seen."""
        self._failures = 0

    async def follow(
        self,
        run_id: str,
        wait_seconds: float | None,
        on_progress: OnProgress | None,
        on_event: OnEvent | None = None,
    ) -> Run:
        """Return the run when it rests, or after `wait_seconds`.

        Raises:
            DeepResearchError: The one that the server tells; `ProviderError` if it stays unreachable.
        """

        async def watch() -> None:
            progress = Progress(run_id)
            while (await self._get(run_id)).status not in RESTS:
                async for one in self._events():
                    if on_event:
                        await on_event(one)
                    if event := event_of(one.kind, one.data):
                        progress = progress.after(event, progress.seconds)
                        if on_progress:
                            await on_progress(progress)
                    if one.kind in {"ended", "inquired"}:
                        break
                # The stored status follows the event by some milliseconds.
                await self._clock.sleep(_PAUSE)

        if wait_seconds is None:
            await watch()
        elif wait_seconds > 0:
            await at_most(self._clock, wait_seconds, watch)
        return await self._get(run_id)

    async def _events(self) -> AsyncGenerator[RunEvent]:
        """Yield the events after the last one seen, until the stream ends or breaks."""
        headers = {"accept": "text/event-stream"} | ({"last-event-id": str(self.last)} if self.last else {})
        try:
            async with self._http.stream("GET", f"{self._path}/stream", headers=headers) as answer:
                if not answer.is_success:
                    await answer.aread()
                    raise error_of(answer, self._path)
                lines: dict[str, str] = {}
                async for line in answer.aiter_lines():
                    if line:
                        name, _, value = line.partition(":")
                        lines[name] = value.removeprefix(" ")[:_LONGEST_LINE]
                        continue
                    number = lines.get("id", "")
                    if number.isascii() and number.isdecimal():
                        self.last, self._failures = int(number), 0
                    if found := _said(lines.get("data", ""), self.last):
                        yield found
                    lines = {}
        except httpx2.HTTPError as error:
            self._failures += 1
            if self._failures >= _TRIES:
                raise ProviderError(self._http.base_url.host, UNREACHABLE, retryable=True) from error
            await self._clock.sleep(_PAUSE * 2**self._failures)


def _said(text: str, number: int) -> RunEvent | None:
    try:
        told = dict(json.loads(text))
        data = dict(told["data"])
        kind = str(data.pop("kind"))
        at = str(told.get("timestamp", ""))
        return RunEvent.model_validate({**told, "number": number, "at": at, "kind": kind, "data": data})
    except (ValueError, KeyError, TypeError):
        return None


def event_of(kind: str, data: Mapping[str, Any]) -> Event | None:
    """Return the event of a line of the audit trail; None for one that this version does not know."""
    if (known := _KINDS.get(kind)) is None:
        return None
    names = {one.name for one in fields(known)}
    try:
        return known(**{name: value for name, value in data.items() if name in names})
    except TypeError:
        return None


_KINDS = {one.kind_name(): one for one in Event.__subclasses__()}
