import json
from collections.abc import Callable

import httpx2
import pytest
from pydantic import SecretStr

from deepresearch_mcp.exceptions import ProviderError, RateLimited, UnreadableAnswer
from deepresearch_mcp.search.embeddings import EndpointEmbedder
from deepresearch_mcp.settings.library import LibrarySettings

Answer = Callable[[httpx2.Request], httpx2.Response]
SETTINGS = LibrarySettings(
    embeddings_url="http://127.0.0.1:9/v1",
    embeddings_model="small",
    embeddings_key=SecretStr("k-1"),
    embeddings_batch=2,
)


def embedder(answer: Answer, settings: LibrarySettings = SETTINGS) -> EndpointEmbedder:
    return EndpointEmbedder(httpx2.AsyncClient(transport=httpx2.MockTransport(answer)), settings)


def vectors(*rows: tuple[int, list[float]]) -> bytes:
    data = [{"object": "embedding", "index": index, "embedding": vector} for index, vector in rows]
    return json.dumps({"object": "list", "data": data, "model": "small", "usage": {"total_tokens": 5}}).encode()


async def test_texts_go_in_batches_and_vectors_come_back_in_order_with_length_one() -> None:
    asked: list[httpx2.Request] = []

    def answer(request: httpx2.Request) -> httpx2.Response:
        asked.append(request)
        rows = [(at, [3.0, 4.0 * (text == "b")]) for at, text in enumerate(json.loads(request.content)["input"])]
        return httpx2.Response(200, content=vectors(*reversed(rows)))

    found = await embedder(answer).embed(["a", "b", "c"])

    assert found == [[1.0, 0.0], [0.6, 0.8], [1.0, 0.0]]
    assert [json.loads(one.content)["input"] for one in asked] == [["a", "b"], ["c"]]
    assert str(asked[0].url) == "http://127.0.0.1:9/v1/embeddings"
    assert asked[0].headers["authorization"] == "Bearer k-1"
    assert json.loads(asked[0].content)["model"] == "small"


def answered(status: int, content: bytes = b"") -> Answer:
    return lambda request: httpx2.Response(status, content=content, request=request)


def broken(request: httpx2.Request) -> httpx2.Response:
    raise httpx2.ReadError("gone", request=request)


def late(request: httpx2.Request) -> httpx2.Response:
    raise httpx2.ReadTimeout("late", request=request)


@pytest.mark.parametrize(
    ("answer", "error"),
    [
        (answered(401), ProviderError),
        (answered(429), RateLimited),
        (answered(503), ProviderError),
        (answered(200, b"<html>"), UnreadableAnswer),
        (answered(200, b'{"data": [{"index": 0}]}'), UnreadableAnswer),
        (answered(200, vectors((0, [1.0]), (1, [1.0]))), UnreadableAnswer),
        (answered(200, vectors((0, [0.0, 0.0]))), UnreadableAnswer),
        (broken, ProviderError),
        (late, ProviderError),
    ],
)
async def test_every_failure_is_one_of_our_errors_without_the_key(answer: Answer, error: type[Exception]) -> None:
    with pytest.raises(error) as caught:
        await embedder(answer).embed(["a"])

    assert "k-1" not in str(caught.value)
