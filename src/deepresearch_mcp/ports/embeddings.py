"""Vectors for texts, where somebody offers them."""

from collections.abc import Sequence
from typing import Protocol


class Embeddings(Protocol):
    """An embedding model; ranking works without one."""

    @property
    def name(self) -> str:
        """`PROVIDER:NAME`."""
        ...

    async def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """One vector of unit length a text, in order.

        Raises:
            ProviderError: The service failed.
        """
        ...
