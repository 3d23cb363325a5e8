"""Leaving alone a host that fails every time."""

import math
from dataclasses import dataclass

from deepresearch_mcp.exceptions import FetchFailed, FetchRefused
from deepresearch_mcp.ports.clock import Clock
from deepresearch_mcp.settings import WebSettings
from deepresearch_mcp.web.hop import Answer, Ask, Hop

_DEAD = frozenset({"unreachable", "timed_out"})
MOST_HOSTS = 2_000


@dataclass(slots=True)
class _Circuit:
    failures: int = 0
    opened: float = -math.inf
    trying: bool = False


class Breaker:
    """A hop that stops asking a host after several failures in a row.

    A failure is a host that cannot be reached, does not answer in time or answers 5xx. After
    `breaker_seconds` one request is let through to try it; the others go on being refused.
    """

    def __init__(self, inner: Hop, settings: WebSettings, clock: Clock) -> None:
        self._inner = inner
        self._most = settings.breaker_failures
        self._pause = settings.breaker_seconds
        self._clock = clock
        self._circuits: dict[str, _Circuit] = {}

    async def get(self, ask: Ask) -> Answer:
        """See `Hop.get`."""
        circuit = self._circuits.get(ask.host) or _Circuit()
        trial = circuit.failures >= self._most
        if trial and (circuit.trying or self._clock.monotonic() - circuit.opened < self._pause):
            raise FetchRefused(
                str(ask.url), "circuit_open", "The host has failed several times in a row and is left alone."
            )
        circuit.trying = trial
        try:
            answer = await self._inner.get(ask)
        except FetchFailed as error:
            self._count(ask.host, circuit, failed=error.reason in _DEAD)
            raise
        finally:
            if trial:
                circuit.trying = False
        self._count(ask.host, circuit, failed=answer.status >= 500)
        return answer

    def _count(self, host: str, circuit: _Circuit, *, failed: bool) -> None:
        if not failed:
            self._circuits.pop(host, None)
            circuit.failures = 0
            return
        kept = self._circuits.setdefault(host, circuit)
        kept.failures += 1
        kept.opened = self._clock.monotonic()
        if len(self._circuits) > MOST_HOSTS:
            self._circuits.pop(next(iter(self._circuits)))
