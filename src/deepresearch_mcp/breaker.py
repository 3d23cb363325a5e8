"""Leaving alone what fails every time: a model, a search engine, the host of a page."""

import math
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass

from deepresearch_mcp.ports.clock import Clock

FAILURES = 5
"""In a row, after which it is left alone."""
PAUSE = 30.0
"""Seconds until one call may try it again."""
MOST = 2_000
"""Names with failures that are kept in mind; beyond them the one that has failed for longest is forgotten."""


class CircuitOpen(Exception):
    """It was not asked, as it failed too often."""

    def __init__(self, name: str, failures: int, left: float) -> None:
        super().__init__(f"{name} is left alone after {failures} failures in a row.")
        self.failures = failures
        self.left = left
        """Seconds until it is tried again, 0 while one call is trying."""


@dataclass(slots=True)
class _Circuit:
    failures: int = 0
    opened: float = -math.inf
    trying: bool = False


class CircuitBreaker:
    """The health of whatever has a name; one for all runs of a process.

    After `failures` in a row nobody is let through for `seconds`; then one call is, to try, while the others are still
    turned away. Its success lets everybody through again, its failure begins another pause.
    """

    def __init__(self, clock: Clock, *, failures: int = FAILURES, seconds: float = PAUSE) -> None:
        self._clock = clock
        self._most = failures
        self._pause = seconds
        self._circuits: dict[str, _Circuit] = {}

    @contextmanager
    def guard(self, name: str) -> Generator[None]:
        """Around one call, which tells with `failed` or `worked` what it says of the other's health.

        A call that tells neither (it was cancelled, or refused for reasons of its own) changes nothing.

        Raises:
            CircuitOpen: The call is not to be made.
        """
        circuit = self._circuits.get(name) or _Circuit()
        trial = circuit.failures >= self._most
        left = circuit.opened + self._pause - self._clock.monotonic()
        if trial and (circuit.trying or left > 0):
            raise CircuitOpen(name, self._most, max(0.0, left))
        circuit.trying = trial
        try:
            yield
        finally:
            if trial:
                circuit.trying = False

    def worked(self, name: str) -> None:
        """It gave a sign of life: the count begins anew."""
        self._circuits.pop(name, None)

    def failed(self, name: str) -> bool:
        """It failed once more; whether it is left alone from now on."""
        circuit = self._circuits.setdefault(name, _Circuit())
        circuit.failures += 1
        circuit.opened = self._clock.monotonic()
        if len(self._circuits) > MOST:
            self._circuits.pop(next(iter(self._circuits)))
        return circuit.failures >= self._most
