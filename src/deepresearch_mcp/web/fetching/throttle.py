"""Limits the request rate per host, and concurrent requests per host and in total."""

import math
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import anyio
from typing_extensions import override

from deepresearch_mcp.exceptions import FetchFailed
from deepresearch_mcp.ports.clock import Clock
from deepresearch_mcp.retry_after import retry_after
from deepresearch_mcp.settings.web import WebSettings
from deepresearch_mcp.web.fetching.fetcher import Fetcher, Request, Response

LONGEST_PACE = 10.0
"""Longest Crawl-delay that is honoured, in seconds; some robots.txt ask for an hour."""
LONGEST_CLOSURE = 3600.0
"""Longest Retry-After that is honoured, in seconds."""
MOST_HOSTS = 2_000
"""Hosts that are remembered; above it, idle hosts are dropped."""


@dataclass(slots=True)
class _Host:
    room: anyio.Semaphore
    interval: float
    burst: int
    due: float = -math.inf
    """When the bucket is full again: the theoretical arrival time of GCRA, in monotonic seconds."""
    closed_until: float = -math.inf
    waiting: int = 0


@dataclass(slots=True)
class Throttle:
    """A token bucket and a concurrency limit for each host, and a concurrency limit for all hosts together."""

    settings: WebSettings
    clock: Clock
    _hosts: dict[str, _Host] = field(default_factory=dict[str, _Host])
    _room: anyio.Semaphore = field(init=False)

    def __post_init__(self) -> None:
        self._room = anyio.Semaphore(self.settings.concurrency)

    @asynccontextmanager
    async def turn(self, host: str, url: str) -> AsyncGenerator[None]:
        """Wait for a turn at a host and hold it.

        Raises:
            FetchFailed: The host asked for a pause of more than `retry_wait` seconds.
        """
        state = self._host(host)
        state.waiting += 1
        try:
            async with state.room:
                await self._wait(state, url)
                async with self._room:
                    yield
        finally:
            state.waiting -= 1

    def slow_down(self, host: str, seconds: float) -> None:
        """Pause requests to the host for `seconds`, its Retry-After."""
        state = self._host(host)
        state.closed_until = max(state.closed_until, self.clock.monotonic() + min(seconds, LONGEST_CLOSURE))

    def pace(self, host: str, seconds: float) -> None:
        """Wait at least `seconds`, the host's Crawl-delay, between two requests."""
        state = self._host(host)
        if seconds > state.interval:
            state.interval, state.burst = min(seconds, LONGEST_PACE), 1

    async def _wait(self, state: _Host, url: str) -> None:
        now = self.clock.monotonic()
        start = max(now, state.due - (state.burst - 1) * state.interval)
        state.due = max(state.due, now) + state.interval
        while True:
            start = max(start, state.closed_until)
            if start - now <= 0:
                return
            if state.closed_until - now > self.settings.retry_wait:
                raise FetchFailed(url, "rate_limited", "The host asked to be left alone for a while.")
            await self.clock.sleep(start - now)
            now = self.clock.monotonic()

    def _host(self, name: str) -> _Host:
        state = self._hosts.get(name)
        if state is None:
            if len(self._hosts) >= MOST_HOSTS:
                self._hosts = {key: host for key, host in self._hosts.items() if host.waiting}
            settings = self.settings
            room = anyio.Semaphore(settings.host_concurrency)
            state = self._hosts[name] = _Host(room, 1 / settings.host_rate, settings.host_burst)
        return state


class ThrottledFetcher(Fetcher):
    """A fetcher that waits for its turn and honours the pauses that a host asks for."""

    def __init__(self, inner: Fetcher, throttle: Throttle) -> None:
        self._inner = inner
        self._throttle = throttle

    @override
    async def get(self, ask: Request) -> Response:
        async with self._throttle.turn(ask.host, str(ask.url)):
            answer = await self._inner.get(ask)
        if answer.status in {429, 503}:
            seconds = retry_after(answer.headers, self._throttle.clock.now())
            if seconds is not None:
                self._throttle.slow_down(ask.host, seconds)
        return answer
