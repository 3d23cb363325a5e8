"""The ports of models that rank texts: by vectors whose angle says how near meanings are, or by reading them."""

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


class Reranker(Protocol):
    """A model that reads a query and a text together."""

    async def scores(self, query: str, texts: Sequence[str]) -> list[float]:
        """Return for each text, in order, how well it answers the query; higher is better.

        Raises:
            ProviderError: The model could not be asked, or answered in another shape.
        """
        ...
