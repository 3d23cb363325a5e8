"""Models on loopback that say what a script says, for real clients: Anthropic's wire and OpenAI's, with what was heard.

A script is asked for each turn of a conversation. It sees what the client told its model, so it can do what a model
would: follow the text of the last result.
"""

import json
import re
import threading
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import urlsplit


@dataclass(frozen=True)
class Use:
    """The model calls a tool of ours, by its plain name."""

    tool: str
    arguments: Mapping[str, Any]


@dataclass(frozen=True)
class Turn:
    """What a model is given for one turn."""

    said: str
    """All text that the user's messages hold."""
    results: tuple[str, ...]
    """Of the tools that were called in this conversation, as the client shows them."""
    tools: Mapping[str, Any]
    """What the client calls each of our tools, by its plain name."""
    body: Mapping[str, Any]


Script = Callable[[Turn], Use | str]

_SERVER = "deepresearch"
_OURS = ("deep_research", "get_report", "fetch_url", "web_search", "list_runs", "search_library", "check_citations")


@dataclass
class ScriptedModel:
    """A model's service on loopback."""

    script: Script
    base: str = ""
    turns: list[Turn] = field(default_factory=list[Turn])
    """Those that the script was asked for, in order."""
    faults: list[str] = field(default_factory=list[str])
    pages: dict[str, str] = field(default_factory=dict[str, str])
    """What is read at these paths: pages for the server under test."""

    def answer(self, path: str, body: Mapping[str, Any]) -> str:
        """One turn: its event stream, or, where none is asked for, JSON."""
        if path.endswith("/chat/completions"):
            turn, stream = _of_chat(body), _chat
        elif path.endswith("/messages"):
            turn, stream = _of_messages(body), _messages
        else:
            turn, stream = _of_input(body), _responses
        if not turn.tools:  # A title of the conversation, and the like.
            return stream("Fine.", turn)
        self.turns.append(turn)
        return stream(self.script(turn), turn)


@contextmanager
def scripted(script: Script) -> Generator[ScriptedModel]:
    """Serve a scripted model."""
    model = ScriptedModel(script)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            raw = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            path = urlsplit(self.path).path
            if not path.endswith(("/messages", "/responses", "/chat/completions")):
                self._send(200, "application/json", '{"input_tokens": 10}')
                return
            try:
                told = model.answer(path, json.loads(raw))
            except Exception as error:  # noqa: BLE001 - a fault of the script is the test's to see
                model.faults.append(repr(error))
                told = ""
            self._send(200 if told else 500, "application/json" if told[:1] == "{" else "text/event-stream", told)

        def do_GET(self) -> None:
            if (page := model.pages.get(urlsplit(self.path).path)) is not None:
                self._send(200, "text/html; charset=utf-8", page)
                return
            self._send(200, "application/json", '{"data": [], "models": []}')

        def do_HEAD(self) -> None:
            self._send(200, "application/json", "")

        def _send(self, status: int, kind: str, text: str) -> None:
            content = text.encode()
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_: Any) -> None: ...

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    model.base = f"http://127.0.0.1:{server.server_address[1]}"
    try:
        yield model
    finally:
        server.shutdown()
        thread.join(10)
        server.server_close()


def following(tool: str, arguments: Mapping[str, Any], *, most: int = 60) -> Script:
    """A model that makes one call, and then the exact call that each result names, until one names none."""

    def script(turn: Turn) -> Use | str:
        if not turn.results:
            return Use(tool, arguments)
        named = re.findall(r"Next: (\w+)\((.*)\)\]?\s*$", turn.results[-1], re.MULTILINE)
        if len(turn.results) > most:
            return "Too many turns."
        if running := re.search(r"Script running with cell ID (\S+)", turn.results[-1]):
            return Use("wait", {"cell_id": running.group(1)})
        if named:
            name, given = named[-1]
            return Use(name, {key: json.loads(value) for key, value in re.findall(r'(\w+)=("[^"]*"|[\d.]+)', given)})
        if re.search(r"timed out|timeout|Request cancelled|aborted", turn.results[-1][:400], re.IGNORECASE):
            return Use(tool, arguments)
        return "That is all."

    return script


def _text(content: object) -> str:
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        return "\n".join(str(one.get("text", "")) for one in content if isinstance(one, dict))
    return ""


def _of_messages(body: Mapping[str, Any]) -> Turn:
    """A turn as Anthropic's wire has it."""
    results, said = list[str](), list[str]()
    for message in body["messages"]:
        content = message["content"]
        if message["role"] == "user":
            blocks = content if isinstance(content, list) else [{"type": "text", "text": content}]
            found = [_text(one.get("content")) for one in blocks if one.get("type") == "tool_result"]
            results += found
            said += [one["text"] for one in blocks if one.get("type") == "text"]
    prefix = f"mcp__{_SERVER}__"
    tools = {
        one["name"].removeprefix(prefix): one["name"]
        for one in body.get("tools") or []
        if one["name"].startswith(prefix)
    }
    return Turn("\n".join(said), tuple(results), tools, body)


