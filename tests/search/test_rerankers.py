import json

import httpx2
import pytest
from pydantic import SecretStr

from deepresearch_mcp.exceptions import ProviderError, UnreadableAnswer
from deepresearch_mcp.search.rerankers import EndpointReranker
from deepresearch_mcp.settings.library import LibrarySettings

SETTINGS = LibrarySettings(rerank_url="http://127.0.0.1:9/v1", rerank_model="small", rerank_key=SecretStr("k-1"))


def reranker(status: int, body: object, asked: list[httpx2.Request]) -> EndpointReranker:
    def answer(request: httpx2.Request) -> httpx2.Response:
        asked.append(request)
        return httpx2.Response(status, content=json.dumps(body).encode(), request=request)

    return EndpointReranker(httpx2.AsyncClient(transport=httpx2.MockTransport(answer)), SETTINGS)


def results(*rows: tuple[int, float]) -> object:
    return {"model": "small", "results": [{"index": at, "relevance_score": score} for at, score in rows]}


async def test_scores_come_back_in_the_order_of_the_texts() -> None:
    asked: list[httpx2.Request] = []

    scores = await reranker(200, results((1, 0.9), (0, -2.0)), asked).scores("ice", ["a", ""])

    assert scores == [-2.0, 0.9]
    [request] = asked
    assert str(request.url) == "http://127.0.0.1:9/v1/rerank"
    assert request.headers["authorization"] == "Bearer k-1"
    assert json.loads(request.content) == {"model": "small", "query": "ice", "documents": ["a", " "], "top_n": 2}


@pytest.mark.parametrize(
    ("status", "body", "error"),
    [
        (503, {}, ProviderError),
        (401, {}, ProviderError),
        (200, {"odd": 1}, UnreadableAnswer),
        (200, results((0, 1.0)), UnreadableAnswer),
        (200, results((0, 1.0), (0, 1.0)), UnreadableAnswer),
        (200, results((0, 1.0), (1, float("nan"))), UnreadableAnswer),
    ],
)
async def test_what_is_no_answer_is_told_as_one_of_our_errors(
    status: int, body: object, error: type[ProviderError]
) -> None:
    with pytest.raises(error):
        await reranker(status, body, []).scores("ice", ["a", "b"])
