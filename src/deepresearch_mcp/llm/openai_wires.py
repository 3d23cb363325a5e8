"""OpenAI's two wire formats: sends a call over one of them and reads the answer."""

from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, Protocol, cast

from typing_extensions import override

from deepresearch_mcp.exceptions import ProviderError, RateLimited, UnreadableAnswer
from deepresearch_mcp.llm.failures import about_key, is_too_long
from deepresearch_mcp.llm.schemas import in_words, schema_name, strict
from deepresearch_mcp.ports.model import ModelAnswer, ModelCall, Stop, Usage
from deepresearch_mcp.text.tokens import estimate

if TYPE_CHECKING:
    from openai import AsyncOpenAI
    from openai.types import CompletionUsage
    from openai.types.chat import ChatCompletion
    from openai.types.responses import Response, ResponseUsage

Format = Literal["json_schema", "json_object", "prompt"]
Limit = Literal["max_completion_tokens", "max_tokens"]

_EASIER: dict[Format, Format] = {"json_schema": "json_object", "json_object": "prompt"}
_OTHER: dict[Limit, Limit] = {"max_tokens": "max_completion_tokens", "max_completion_tokens": "max_tokens"}
_STOPS: dict[str, Stop] = {"length": "length", "max_output_tokens": "length", "content_filter": "refusal"}
_NOT_TAKEN = ("unsupported", "not supported", "unrecognized", "unknown", "not permitted", "unexpected", "use 'max")
_FORMAT_WORDS = ("response_format", "json_schema", "json_object", "json mode", "text.format", "structured output")


@dataclass(frozen=True, slots=True)
class Manner:
    """The form of request that a server accepts."""

    format: Format = "json_schema"
    limit: Limit = "max_tokens"
    """The server's name for the token limit on the chat wire."""

    def easier(self, call: ModelCall, status: int, said: str) -> "Manner | None":
        """Return the next form to try after a refusal; None if no other form can help.

        A refusal without a reason may be about the format. Another attempt costs nothing, because refused requests are
        not billed.
        """
        if status not in {400, 404, 422} or is_too_long(status, said) or about_key(status, said):
            return None
        said = said.lower()
        if self.limit in said and any(word in said for word in _NOT_TAKEN):
            return replace(self, limit=_OTHER[self.limit])
        named = any(word in said for word in _FORMAT_WORDS)
        if call.schema is None or self.format not in _EASIER or (status == 404 and not named):
            return None
        return replace(self, format=_EASIER[self.format])


class OpenAIWire(Protocol):
    """One of the two wire formats."""

    async def ask(self, client: "AsyncOpenAI", name: str, call: ModelCall, manner: Manner) -> ModelAnswer:
        """Send the call once to the model `name` (`PROVIDER:NAME`) and read the answer.

        Raises:
            UnreadableAnswer: Status 200 with an unexpected shape.
            ProviderError: Status 200 with an error in the body. Other errors of the SDK pass unchanged.
        """
        ...


class ChatWire(OpenAIWire):
    """Chat Completions, which nearly every server accepts."""

    @override
    async def ask(self, client: "AsyncOpenAI", name: str, call: ModelCall, manner: Manner) -> ModelAnswer:
        shape, system = _shape(call, manner), _system(call, manner)
        options: dict[str, Any] = {manner.limit: call.max_tokens}
        if shape is not None:
            options["response_format"] = {"type": "json_schema", "json_schema": shape} if shape else _JSON_MODE
        messages: list[Any] = [{"role": "system", "content": system}] if system else []
        messages.append({"role": "user", "content": call.prompt})
        create: Any = client.chat.completions.create
        completion: ChatCompletion = await create(model=name.partition(":")[2], messages=messages, **options)
        with _shape_errors(name):
            return self._read(completion, name, call)

    def _read(self, completion: "ChatCompletion", name: str, call: ModelCall) -> ModelAnswer:
        if not completion.choices:
            # OpenRouter reports failures of its upstream service with status 200.
            raise _reported(name, getattr(completion, "error", None))
        choice = completion.choices[0]
        refusal = choice.message.refusal or ""
        text = choice.message.content or ""
        stop: Stop = "refusal" if refusal and not text else _STOPS.get(choice.finish_reason or "", "end")
        counted = completion.usage
        usage = _usage(counted, "prompt", "completion") if counted else _guess(call, text)
        return ModelAnswer(text or refusal, name, usage, stop)


