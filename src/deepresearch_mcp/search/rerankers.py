"""A reranker behind any endpoint that speaks Jina's and Cohere's `/rerank`, as vLLM and llama.cpp do."""

import math
from collections.abc import Sequence

import httpx2
from pydantic import BaseModel
from typing_extensions import override

from deepresearch_mcp.exceptions import UnreadableAnswer
from deepresearch_mcp.ports.embedding import Reranker
from deepresearch_mcp.search.errors import provider_errors
from deepresearch_mcp.search.wire import ask, key_text
from deepresearch_mcp.settings.library import LibrarySettings

_NAME = "rerank"


class _Row(BaseModel):
    index: int
    relevance_score: float


class _Answer(BaseModel):
    results: list[_Row]


class EndpointReranker(Reranker):
    """A model behind an endpoint."""

    def __init__(self, http: httpx2.AsyncClient, settings: LibrarySettings) -> None:
        self._http = http
        self._settings = settings

    @override
    async def scores(self, query: str, texts: Sequence[str]) -> list[float]:
        key = self._settings.rerank_key
        body = await ask(
            self._http,
            _NAME,
            "POST",
            f"{self._settings.rerank_url}/rerank",
            json={
                "model": self._settings.rerank_model or "default",
                "query": query,
                "documents": [text or " " for text in texts],
                "top_n": len(texts),
            },
            headers={"Authorization": f"Bearer {key_text(_NAME, key)}"} if key else None,
        )
        with provider_errors(_NAME):
            rows = sorted(_Answer.model_validate_json(body).results, key=lambda row: row.index)
        if [row.index for row in rows] != list(range(len(texts))):
            raise UnreadableAnswer(_NAME, "it scored another number of texts than it was sent")
        if not all(math.isfinite(row.relevance_score) for row in rows):
            raise UnreadableAnswer(_NAME, "a score is no number")
        return [row.relevance_score for row in rows]
