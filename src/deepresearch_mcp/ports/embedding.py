"""The embedder port: texts as vectors whose angle says how near their meanings are."""

from collections.abc import Sequence
from typing import Protocol

Vector = Sequence[float]
"""Of length 1."""


class Embedder(Protocol):
    """One embedding model."""

    @property
    def name(self) -> str:
        """Names the model; vectors of different names are never compared."""
        ...

    async def embed(self, texts: Sequence[str]) -> list[Vector]:
        """Return a vector for each text, in order, all of one length.

        Raises:
            ProviderError: The model could not be asked, or answered in another shape.
        """
        ...
