from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from typing import Any, Literal

import anyio
import httpx2
import pytest
from pydantic import BaseModel, SecretStr
from tests.llm.scripted import call
from tests.wires import Asked, Drop, Fault, Scripted, serve

from deepresearch_mcp.exceptions import ContextOverflow, KeyRefused, ProviderError, RateLimited, UnreadableAnswer
from deepresearch_mcp.llm.failures import Endpoint
from deepresearch_mcp.llm.openai import OpenAI


class Finding(BaseModel):
    words: list[str]


SCHEMA = Finding.model_json_schema()
WIRES: list[Literal["responses", "chat"]] = ["responses", "chat"]


@asynccontextmanager
async def gpt(
    answers: Callable[[Asked], object], wire: Literal["responses", "chat"] | None = "chat"
) -> AsyncGenerator[tuple[OpenAI, Scripted]]:
    scripted = Scripted(answers)
    async with serve(scripted) as base_url, httpx2.AsyncClient() as http:
        endpoint = Endpoint("openai:gpt-6-luna", "OPENAI_API_KEY", "OPENAI_BASE_URL")
        key = SecretStr("sk-secret")
        yield OpenAI("gpt-6-luna", key, http, base_url=f"{base_url}/v1", wire=wire, endpoint=endpoint), scripted


def form(asked: Asked) -> str:
    body = asked["body"]
    shape: dict[str, Any] = body.get("response_format") or body.get("text", {}).get("format", {})
    return shape.get("type", "none")


@pytest.mark.parametrize("wire", WIRES)
@pytest.mark.parametrize("status", [400, 404, 422])
@pytest.mark.parametrize(
    ("takes", "forms"),
    [
        ("json_schema", ["json_schema", "json_schema"]),
        ("json_object", ["json_schema", "json_object", "json_object"]),
        ("none", ["json_schema", "json_object", "none", "none"]),
    ],
)
async def test_what_a_server_cannot_do_is_learnt_and_remembered(
    wire: Literal["responses", "chat"], status: int, takes: str, forms: list[str]
) -> None:
    def answers(asked: Asked) -> object:
        wanted = form(asked)
        return Finding(words=["a"]) if wanted in {takes, "none"} else Fault(status, f"response_format {wanted}?")

    async with gpt(answers, wire) as (model, scripted):
        first = await model.answer(call(schema=SCHEMA))
        await model.answer(call("read/q2", schema=SCHEMA))

    assert [form(asked) for asked in scripted.asked] == forms
    assert {asked["schema_name"] for asked in scripted.asked} <= {"Finding", "answer"}
    assert first.text == '{"words":["a"]}'
    if takes != "json_schema":
        assert "JSON Schema:" in scripted.asked[-1]["system"]


async def test_a_refusal_that_says_nothing_may_be_about_the_format() -> None:
    def answers(asked: Asked) -> object:
        return "{}" if form(asked) == "none" else Fault(400, "Bad Request")

    async with gpt(answers) as (model, scripted):
        assert (await model.answer(call(schema=SCHEMA))).text == "{}"

    assert len(scripted.asked) == 3


async def test_a_refusal_of_every_format_is_told_as_the_first_one_and_nothing_is_learnt() -> None:
    ill = [True]

    def answers(asked: Asked) -> object:
        return Fault(400, "Bad Request", code="wrong_thing") if ill[0] else "{}"

    async with gpt(answers) as (model, scripted):
        with pytest.raises(ProviderError, match=r"HTTP 400: it refuses the request \(wrong_thing"):
            await model.answer(call(schema=SCHEMA))
        ill[0] = False
        await model.answer(call("read/q2", schema=SCHEMA))

    assert [form(asked) for asked in scripted.asked] == ["json_schema", "json_object", "none", "json_schema"]


async def test_one_schema_that_is_refused_does_not_end_schemas_for_others() -> None:
    def answers(asked: Asked) -> object:
        bad = asked["schema"] and "odd" in asked["schema"]["properties"]
        return Fault(400, "Invalid schema for response_format 'answer'") if bad else "{}"

    async with gpt(answers) as (model, scripted):
        await model.answer(call(schema={"type": "object", "properties": {"odd": {"type": "string"}}}))
        await model.answer(call("read/q2", schema=SCHEMA))

    assert [form(asked) for asked in scripted.asked] == ["json_schema", "json_object", "json_schema"]


