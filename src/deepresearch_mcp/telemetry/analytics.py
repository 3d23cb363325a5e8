"""Tells a service of the operator's own what runs do, in numbers and names of ours alone; off without its setting.

Four events: `run_started`, `search_performed`, `llm_call`, `run_completed`. There is no question, query, address, run
id or text in them; `anonymous_id` is a random number of the store.
"""

from collections import deque
from datetime import UTC, datetime
from typing import Any

import httpx2
from typing_extensions import override

from deepresearch_mcp.events import Ended, Event, RoundEnded, Started
from deepresearch_mcp.exceptions import StoreError
from deepresearch_mcp.ports.clock import Clock
from deepresearch_mcp.ports.store import Keys
from deepresearch_mcp.telemetry.observing import Observer, SeenStep
from deepresearch_mcp.version import __version__

_MOST = 2_000
"""Events that wait to be sent; older ones are dropped while the service is away."""
_AT_ONCE = 200
_SECONDS = 5.0
_KEY = "analytics"


class Analytics(Observer):
    """Collects the events of this process; `send` posts them."""

    def __init__(self, url: str, http: httpx2.AsyncClient, keys: Keys, clock: Clock) -> None:
        self._url = url
        self._http = http
        self._keys = keys
        self._clock = clock
        self._waiting: deque[dict[str, Any]] = deque(maxlen=_MOST)
        self._sending = False
        self._runs: dict[str, dict[str, Any]] = {}
        """Run → when it began, and what is known of it."""

    @override
    def began(self, run_id: str) -> None:
        self._runs[run_id] = {"began": self._clock.monotonic(), "status": "interrupted", "rounds": 0, "steps": 0}

    @override
    def happened(self, run_id: str, event: Event) -> None:
        run = self._runs.get(run_id, {})
        match event:
            case Started(thinker=thinker, engines=engines):
                self._add("run_started", thinker=thinker, engines=[_named(one) for one in engines])
            case RoundEnded(round=number):
                run["rounds"] = number
            case Ended(status=status):
                run["status"] = status
            case _:
                pass

    @override
    def step_began(self, step: SeenStep) -> None:
        """A step is told at its end."""

    @override
    def step_ended(self, step: SeenStep) -> None:
        if run := self._runs.get(step.run_id):
            run["steps"] += 1
        used, told = step.used, {"ms": round(1_000 * step.seconds), "error": step.error}
        if step.kind == "search":
            self._add("search_performed", engine=_named(used.by if used else ""), **told)
        elif step.kind == "model" and used:
            tokens = {"input_tokens": used.input_tokens, "output_tokens": used.output_tokens}
            self._add("llm_call", model=used.by, role=used.role, **tokens, **told)

    @override
    def ended(self, run_id: str) -> None:
        if run := self._runs.pop(run_id, None):
            seconds = round(self._clock.monotonic() - run.pop("began"), 1)
            self._add("run_completed", seconds=seconds, **run)

    async def send(self) -> None:
        """Post what waits; a failure is no one's business but the operator's, who sees nothing arrive."""
        if not self._waiting or self._sending:
            return
        self._sending = True
        try:
            await self._post()
        except StoreError:
            pass  # the id is read when the store answers again
        finally:
            self._sending = False

    async def _post(self) -> None:
        anonymous = (await self._keys.of(_KEY)).hex()[:32]
        batch = [self._waiting.popleft() for _ in range(min(_AT_ONCE, len(self._waiting)))]
        body = {"anonymous_id": anonymous, "version": __version__, "events": batch}
        try:
            answer = await self._http.post(self._url, json=body, timeout=_SECONDS, follow_redirects=False)
            lost = answer.status_code >= 500
        except httpx2.HTTPError:
            lost = True
        if lost and len(self._waiting) + len(batch) <= _MOST:
            self._waiting.extendleft(reversed(batch))

    def _add(self, name: str, **properties: object) -> None:
        at = datetime.fromtimestamp(self._clock.now().timestamp(), UTC).isoformat(timespec="seconds")
        self._waiting.append({"event": name, "at": at.replace("+00:00", "Z"), "properties": properties})


def _named(engine: str) -> str:
    # A search engine of a user's own is named after its address or command.
    return "mcp" if engine.startswith("mcp:") else engine