def _of_input(body: Mapping[str, Any]) -> Turn:
    """A turn as OpenAI's wire has it."""
    results, said = list[str](), list[str]()
    for item in body["input"]:
        if item.get("type") in {"function_call_output", "custom_tool_call_output"}:
            results.append(_unwrapped(_text(item["output"])))
        elif item.get("role") == "user":
            said.append(_text(item.get("content")))
    tools: dict[str, Any] = {}
    spaces = [space for item in body["input"] if item.get("type") == "additional_tools" for space in item["tools"]]
    if any(tool.get("name") == "exec" for space in spaces for tool in space.get("tools", ())):
        # Code mode: the model calls tools from JavaScript, whether it was told of them or not.
        tools = {name: ("exec", f"mcp__{_SERVER}__{name}") for name in _OURS}
    for tool in body.get("tools") or []:
        if tool.get("type") == "namespace" and tool["name"].rstrip("_") == f"mcp__{_SERVER}":
            tools |= {one["name"]: (tool["name"], one["name"]) for one in tool["tools"]}
        elif tool.get("name") in _OURS:
            tools[tool["name"]] = ("", tool["name"])
        elif (name := str(tool.get("name"))).startswith(f"mcp__{_SERVER}__"):
            tools[name.removeprefix(f"mcp__{_SERVER}__")] = ("", name)
    return Turn("\n".join(said), tuple(results), tools, body)


def _of_chat(body: Mapping[str, Any]) -> Turn:
    """A turn as chat completions have it."""
    told = {role: [_text(one.get("content")) for one in body["messages"] if one["role"] == role] for role in _ROLES}
    names = [one["function"]["name"] for one in body.get("tools") or []]
    return Turn("\n".join(told["user"]), tuple(told["tool"]), {name: name for name in names}, body)


_ROLES = ("user", "tool")


def _unwrapped(output: str) -> str:
    """What a tool said, of a result that JavaScript handed on as it is."""
    at = output.find('{"content"')
    try:
        result = json.loads(output[at:]) if at >= 0 else {}
    except ValueError:  # The middle was cut out of it.
        return output
    said = json.dumps(result["structuredContent"]) if result.get("structuredContent") else ""
    return said or "\n".join(one["text"] for one in result.get("content", ()) if "text" in one) or output


def _events(*events: Mapping[str, Any]) -> str:
    return "".join(f"event: {one['type']}\ndata: {json.dumps(one)}\n\n" for one in events)


def _messages(answer: Use | str, turn: Turn) -> str:
    number = len(turn.results)
    if isinstance(answer, Use):
        block: dict[str, Any] = {
            "type": "tool_use",
            "id": f"toolu_{number}",
            "name": turn.tools[answer.tool],
            "input": {},
        }
        delta: dict[str, Any] = {"type": "input_json_delta", "partial_json": json.dumps(dict(answer.arguments))}
    else:
        block, delta = {"type": "text", "text": ""}, {"type": "text_delta", "text": answer}
    usage = {"input_tokens": 10, "output_tokens": 10}
    message = {
        "id": f"msg_{number}",
        "type": "message",
        "role": "assistant",
        "model": turn.body["model"],
        "content": [],
    }
    message |= {"stop_reason": None, "stop_sequence": None, "usage": usage}
    stop = "tool_use" if isinstance(answer, Use) else "end_turn"
    return _events(
        {"type": "message_start", "message": message},
        {"type": "content_block_start", "index": 0, "content_block": block},
        {"type": "content_block_delta", "index": 0, "delta": delta},
        {"type": "content_block_stop", "index": 0},
        {"type": "message_delta", "delta": {"stop_reason": stop, "stop_sequence": None}, "usage": usage},
        {"type": "message_stop"},
    )


def _responses(answer: Use | str, turn: Turn) -> str:
    number = len(turn.results)
    item: dict[str, Any]
    if isinstance(answer, Use):
        space, name = turn.tools.get(answer.tool, ("", answer.tool))
        item = {"type": "function_call", "id": f"fc_{number}", "call_id": f"call_{number}", "name": name}
        item |= {"arguments": json.dumps(dict(answer.arguments))} | ({"namespace": space} if space else {})
        if space == "exec":
            code = f"const r = await tools.{name}({json.dumps(dict(answer.arguments))}); text(r);"
            item = {"type": "custom_tool_call", "id": f"ctc_{number}", "call_id": f"call_{number}", "name": "exec"}
            item["input"] = code
    else:
        content = [{"type": "output_text", "text": answer, "annotations": []}]
        item = {"type": "message", "id": f"msg_{number}", "role": "assistant", "content": content}
    usage = {"input_tokens": 10, "output_tokens": 10, "total_tokens": 20}
    response = {"id": f"resp_{number}", "status": "completed", "output": [item], "usage": usage}
    if not turn.body.get("stream"):
        details = {"input_tokens_details": {"cached_tokens": 0}, "output_tokens_details": {"reasoning_tokens": 0}}
        made = {"object": "response", "created_at": 0, "model": turn.body["model"], "error": None, "tools": []}
        return json.dumps({**response, **made, "usage": usage | details})
    return _events(
        {"type": "response.created", "response": {"id": f"resp_{number}", "status": "in_progress"}},
        {"type": "response.output_item.added", "output_index": 0, "item": item},
        {"type": "response.output_item.done", "output_index": 0, "item": item},
        {"type": "response.completed", "response": response},
    )


def _chat(answer: Use | str, turn: Turn) -> str:
    message: dict[str, Any] = {"role": "assistant", "content": answer if isinstance(answer, str) else None}
    if isinstance(answer, Use):
        called = {"name": turn.tools[answer.tool], "arguments": json.dumps(dict(answer.arguments))}
        message["tool_calls"] = [{"id": f"call_{len(turn.results)}", "type": "function", "function": called}]
    why = "tool_calls" if isinstance(answer, Use) else "stop"
    return json.dumps(
        {
            "id": f"chat_{len(turn.results)}",
            "object": "chat.completion",
            "created": 0,
            "model": turn.body["model"],
            "choices": [{"index": 0, "message": message, "finish_reason": why}],
            "usage": {"prompt_tokens": 10, "completion_tokens": 10, "total_tokens": 20},
        }
    )
