"""The port of the client's own model, by any channel that the client has."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Protocol

from deepresearch_mcp.ports.model import ModelAnswer, ModelCall

Elsewhere = Callable[[], AbstractContextManager[None]]
"""`Broker.elsewhere`, or a null context for a run that does not ask its client in rounds."""


class Broker(Protocol):
    """Collects model calls until the run can do nothing else, then hands them all to the client."""

    async def answer(self, call: ModelCall) -> ModelAnswer:
        """Return the client's answer, however long it takes.

        This process does not wait: the caller is cancelled after the calls are handed over, and the next attempt at the
        run gets the answers at once. A call that is too large for one round is answered with `stop` `context`.

        Raises:
            ProviderError: The client does not answer this call: it left the call out twice, its round was full, or no
                round is left.
        """
        ...

    def elsewhere(self) -> AbstractContextManager[None]:
        """Mark a wait for I/O, which may lead to further calls: the broker waits longer before it hands over."""
        ...
