"""Stops asking a host that fails every time."""

from typing_extensions import override

from deepresearch_mcp.breaker import CircuitBreaker as Circuits
from deepresearch_mcp.breaker import CircuitOpen
from deepresearch_mcp.exceptions import FetchFailed, FetchRefused
from deepresearch_mcp.ports.clock import Clock
from deepresearch_mcp.settings.web import WebSettings
from deepresearch_mcp.web.fetching.fetcher import Fetcher, Request, Response

_DEAD = frozenset({"unreachable", "timed_out"})


class FetcherWithCircuitBreaker(Fetcher):
    """A fetcher that stops asking a host after several failures in a row.

    A failure is a host that cannot be reached, does not answer in time or answers 5xx. After
    `breaker_seconds` one trial request passes; all others are still refused.
    """

    def __init__(self, inner: Fetcher, settings: WebSettings, clock: Clock) -> None:
        self._inner = inner
        self._hosts = Circuits(clock, failures=settings.breaker_failures, seconds=settings.breaker_seconds)

    @override
    async def get(self, ask: Request) -> Response:
        try:
            with self._hosts.guard(ask.host):
                return await self._get(ask)
        except CircuitOpen as error:
            raise FetchRefused(
                str(ask.url), "circuit_open", "The host has failed several times in a row and is left alone."
            ) from error

    async def _get(self, ask: Request) -> Response:
        try:
            answer = await self._inner.get(ask)
        except FetchFailed as error:
            self._count(ask.host, failed=error.reason in _DEAD)
            raise
        self._count(ask.host, failed=answer.status >= 500)
        return answer

    def _count(self, host: str, *, failed: bool) -> None:
        if failed:
            self._hosts.failed(host)
        else:
            self._hosts.worked(host)
