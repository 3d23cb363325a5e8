"""The circuit breaker: stops calls to a model, a search engine or a page's host that keeps failing."""

import math
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass

from deepresearch_mcp.ports.clock import Clock

FAILURES = 5
"""Consecutive failures that open a circuit."""
PAUSE = 30.0
"""Seconds until the breaker lets one trial call through."""
MOST = 2_000
"""The most failing names that are remembered; beyond it, the name remembered longest is forgotten."""


class CircuitOpen(Exception):
    """The call was not made, because its target failed too often in a row."""

    def __init__(self, name: str, failures: int, left: float, why: str = "") -> None:
        super().__init__(f"{name} is left alone after {failures} failures in a row.")
        self.failures = failures
        self.left = left
        """Seconds until the next trial call; 0 while one is under way."""
        self.why = why
        """What was told of the last failure."""


@dataclass(slots=True)
class _Circuit:
    failures: int = 0
    opened: float = -math.inf
    trying: bool = False
    why: str = ""


class CircuitBreaker:
    """Tracks the health of every model, engine and host by name; all runs of a process share one breaker.

    After `failures` consecutive failures, the breaker refuses every call for `seconds`. Then it lets one trial call
    through and still refuses the others. If the trial succeeds, the circuit closes; if it fails, the next pause begins.
    """

    def __init__(self, clock: Clock, *, failures: int = FAILURES, seconds: float = PAUSE) -> None:
        self._clock = clock
        self._most = failures
        self._pause = seconds
        self._circuits: dict[str, _Circuit] = {}

    @contextmanager
    def guard(self, name: str) -> Generator[None]:
        """Guard one call; report its outcome with `failed` or `worked`.

        A call that reports neither (cancelled, or refused for another reason) changes nothing.

        Raises:
            CircuitOpen: The call must not be made.
        """
        circuit = self._circuits.get(name) or _Circuit()
        trial = circuit.failures >= self._most
        left = circuit.opened + self._pause - self._clock.monotonic()
        if trial and (circuit.trying or left > 0):
            raise CircuitOpen(name, self._most, max(0.0, left), circuit.why)
        circuit.trying = trial
        try:
            yield
        finally:
            if trial:
                circuit.trying = False

    def worked(self, name: str) -> None:
        """Reset the count of consecutive failures."""
        self._circuits.pop(name, None)

    def failed(self, name: str, why: str = "") -> bool:
        """Count a failure, with its reason; return whether the circuit is now open."""
        circuit = self._circuits.setdefault(name, _Circuit())
        circuit.failures += 1
        circuit.opened = self._clock.monotonic()
        circuit.why = why.rstrip(".")
        if len(self._circuits) > MOST:
            self._circuits.pop(next(iter(self._circuits)))
        return circuit.failures >= self._most
