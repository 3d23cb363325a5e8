"""How often one caller may ask: a bucket of requests that fills evenly."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from deepresearch_mcp.ports.clock import Clock

_MOST = 10_000
"""Callers that are remembered. Who has not asked for longest is forgotten first, and starts with a full bucket."""


class CallerRates:
    """Counts requests by caller, in this process alone: replicas allow as many times as much."""

    def __init__(self, a_minute: int, clock: "Clock") -> None:
        """`a_minute`: requests that a caller may send at once, and in each minute; 0: no limit."""
        self._a_minute = a_minute
        self._clock = clock
        self._buckets: dict[str, tuple[float, float]] = {}
        """Caller → requests left, and when that was so."""

    def wait(self, caller: str, a_minute: int | None = None) -> float:
        """Count a request; seconds until the caller may send it again if it is one too many, else 0.

        `a_minute` is a limit of the caller's own.
        """
        most = self._a_minute if a_minute is None else a_minute
        if not most:
            return 0.0
        now, rate = self._clock.monotonic(), most / 60
        left, then = self._buckets.pop(caller, (float(most), now))
        left = min(float(most), left + (now - then) * rate)
        allowed = left >= 1.0
        self._buckets[caller] = (left - 1.0 if allowed else left, now)
        while len(self._buckets) > _MOST:
            del self._buckets[next(iter(self._buckets))]
        return 0.0 if allowed else (1.0 - left) / rate
