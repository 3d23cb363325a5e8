"""Claude over Anthropic's Messages API, or over any server that speaks it."""

import json
from collections.abc import Mapping
from types import ModuleType
from typing import TYPE_CHECKING, Any

import httpx2
from typing_extensions import override

from deepresearch_mcp.exceptions import UnreadableAnswer
from deepresearch_mcp.llm.failures import is_too_long, sdk_errors
from deepresearch_mcp.llm.schemas import in_words
from deepresearch_mcp.llm.sdk import SdkModel, load_package
from deepresearch_mcp.ports.model import ModelAnswer, ModelCall, Stop, Usage

if TYPE_CHECKING:
    from anthropic import AsyncAnthropic
    from anthropic.types import Message

_STOPS: dict[str, Stop] = {
    "max_tokens": "length",
    "refusal": "refusal",
    "model_context_window_exceeded": "context",
}


class Anthropic(SdkModel["AsyncAnthropic"]):
    """One Claude model."""

    provider = "anthropic"
    home = "https://api.anthropic.com"
    _takes_schema = True

    @override
    async def answer(self, call: ModelCall) -> ModelAnswer:
        package, client = await self._open()
        with sdk_errors(self._endpoint, package):
            if call.schema is None or not self._takes_schema:
                message = await self._send(client, call, None)
            else:
                try:
                    message = await self._send(client, call, _native(package, call.schema))
                except package.BadRequestError as error:
                    if not _about_schema(error.response):
                        raise
                    # The model or server is older than structured outputs. It refused the call, so nothing was billed.
                    message = await self._send(client, call, None)
                    self._takes_schema = False
        return self._read(message)

    @override
    def _import(self) -> "tuple[ModuleType, AsyncAnthropic]":
        package = load_package("anthropic")
        client: AsyncAnthropic = package.AsyncAnthropic(**self._options())
        _ = client.messages  # the SDK imports it at first use: do that here, in the thread, not on the event loop
        return package, client

    async def _send(self, client: "AsyncAnthropic", call: ModelCall, native: dict[str, Any] | None) -> "Message":
        system = call.system
        if call.schema is not None and native is None:
            system = in_words(system, call.schema)
        options: dict[str, Any] = {}
        if system:
            options["system"] = [{"type": "text", "text": system, "cache_control": {"type": "ephemeral"}}]
        if native is not None:
            options["output_config"] = {"format": {"type": "json_schema", "schema": native}}
        create: Any = client.messages.create
        message: Message = await create(
            model=self._model,
            max_tokens=call.max_tokens,
            messages=[{"role": "user", "content": call.prompt}],
            **options,
        )
        return message

    def _read(self, message: "Message") -> ModelAnswer:
        try:
            text = "".join(block.text for block in message.content if block.type == "text")
            counted = message.usage
            cached = counted.cache_read_input_tokens or 0
            written = counted.cache_creation_input_tokens or 0
            details = counted.output_tokens_details
            usage = Usage(
                input_tokens=counted.input_tokens + cached + written,
                output_tokens=counted.output_tokens,
                cached_tokens=cached,
                cache_written_tokens=written,
                reasoning_tokens=(details.thinking_tokens or 0) if details else 0,
            )
        except (AttributeError, TypeError) as error:  # the SDK passes on any JSON or text of a status 200
            raise UnreadableAnswer(self.name, "its answer has an unexpected shape") from error
        return ModelAnswer(text, self.name, usage, _STOPS.get(message.stop_reason or "", "end"))


def _native(package: ModuleType, schema: Mapping[str, Any]) -> dict[str, Any] | None:
    try:
        return package.transform_schema(json.loads(json.dumps(schema)))
    except ValueError:  # a part that allows any type has no native form
        return None


def _about_schema(response: httpx2.Response) -> bool:
    said = response.text.lower()
    return not is_too_long(response.status_code, said) and any(
        word in said for word in ("output_config", "output_format", "json_schema", "structured output")
    )
