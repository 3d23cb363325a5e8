"""A loopback server that speaks the wires of language models, by a script.

    def answers(request: Asked) -> object:
        return {"claims": []} if request["schema_name"] == "ReadAnswer" else "Plain text."

    async with serve(Scripted(answers)) as base_url:
        AsyncOpenAI(base_url=f"{base_url}/v1", api_key="any")      # Chat Completions, Responses, embeddings
        AsyncAnthropic(base_url=base_url, api_key="any")           # Messages

What `answers` returns is sent: text as it is, anything else as JSON; `Reply` says more
(stop, usage); `Fault` is a status; `Drop` hangs up. It may be async, to wait for something.
"""

import inspect
import json
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, Literal, TypedDict

import anyio
import h11
from anyio.abc import SocketAttribute, SocketStream
from pydantic import BaseModel

from deepresearch_mcp.text.tokens import estimate

WireName = Literal["anthropic", "responses", "chat", "embeddings"]


class Asked(TypedDict):
    """A request, in the same words for every wire."""

    wire: WireName
    model: str
    system: str
    prompt: str
    schema: dict[str, Any] | None
    """As sent in the wire's own place; None in JSON mode and in plain text."""
    schema_name: str
    """The schema's name or title; taken from the system text where the schema stands in words there; else empty."""
    max_tokens: int | None
    body: dict[str, Any]
    headers: dict[str, str]
    """Names in lower case."""


@dataclass(frozen=True)
class Reply:
    """An answer with more than its text."""

    content: object = ""
    stop: Literal["end", "length", "refusal", "context"] = "end"
    input_tokens: int | None = None
    """None: estimated from the request."""
    output_tokens: int | None = None
    cached_tokens: int = 0
    cache_written_tokens: int = 0
    reasoning_tokens: int = 0
    counted: bool = True
    """False: no usage at all, as from some local servers."""


@dataclass(frozen=True)
class Fault:
    """A status instead of an answer; with 200, a body of another shape."""

    status: int
    message: str = "no"
    code: str = ""
    headers: dict[str, str] = field(default_factory=dict)
    body: str | None = None
    """Raw, in place of the wire's own form of an error."""


@dataclass(frozen=True)
class Drop:
    """The connection closes without an answer."""


@dataclass
class Scripted:
    """What to answer, and what was asked."""

    answers: Callable[[Asked], object]
    asked: list[Asked] = field(default_factory=list)
    connections: int = 0

    def of(self, schema_name: str) -> list[Asked]:
        """The requests for one shape."""
        return [request for request in self.asked if request["schema_name"] == schema_name]


@asynccontextmanager
async def serve(scripted: Scripted) -> AsyncGenerator[str]:
    """Serve until the block ends; yields `http://127.0.0.1:PORT`."""

    async def handle(stream: SocketStream) -> None:
        scripted.connections += 1
        async with stream:
            # A client that hangs up half-way is one of the things tests do.
            try:
                await _connection(stream, scripted)
            except (anyio.BrokenResourceError, anyio.ClosedResourceError, anyio.EndOfStream, h11.ProtocolError):
                return

    listener = await anyio.create_tcp_listener(local_host="127.0.0.1")
    port = listener.extra(SocketAttribute.local_port)
    failure: Exception | None = None
    async with listener, anyio.create_task_group() as tasks:
        tasks.start_soon(listener.serve, handle)
        try:
            yield f"http://127.0.0.1:{port}"
        except Exception as error:  # noqa: BLE001 - raised again below, outside the group, so that it is not wrapped in one
            failure = error
        finally:
            tasks.cancel_scope.cancel()
    if failure:
        raise failure