class ResponsesWire(OpenAIWire):
    """OpenAI's own Responses API. A cache key lets calls of one role share the prompt cache."""

    @override
    async def ask(self, client: "AsyncOpenAI", name: str, call: ModelCall, manner: Manner) -> ModelAnswer:
        shape, system = _shape(call, manner), _system(call, manner)
        options: dict[str, Any] = {"instructions": system} if system else {}
        if shape is not None:
            options["text"] = {"format": {"type": "json_schema", **shape} if shape else _JSON_MODE}
        create: Any = client.responses.create
        response: Response = await create(
            model=name.partition(":")[2],
            input=call.prompt,
            max_output_tokens=max(16, call.max_tokens),  # the API refuses less than 16
            prompt_cache_key=f"deepresearch-{call.role}",
            store=False,
            **options,
        )
        with _shape_errors(name):
            return self._read(response, name, call)

    def _read(self, response: "Response", name: str, call: ModelCall) -> ModelAnswer:
        if response.status == "failed":
            raise _reported(name, response.error)
        parts = [part for item in response.output if item.type == "message" for part in item.content]
        text = "".join(part.text for part in parts if part.type == "output_text")
        refusal = "".join(part.refusal for part in parts if part.type == "refusal")
        reason = response.incomplete_details.reason if response.incomplete_details else None
        stop: Stop = "refusal" if refusal and not text else _STOPS.get(reason or "", "end")
        counted = response.usage
        usage = _usage(counted, "input", "output") if counted else _guess(call, text)
        return ModelAnswer(text or refusal, name, usage, stop)


_JSON_MODE = {"type": "json_object"}


def _shape(call: ModelCall, manner: Manner) -> dict[str, Any] | None:
    """Return the schema with its name; {} for JSON mode without a schema; None for no JSON mode."""
    if call.schema is None or manner.format == "prompt":
        return None
    if manner.format == "json_object":
        return {}
    return {"name": schema_name(call.schema_name), "schema": strict(call.schema), "strict": True}


def _system(call: ModelCall, manner: Manner) -> str:
    plain = call.schema is None or manner.format == "json_schema"
    return call.system if plain or call.schema is None else in_words(call.system, call.schema)


@contextmanager
def _shape_errors(name: str) -> Generator[None]:
    try:
        yield
    except (AttributeError, TypeError) as error:  # the SDK passes on any JSON or text of a status 200
        raise UnreadableAnswer(name, "its answer has an unexpected shape") from error


def _usage(counted: "CompletionUsage | ResponseUsage", into: str, out: str) -> Usage:
    def detail(side: str, name: str) -> int:
        return getattr(getattr(counted, f"{side}_tokens_details", None), name, None) or 0

    return Usage(
        input_tokens=getattr(counted, f"{into}_tokens") or 0,
        output_tokens=getattr(counted, f"{out}_tokens") or 0,
        cached_tokens=detail(into, "cached_tokens"),
        cache_written_tokens=detail(into, "cache_write_tokens"),
        reasoning_tokens=detail(out, "reasoning_tokens"),
    )


def _guess(call: ModelCall, text: str) -> Usage:
    # Some local servers report no usage; the budget needs an estimate.
    return Usage(estimate(call.system) + estimate(call.prompt), estimate(text))


def _reported(name: str, fault: object) -> ProviderError:
    found = (
        cast("Mapping[str, object]", fault).get("code") if isinstance(fault, Mapping) else getattr(fault, "code", "")
    )
    code = str(found)
    if code in {"429", "rate_limit_exceeded"}:
        return RateLimited(name, "too many requests for now")
    retryable = code.startswith("5") or code in {"server_error", "408"}
    return ProviderError(name, "it reports a failure instead of an answer", retryable=retryable)
