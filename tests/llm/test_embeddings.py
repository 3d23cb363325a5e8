import math

import httpx2
import pytest
from pydantic import SecretStr
from tests.wires import Asked, Drop, Fault, Scripted, serve

from deepresearch_mcp.exceptions import KeyRefused, ProviderError, UnreadableAnswer
from deepresearch_mcp.llm.embeddings import BATCH, OpenAIEmbeddings


def lengths(asked: Asked) -> object:
    return [[float(len(text)), 0.0, 4.0] for text in asked["body"]["input"]]


async def embed(scripted: Scripted, texts: list[str], key: SecretStr | None = None) -> list[list[float]]:
    async with serve(scripted) as base_url, httpx2.AsyncClient() as http:
        return await OpenAIEmbeddings("ollama:embed", key, http, base_url=f"{base_url}/v1/").embed(texts)


async def test_vectors_come_in_order_and_of_unit_length() -> None:
    scripted = Scripted(lengths)

    vectors = await embed(scripted, ["abc", ""], SecretStr("k"))

    assert vectors == [pytest.approx([0.6, 0.0, 0.8]), pytest.approx([0.0, 0.0, 1.0])]
    [asked] = scripted.asked
    assert asked["model"] == "embed"
    assert asked["headers"]["authorization"] == "Bearer k"


async def test_many_texts_are_sent_in_batches_and_none_is_lost() -> None:
    scripted = Scripted(lengths)

    vectors = await embed(scripted, ["a" * (number % 7) for number in range(BATCH + 3)])

    assert [len(asked["body"]["input"]) for asked in scripted.asked] == [BATCH, 3]
    assert len(vectors) == BATCH + 3
    assert all(math.isclose(math.hypot(*vector), 1) for vector in vectors)
    assert "authorization" not in scripted.asked[0]["headers"]


async def test_no_texts_ask_nobody() -> None:
    scripted = Scripted(lengths)

    assert await embed(scripted, []) == []
    assert scripted.asked == []


async def test_a_vector_of_zeros_stays_one() -> None:
    assert await embed(Scripted(lambda asked: [[0.0, 0.0]]), ["a"]) == [[0.0, 0.0]]


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        (Fault(401), KeyRefused),
        (Fault(500), ProviderError),
        (Drop(), ProviderError),
        (Fault(200, body="<html>"), UnreadableAnswer),
        ([[1.0], [2.0]], UnreadableAnswer),
    ],
)
async def test_a_failure_is_one_of_ours(said: object, kind: type[ProviderError]) -> None:
    with pytest.raises(ProviderError) as caught:
        await embed(Scripted(lambda asked: said), ["a"])

    assert type(caught.value) is kind