async def _connection(stream: SocketStream, scripted: Scripted) -> None:
    wire = h11.Connection(h11.SERVER)
    while True:
        request, content = None, b""
        while True:
            event = wire.next_event()
            if event is h11.NEED_DATA:
                try:
                    wire.receive_data(await stream.receive())
                except anyio.EndOfStream:
                    wire.receive_data(b"")
            elif isinstance(event, h11.Request):
                request = event
            elif isinstance(event, h11.Data):
                content += event.data
            elif isinstance(event, h11.EndOfMessage):
                break
            else:
                return
        assert request is not None
        answered = await _answer(request, content, scripted)
        if answered is None:
            return
        status, headers, body = answered
        names = {name.lower() for name in headers}
        if "content-type" not in names:
            headers["content-type"] = "application/json"
        head = h11.Response(status_code=status, headers=[*headers.items(), ("content-length", str(len(body)))])
        await stream.send(
            (wire.send(head) or b"") + (wire.send(h11.Data(body)) or b"") + (wire.send(h11.EndOfMessage()) or b"")
        )
        if wire.our_state is h11.MUST_CLOSE:
            return
        wire.start_next_cycle()


async def _answer(request: h11.Request, content: bytes, scripted: Scripted) -> tuple[int, dict[str, str], bytes] | None:
    path = request.target.decode().split("?")[0]
    headers = {name.decode().lower(): value.decode() for name, value in request.headers}
    reader = next((reader for ending, reader in _READERS.items() if path.endswith(ending)), None)
    if reader is None or not content:
        return 404, {}, b'{"error":{"message":"no such path","type":"not_found"}}'
    asked = reader(json.loads(content), headers)
    scripted.asked.append(asked)
    said = scripted.answers(asked)
    if inspect.isawaitable(said):
        said = await said
    if isinstance(said, Drop):
        return None
    if isinstance(said, Fault):
        error = {"message": said.message, "type": said.code or "error", "code": said.code or None}
        whole = {"type": "error", "error": error} if asked["wire"] == "anthropic" else {"error": error}
        return said.status, dict(said.headers), (json.dumps(whole) if said.body is None else said.body).encode()
    reply = said if isinstance(said, Reply) else Reply(said)
    return 200, {}, json.dumps(_WRITERS[asked["wire"]](asked, reply)).encode()


def _asked(wire: WireName, body: dict[str, Any], headers: dict[str, str], **rest: Any) -> Asked:
    system, schema = rest["system"], rest["schema"]
    name = rest.get("name") or (schema or {}).get("title", "")
    if not name and "JSON Schema:\n" in system:
        name = json.loads(system.rsplit("JSON Schema:\n", 1)[1]).get("title", "")
    return Asked(
        wire=wire,
        model=body["model"],
        system=system,
        prompt=rest["prompt"],
        schema=schema,
        schema_name=name,
        max_tokens=rest.get("max_tokens"),
        body=body,
        headers=headers,
    )


def _read_anthropic(body: dict[str, Any], headers: dict[str, str]) -> Asked:
    return _asked(
        "anthropic",
        body,
        headers,
        system="".join(block["text"] for block in body.get("system", [])),
        prompt=body["messages"][-1]["content"],
        schema=body.get("output_config", {}).get("format", {}).get("schema"),
        max_tokens=body["max_tokens"],
    )


def _read_responses(body: dict[str, Any], headers: dict[str, str]) -> Asked:
    shape = body.get("text", {}).get("format", {})
    return _asked(
        "responses",
        body,
        headers,
        system=body.get("instructions", ""),
        prompt=body["input"],
        schema=shape.get("schema"),
        name=shape.get("name"),
        max_tokens=body.get("max_output_tokens"),
    )


def _read_chat(body: dict[str, Any], headers: dict[str, str]) -> Asked:
    shape = body.get("response_format", {}).get("json_schema", {})
    return _asked(
        "chat",
        body,
        headers,
        system="".join(message["content"] for message in body["messages"] if message["role"] == "system"),
        prompt=body["messages"][-1]["content"],
        schema=shape.get("schema"),
        name=shape.get("name"),
        max_tokens=body.get("max_tokens") or body.get("max_completion_tokens"),
    )


def _read_embeddings(body: dict[str, Any], headers: dict[str, str]) -> Asked:
    return _asked("embeddings", body, headers, system="", prompt="\n".join(body["input"]), schema=None)


def _text(reply: Reply) -> str:
    content = reply.content
    if isinstance(content, BaseModel):
        return content.model_dump_json()
    return content if isinstance(content, str) else json.dumps(content, ensure_ascii=False)


