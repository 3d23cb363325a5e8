from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager

import httpx2
import pytest
from pydantic import BaseModel, Field, SecretStr
from tests.llm.scripted import call
from tests.wires import Asked, Drop, Fault, Reply, Scripted, serve

from deepresearch_mcp.exceptions import ContextOverflow, KeyRefused, ProviderError, RateLimited, UnreadableAnswer
from deepresearch_mcp.llm.anthropic import Anthropic
from deepresearch_mcp.llm.failures import Endpoint
from deepresearch_mcp.ports.model import Usage


class Finding(BaseModel):
    words: list[str]
    score: int = Field(default=1, ge=1, le=10)


SCHEMA = Finding.model_json_schema()


@asynccontextmanager
async def claude(answers: Callable[[Asked], object]) -> AsyncGenerator[tuple[Anthropic, Scripted]]:
    scripted = Scripted(answers)
    async with serve(scripted) as base_url, httpx2.AsyncClient() as http:
        endpoint = Endpoint("anthropic:claude-haiku-5-5", "ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL")
        yield (
            Anthropic("claude-haiku-5-5", SecretStr("sk-secret"), http, base_url=base_url, endpoint=endpoint),
            scripted,
        )


async def test_the_answer_comes_back_with_every_token_counted() -> None:
    reply = Reply("Ice floats.", input_tokens=1000, output_tokens=40, cached_tokens=600, cache_written_tokens=100)

    async with claude(lambda asked: reply) as (model, scripted):
        answer = await model.answer(call(system="Be exact.", prompt="Why?", max_tokens=77))

    assert answer.text == "Ice floats."
    assert answer.model == "anthropic:claude-haiku-5-5"
    assert answer.usage == Usage(1000, 40, 600, 100, 0)
    assert answer.stop == "end"
    [asked] = scripted.asked
    assert asked["body"]["system"] == [{"type": "text", "text": "Be exact.", "cache_control": {"type": "ephemeral"}}]
    assert (asked["model"], asked["prompt"], asked["max_tokens"]) == ("claude-haiku-5-5", "Why?", 77)
    assert not {"temperature", "top_p", "output_config"} & set(asked["body"])


async def test_an_empty_system_text_is_not_sent() -> None:
    async with claude(lambda asked: "yes") as (model, scripted):
        await model.answer(call())

    assert "system" not in scripted.asked[0]["body"]


async def test_a_schema_is_sent_in_the_wires_own_place() -> None:
    async with claude(lambda asked: Finding(words=["a"])) as (model, scripted):
        await model.answer(call(schema=SCHEMA))

    shape = scripted.asked[0]["schema"]
    assert shape is not None
    assert shape["additionalProperties"] is False
    assert "minimum" not in shape["properties"]["score"]
    assert SCHEMA["properties"]["score"]["minimum"] == 1


async def test_a_server_without_schemas_gets_them_in_words_from_then_on() -> None:
    def answers(asked: Asked) -> object:
        return Fault(400, "output_config: Extra inputs are not permitted") if asked["schema"] else Finding(words=["a"])

    async with claude(answers) as (model, scripted):
        await model.answer(call(schema=SCHEMA))
        await model.answer(call("read/q2", schema=SCHEMA))

    assert [asked["schema"] is None for asked in scripted.asked] == [False, True, True]
    assert [asked["schema_name"] for asked in scripted.asked] == ["Finding"] * 3


async def test_a_schema_with_a_part_of_any_type_is_sent_in_words() -> None:
    async with claude(lambda asked: {"a": 1}) as (model, scripted):
        await model.answer(call(schema={"type": "object", "properties": {"a": {}}}))

    assert scripted.asked[0]["schema"] is None
    assert '"properties":{"a":{}}' in scripted.asked[0]["system"]


@pytest.mark.parametrize("stop", ["end", "length", "refusal", "context"])
async def test_why_it_stopped_is_told(stop: str) -> None:
    async with claude(lambda asked: Reply("half an ans", stop=stop, output_tokens=5)) as (model, _):  # type: ignore[arg-type] - of the four
        answer = await model.answer(call())

    assert answer.stop == stop
    assert answer.usage.output_tokens == 5


@pytest.mark.parametrize(
    ("fault", "kind", "retryable"),
    [
        (Fault(401, "invalid x-api-key sk-secret"), KeyRefused, False),
        (Fault(403), KeyRefused, False),
        (Fault(400, "Your credit balance is too low"), KeyRefused, False),
        (Fault(404), ProviderError, False),
        (Fault(413), ContextOverflow, False),
        (Fault(400, "prompt is too long: 1200000 tokens > 1000000 maximum"), ContextOverflow, False),
        (Fault(400, "messages: wrong"), ProviderError, False),
        (Fault(429), RateLimited, True),
        (Fault(500), ProviderError, True),
        (Fault(529), RateLimited, True),
        (Drop(), ProviderError, True),
        (Fault(200, body="<html>"), UnreadableAnswer, False),
        (Fault(200, body='{"ok": true}'), UnreadableAnswer, False),
        (Fault(200, body="hello", headers={"content-type": "text/plain"}), UnreadableAnswer, False),
    ],
)
async def test_a_failure_says_what_it_was_and_no_secret(
    fault: object, kind: type[ProviderError], retryable: bool
) -> None:
    async with claude(lambda asked: fault) as (model, scripted):
        with pytest.raises(ProviderError) as caught:
            await model.answer(call(schema=SCHEMA))

    assert type(caught.value) is kind
    assert caught.value.retryable is retryable
    assert "sk-secret" not in str(caught.value)
    assert "127.0.0.1" not in str(caught.value)
    assert str(caught.value).startswith("anthropic:claude-haiku-5-5: ")
    assert len(scripted.asked) == 1
    if kind is KeyRefused:
        assert "Set ANTHROPIC_API_KEY" in str(caught.value)


async def test_the_wait_that_the_server_asks_for_is_told() -> None:
    async with claude(lambda asked: Fault(429, headers={"retry-after": "7"})) as (model, _):
        with pytest.raises(RateLimited) as caught:
            await model.answer(call())

    assert caught.value.retry_after == 7


async def test_a_refused_connection_is_worth_another_try() -> None:
    async with httpx2.AsyncClient() as http:
        model = Anthropic("claude-haiku-5-5", None, http, base_url="http://127.0.0.1:1")
        with pytest.raises(ProviderError, match="cannot be reached") as caught:
            await model.answer(call())

    assert caught.value.retryable


async def test_a_silent_server_is_given_up_on() -> None:
    transport = httpx2.MockTransport(_silent)

    async with httpx2.AsyncClient(transport=transport) as http:
        with pytest.raises(ProviderError, match="no answer in time") as caught:
            await Anthropic("claude-haiku-5-5", None, http).answer(call())

    assert caught.value.retryable


def _silent(request: httpx2.Request) -> httpx2.Response:
    assert request.url.host == "api.anthropic.com"
    raise httpx2.ReadTimeout("", request=request)
