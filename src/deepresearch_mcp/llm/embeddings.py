"""Vectors from any server with OpenAI's `/embeddings`."""

import math
from collections.abc import Sequence

import httpx2
from pydantic import BaseModel, SecretStr, ValidationError

from deepresearch_mcp.exceptions import UnreadableAnswer
from deepresearch_mcp.llm.failures import Endpoint, http_errors

BATCH = 96
"""Texts in one request; the lowest limit of the usual servers."""


class _Row(BaseModel):
    index: int
    embedding: list[float]


class _Answer(BaseModel):
    data: list[_Row]


class OpenAIEmbeddings:
    """One embedding model at one address."""

    def __init__(
        self,
        name: str,
        key: SecretStr | None,
        http: httpx2.AsyncClient,
        *,
        base_url: str,
        timeout: float = 60.0,
        endpoint: Endpoint | None = None,
    ) -> None:
        self.name = name
        """`PROVIDER:NAME`."""
        self._key = key
        self._http = http
        self._url = f"{base_url.rstrip('/')}/embeddings"
        self._timeout = timeout
        self._endpoint = endpoint or Endpoint(name)

    async def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """See `Embeddings.embed`; a vector of zeros stays one."""
        vectors: list[list[float]] = []
        for start in range(0, len(texts), BATCH):
            vectors += await self._batch(texts[start : start + BATCH])
        return vectors

    async def _batch(self, texts: Sequence[str]) -> list[list[float]]:
        body = {"model": self.name.partition(":")[2], "input": list(texts), "encoding_format": "float"}
        headers = {"Authorization": f"Bearer {self._key.get_secret_value()}"} if self._key else {}
        with http_errors(self._endpoint):
            response = await self._http.post(self._url, json=body, headers=headers, timeout=self._timeout)
            content = response.raise_for_status().content
        try:
            rows = sorted(_Answer.model_validate_json(content).data, key=lambda row: row.index)
        except ValidationError as error:
            raise UnreadableAnswer(self.name, "its vectors cannot be read") from error
        if [row.index for row in rows] != list(range(len(texts))):
            raise UnreadableAnswer(self.name, f"it gave {len(rows)} vectors for {len(texts)} texts")
        return [_unit(row.embedding) for row in rows]


def _unit(vector: list[float]) -> list[float]:
    length = math.sqrt(sum(part * part for part in vector))
    return [part / length for part in vector] if length else vector