def _tokens(asked: Asked, reply: Reply) -> tuple[int, int]:
    sent = estimate(asked["system"]) + estimate(asked["prompt"])
    return (
        sent if reply.input_tokens is None else reply.input_tokens,
        estimate(_text(reply)) if reply.output_tokens is None else reply.output_tokens,
    )


def _write_anthropic(asked: Asked, reply: Reply) -> dict[str, Any]:
    sent, written = _tokens(asked, reply)
    stops = {
        "length": "max_tokens",
        "context": "model_context_window_exceeded",
        "end": "end_turn",
        "refusal": "refusal",
    }
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": asked["model"],
        "content": [{"type": "text", "text": _text(reply)}],
        "stop_reason": stops[reply.stop],
        "stop_sequence": None,
        "usage": {
            "input_tokens": sent - reply.cached_tokens - reply.cache_written_tokens,
            "cache_read_input_tokens": reply.cached_tokens,
            "cache_creation_input_tokens": reply.cache_written_tokens,
            "output_tokens": written,
            "output_tokens_details": {"thinking_tokens": reply.reasoning_tokens},
        },
    }


def _write_responses(asked: Asked, reply: Reply) -> dict[str, Any]:
    sent, written = _tokens(asked, reply)
    refused = reply.stop == "refusal"
    part = {"type": "refusal", "refusal": _text(reply)} if refused else {"type": "output_text", "text": _text(reply)}
    return {
        "id": "resp_1",
        "object": "response",
        "created_at": 0,
        "model": asked["model"],
        "status": "incomplete" if reply.stop == "length" else "completed",
        "incomplete_details": {"reason": "max_output_tokens"} if reply.stop == "length" else None,
        "error": None,
        "output": [
            {"type": "reasoning", "id": "rs_1", "summary": []},
            {
                "type": "message",
                "id": "msg_1",
                "role": "assistant",
                "status": "completed",
                "content": [part if refused else {**part, "annotations": []}],
            },
        ],
        "parallel_tool_calls": False,
        "tool_choice": "auto",
        "tools": [],
        "usage": {
            "input_tokens": sent,
            "input_tokens_details": {
                "cached_tokens": reply.cached_tokens,
                "cache_write_tokens": reply.cache_written_tokens,
            },
            "output_tokens": written,
            "output_tokens_details": {"reasoning_tokens": reply.reasoning_tokens},
            "total_tokens": sent + written,
        }
        if reply.counted
        else None,
    }


def _write_chat(asked: Asked, reply: Reply) -> dict[str, Any]:
    sent, written = _tokens(asked, reply)
    refused = reply.stop == "refusal"
    message = {
        "role": "assistant",
        "content": None if refused else _text(reply),
        "refusal": _text(reply) if refused else None,
    }
    made: dict[str, Any] = {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 0,
        "model": asked["model"],
        "choices": [{"index": 0, "message": message, "finish_reason": "length" if reply.stop == "length" else "stop"}],
    }
    if reply.counted:
        made["usage"] = {
            "prompt_tokens": sent,
            "completion_tokens": written,
            "total_tokens": sent + written,
            "prompt_tokens_details": {"cached_tokens": reply.cached_tokens},
            "completion_tokens_details": {"reasoning_tokens": reply.reasoning_tokens},
        }
    return made


def _write_embeddings(asked: Asked, reply: Reply) -> dict[str, Any]:
    rows = reply.content
    assert isinstance(rows, list)
    return {
        "object": "list",
        "model": asked["model"],
        "data": [{"object": "embedding", "index": index, "embedding": row} for index, row in enumerate(rows)][::-1],
    }


_READERS: dict[str, Callable[[dict[str, Any], dict[str, str]], Asked]] = {
    "/v1/messages": _read_anthropic,
    "/responses": _read_responses,
    "/chat/completions": _read_chat,
    "/embeddings": _read_embeddings,
}
_WRITERS: dict[str, Callable[[Asked, Reply], dict[str, Any]]] = {
    "anthropic": _write_anthropic,
    "responses": _write_responses,
    "chat": _write_chat,
    "embeddings": _write_embeddings,
}