async def test_the_other_name_of_the_limit_is_used_where_the_first_is_not_taken() -> None:
    def answers(asked: Asked) -> object:
        if "max_tokens" in asked["body"]:
            return Fault(400, "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.")
        return "ok"

    async with gpt(answers) as (model, scripted):
        await model.answer(call(max_tokens=50))
        await model.answer(call("read/q2", max_tokens=50))

    assert ["max_tokens" in asked["body"] for asked in scripted.asked] == [True, False, False]
    assert {asked["max_tokens"] for asked in scripted.asked} == {50}


async def test_a_server_that_takes_no_limit_by_any_name_is_not_asked_for_ever() -> None:
    def answers(asked: Asked) -> object:
        return Fault(400, "Unsupported parameter: max_tokens, max_completion_tokens")

    async with gpt(answers) as (model, scripted):
        with pytest.raises(ProviderError, match="HTTP 400"):
            await model.answer(call())

    assert len(scripted.asked) == 2


@pytest.mark.parametrize("wire", WIRES)
@pytest.mark.parametrize(
    ("fault", "kind", "retryable"),
    [
        (Fault(401, "Incorrect API key provided: sk-secret"), KeyRefused, False),
        (Fault(403), KeyRefused, False),
        (Fault(400, "API key not valid. Please pass a valid API key.", "API_KEY_INVALID"), KeyRefused, False),
        (Fault(429, "You exceeded your current quota", "insufficient_quota"), KeyRefused, False),
        (Fault(429), RateLimited, True),
        (Fault(404, "The model `x` does not exist", "model_not_found"), ProviderError, False),
        (Fault(400, "maximum context length is 8192", "context_length_exceeded"), ContextOverflow, False),
        (Fault(500), ProviderError, True),
        (Fault(503), ProviderError, True),
        (Drop(), ProviderError, True),
        (Fault(200, body="<html>"), UnreadableAnswer, False),
        (Fault(200, body="hello", headers={"content-type": "text/plain"}), UnreadableAnswer, False),
    ],
)
async def test_a_failure_says_what_it_was_and_no_secret(
    wire: Literal["responses", "chat"], fault: object, kind: type[ProviderError], retryable: bool
) -> None:
    async with gpt(lambda asked: fault, wire) as (model, scripted):
        with pytest.raises(ProviderError) as caught:
            await model.answer(call(schema=SCHEMA))

    assert type(caught.value) is kind
    assert caught.value.retryable is retryable
    assert "sk-secret" not in str(caught.value)
    assert "127.0.0.1" not in str(caught.value)
    assert len(scripted.asked) == 1
    if kind is KeyRefused:
        assert "Set OPENAI_API_KEY" in str(caught.value)


async def test_the_sdk_is_opened_once_for_many_calls_at_once() -> None:
    async with gpt(lambda asked: asked["prompt"]) as (model, scripted), anyio.create_task_group() as tasks:
        for number in range(5):
            tasks.start_soon(model.answer, call(f"read/q{number}"))

    assert len(scripted.asked) == 5


@pytest.mark.parametrize(
    ("base_url", "path", "limit"),
    [
        ("", "/v1/responses", "max_output_tokens"),
        ("https://api.openai.com/v1", "/v1/responses", "max_output_tokens"),
        ("https://openrouter.ai/api/v1", "/api/v1/chat/completions", "max_tokens"),
    ],
)
async def test_responses_are_spoken_at_openai_itself_and_chat_elsewhere(base_url: str, path: str, limit: str) -> None:
    seen: list[httpx2.Request] = []

    def refuse(request: httpx2.Request) -> httpx2.Response:
        seen.append(request)
        return httpx2.Response(500, json={})

    async with httpx2.AsyncClient(transport=httpx2.MockTransport(refuse)) as http:
        with pytest.raises(ProviderError):
            await OpenAI("m", SecretStr("k"), http, base_url=base_url).answer(call())

    assert seen[0].url.path == path
    assert f'"{limit}"' in seen[0].content.decode()


async def test_chat_at_openai_itself_has_the_newer_name_of_the_limit() -> None:
    seen: list[bytes] = []

    def refuse(request: httpx2.Request) -> httpx2.Response:
        seen.append(request.content)
        return httpx2.Response(500, json={})

    async with httpx2.AsyncClient(transport=httpx2.MockTransport(refuse)) as http:
        with pytest.raises(ProviderError):
            await OpenAI("m", None, http, wire="chat").answer(call())

    assert b'"max_completion_tokens":100' in seen[0]
