import httpx2
import pytest
from pydantic import SecretStr
from tests.llm.scripted import call

from deepresearch_mcp.exceptions import ProviderError
from deepresearch_mcp.llm.anthropic import Anthropic
from deepresearch_mcp.llm.failures import Endpoint
from deepresearch_mcp.llm.openai import OpenAI
from deepresearch_mcp.llm.parts import ModelParts


@pytest.mark.parametrize(
    ("kind", "provider", "wire", "path"),
    [
        (Anthropic, "anthropic", "", "/v1/messages"),
        (OpenAI, "toy", "", "/v1/chat/completions"),
        (OpenAI, "toy", "responses", "/v1/responses"),
    ],
)
async def test_an_adapter_asks_where_its_parts_say_with_the_key_they_hold(
    kind: type[Anthropic | OpenAI], provider: str, wire: str, path: str
) -> None:
    seen: list[httpx2.Request] = []

    def refuse(request: httpx2.Request) -> httpx2.Response:
        seen.append(request)
        return httpx2.Response(401, json={})

    async with httpx2.AsyncClient(transport=httpx2.MockTransport(refuse)) as http:
        base_url = "http://127.0.0.1:9" if kind is Anthropic else "http://127.0.0.1:9/v1"
        endpoint = Endpoint(f"{provider}:m", key_variable="TOY_KEY")
        model = kind.from_parts(
            ModelParts(provider, "m", SecretStr("sesame"), base_url, wire, timeout=5.0, http=http, endpoint=endpoint)
        )
        with pytest.raises(ProviderError, match="TOY_KEY"):
            await model.answer(call())

    assert model.name == f"{provider}:m"
    assert seen[0].url.path == path
    assert "sesame" in {seen[0].headers.get("x-api-key"), seen[0].headers.get("authorization", "").partition(" ")[2]}
