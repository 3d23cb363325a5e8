"""Embeddings from any endpoint that speaks OpenAI's `/v1/embeddings`."""

import math
from collections.abc import Sequence

import httpx2
from pydantic import BaseModel
from typing_extensions import override

from deepresearch_mcp.exceptions import UnreadableAnswer
from deepresearch_mcp.ports.embedding import Embedder, Vector
from deepresearch_mcp.search.errors import provider_errors
from deepresearch_mcp.search.wire import ask, key_text
from deepresearch_mcp.settings.library import LibrarySettings

_NAME = "embeddings"
_LONGEST = 6_000
"""Characters of a text that are sent: more than a chunk holds; a longer one is cut, as servers refuse it whole."""


class _Row(BaseModel):
    index: int
    embedding: list[float]


class _Answer(BaseModel):
    data: list[_Row]


class EndpointEmbedder(Embedder):
    """A model behind an endpoint."""

    def __init__(self, http: httpx2.AsyncClient, settings: LibrarySettings) -> None:
        self._http = http
        self._settings = settings

    @property
    @override
    def name(self) -> str:
        return self._settings.embeddings_model or "default"

    @override
    async def embed(self, texts: Sequence[str]) -> list[Vector]:
        size = self._settings.embeddings_batch
        found: list[Vector] = []
        for start in range(0, len(texts), size):
            found += await self._batch([text[:_LONGEST] or " " for text in texts[start : start + size]])
        if len({len(vector) for vector in found}) > 1:
            raise UnreadableAnswer(_NAME, "its vectors differ in length")
        return found

    async def _batch(self, texts: list[str]) -> list[Vector]:
        key = self._settings.embeddings_key
        body = await ask(
            self._http,
            _NAME,
            "POST",
            f"{self._settings.embeddings_url}/embeddings",
            json={"model": self.name, "input": texts, "encoding_format": "float"},
            headers={"Authorization": f"Bearer {key_text(_NAME, key)}"} if key else None,
        )
        with provider_errors(_NAME):
            rows = sorted(_Answer.model_validate_json(body).data, key=lambda row: row.index)
        if [row.index for row in rows] != list(range(len(texts))):
            raise UnreadableAnswer(_NAME, "it gave another number of vectors than of texts")
        return [_unit(row.embedding) for row in rows]


def _unit(vector: Sequence[float]) -> Vector:
    """Scale a vector to length 1.

    Raises:
        UnreadableAnswer: It has no direction.
    """
    length = math.sqrt(sum(value * value for value in vector))
    if not length or not math.isfinite(length):
        raise UnreadableAnswer(_NAME, "a vector has no direction")
    return [value / length for value in vector]
