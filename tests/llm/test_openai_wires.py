from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager

import httpx2
import pytest
from openai import AsyncOpenAI
from tests.llm.scripted import call
from tests.wires import Asked, Fault, Reply, Scripted, serve

from deepresearch_mcp.exceptions import ProviderError, RateLimited, UnreadableAnswer
from deepresearch_mcp.llm.openai_wires import ChatWire, Manner, OpenAIWire, ResponsesWire
from deepresearch_mcp.ports.model import ModelAnswer, ModelCall, Usage

NAME = "openrouter:some/model:free"
SCHEMA = {"type": "object", "title": "Odd", "properties": {"a": {"type": "string", "default": ""}}}
WIRES = [ChatWire(), ResponsesWire()]
Ask = Callable[[OpenAIWire, ModelCall], "object"]


@asynccontextmanager
async def asking(answers: Callable[[Asked], object]) -> AsyncGenerator[tuple[AsyncOpenAI, Scripted]]:
    scripted = Scripted(answers)
    async with serve(scripted) as base_url, httpx2.AsyncClient() as http:
        yield AsyncOpenAI(api_key="k", base_url=f"{base_url}/v1", max_retries=0, http_client=http), scripted


async def ask(wire: OpenAIWire, said: object, asked: ModelCall | None = None) -> ModelAnswer:
    async with asking(lambda request: said) as (client, _):
        return await wire.ask(client, NAME, asked or call(), Manner())


@pytest.mark.parametrize("wire", WIRES)
async def test_tokens_are_those_the_server_counted(wire: OpenAIWire) -> None:
    reply = Reply("Yes.", input_tokens=900, output_tokens=30, cached_tokens=512, reasoning_tokens=20)

    answer = await ask(wire, reply)

    assert answer == ModelAnswer("Yes.", NAME, Usage(900, 30, 512, 0, 20))


async def test_tokens_written_to_the_cache_are_told_where_the_server_tells_them() -> None:
    answer = await ask(ResponsesWire(), Reply("Yes.", input_tokens=900, output_tokens=3, cache_written_tokens=700))

    assert answer.usage.cache_written_tokens == 700


@pytest.mark.parametrize("wire", WIRES)
async def test_tokens_no_one_counted_are_estimated(wire: OpenAIWire) -> None:
    reply = Reply("Yes, it does.", counted=False)

    answer = await ask(wire, reply, call(system="Be exact.", prompt="Does ice float?"))

    assert answer.usage.input_tokens > 5
    assert answer.usage.output_tokens > 3


@pytest.mark.parametrize("wire", WIRES)
@pytest.mark.parametrize("stop", ["end", "length", "refusal"])
async def test_why_it_stopped_is_told(wire: OpenAIWire, stop: str) -> None:
    answer = await ask(wire, Reply("words", stop=stop))  # type: ignore[arg-type] - of the three

    assert (answer.stop, answer.text) == (stop, "words")


@pytest.mark.parametrize(
    ("wire", "body"),
    [
        (ChatWire(), '{"choices":[{"message":{"content":""},"finish_reason":"content_filter"}]}'),
        (
            ResponsesWire(),
            '{"status":"incomplete","incomplete_details":{"reason":"content_filter"},"output":[],"usage":null}',
        ),
    ],
)
async def test_a_filtered_answer_is_a_refusal(wire: OpenAIWire, body: str) -> None:
    assert (await ask(wire, Fault(200, body=body))).stop == "refusal"


async def test_each_role_has_its_own_cache_at_openai_and_nothing_is_stored_there() -> None:
    async with asking(lambda asked: "ok") as (client, scripted):
        await ResponsesWire().ask(client, NAME, call(role="verifier", max_tokens=5, system="S"), Manner())

    body = scripted.asked[0]["body"]
    assert body["prompt_cache_key"] == "deepresearch-verifier"
    assert body["store"] is False
    assert body["max_output_tokens"] == 16
    assert body["model"] == "some/model:free"


@pytest.mark.parametrize("wire", WIRES)
async def test_schemas_are_sent_strict(wire: OpenAIWire) -> None:
    async with asking(lambda asked: "{}") as (client, scripted):
        await wire.ask(client, NAME, call(schema=SCHEMA), Manner())

    assert scripted.asked[0]["schema"] == {
        "title": "Odd",
        "type": "object",
        "properties": {"a": {"type": "string"}},
        "required": ["a"],
        "additionalProperties": False,
    }


@pytest.mark.parametrize("wire", WIRES)
async def test_without_a_system_text_none_is_sent(wire: OpenAIWire) -> None:
    async with asking(lambda asked: "ok") as (client, scripted):
        await wire.ask(client, NAME, call(), Manner())

    assert "instructions" not in scripted.asked[0]["body"]
    assert len(scripted.asked[0]["body"].get("messages", ["one"])) == 1


@pytest.mark.parametrize(
    ("wire", "body", "kind", "retryable"),
    [
        (ChatWire(), '{"error":{"code":429,"message":"slow"}}', RateLimited, True),
        (ChatWire(), '{"error":{"code":502,"message":"down"}}', ProviderError, True),
        (ChatWire(), '{"choices":[]}', ProviderError, False),
        (ChatWire(), '{"choices":[{"index":0}]}', UnreadableAnswer, False),
        (ResponsesWire(), '{"status":"failed","error":{"code":"server_error","message":"x"}}', ProviderError, True),
        (ResponsesWire(), '{"status":"failed","error":{"code":"rate_limit_exceeded"}}', RateLimited, True),
        (ResponsesWire(), '{"status":"failed","error":{"code":"invalid_prompt"}}', ProviderError, False),
        (ResponsesWire(), '{"hello":"world"}', UnreadableAnswer, False),
    ],
)
async def test_a_failure_with_status_200_is_one(
    wire: OpenAIWire, body: str, kind: type[ProviderError], retryable: bool
) -> None:
    with pytest.raises(ProviderError) as caught:
        await ask(wire, Fault(200, body=body))

    assert type(caught.value) is kind
    assert caught.value.retryable is retryable


@pytest.mark.parametrize(
    ("manner", "status", "said", "easier"),
    [
        (Manner(), 400, "response_format is not supported", Manner("json_object")),
        (Manner("json_object"), 422, "", Manner("prompt")),
        (Manner("prompt"), 400, "", None),
        (Manner(), 404, "no such model", None),
        (Manner(), 404, "No endpoints support json_schema", Manner("json_object")),
        (Manner(), 401, "response_format", None),
        (Manner(), 500, "response_format", None),
        (Manner(), 400, "prompt is too long", None),
        (Manner(), 400, "max_tokens: unknown field", Manner(limit="max_completion_tokens")),
        (Manner(limit="max_completion_tokens"), 400, "Unrecognized: max_completion_tokens", Manner()),
    ],
)
def test_an_easier_manner_is_tried_only_where_it_can_help(
    manner: Manner, status: int, said: str, easier: Manner | None
) -> None:
    assert manner.easier(call(schema=SCHEMA), status, said) == easier


def test_plain_text_has_no_easier_format() -> None:
    assert Manner().easier(call(), 400, "response_format") is None
