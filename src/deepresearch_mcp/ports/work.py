"""The model of a run's client, by whatever channel the client has."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Protocol

from deepresearch_mcp.ports.model import ModelAnswer, ModelCall

Elsewhere = Callable[[], AbstractContextManager[None]]
"""`Broker.elsewhere`; a null context for a run without rounds of questions."""


class Broker(Protocol):
    """Holds the model calls that a run waits for, until the run can do nothing else; then hands them over at once."""

    async def answer(self, call: ModelCall) -> ModelAnswer:
        """The client's answer, however long it takes.

        This process does not wait: the caller is cancelled once the calls are handed over, and in the next attempt at
        the run the answers are there at once. A call that is too large for one round comes back with `stop`
        `context`.

        Raises:
            ProviderError: The client does not answer it: it was left out twice, its round was full, or no round is
                left.
        """
        ...

    def elsewhere(self) -> AbstractContextManager[None]:
        """Signals that the run is waiting for I/O, which may lead to further calls, and not for the model."""
        ...
