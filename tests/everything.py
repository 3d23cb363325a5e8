"""What the official conformance suite wants a server to have, on the very function that builds ours.

Run as a program, it serves on loopback and prints its address.
"""

import base64
import json
import socket
import sys
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import anyio
import uvicorn
from mcp import types
from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.mcpserver.tools import Tool
from mcp.shared.exceptions import MCPError
from pydantic import Field

from admitted import Admitted
from deepresearch_mcp.mcp_server.server import ResearchServer, build_server
from everything_tasks import NeedsTasks, ScriptedTasks, add_task_tools
from small_web import settings_for

PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg=="
SILENCE = "UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA="

STREET = {"type": "string"}
SCHEMA: dict[str, Any] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "$defs": {"address": {"$anchor": "addressDef", "type": "object", "properties": {"street": STREET, "city": STREET}}},
    "properties": {
        "name": STREET,
        "address": {"$ref": "#/$defs/address"},
        "contactMethod": {"type": "string", "enum": ["phone", "email"]},
        "phone": STREET,
        "email": STREET,
    },
    "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
    "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
    "then": {"required": ["phone"]},
    "else": {"required": ["email"]},
    "additionalProperties": False,
}


ABOUT = "A fixture of the conformance suite."


def text(words: str) -> types.TextContent:
    return types.TextContent(type="text", text=words)


def image() -> types.ImageContent:
    return types.ImageContent(type="image", data=PIXEL, mime_type="image/png")


def embedded(uri: str, words: str, kind: str = "text/plain") -> types.EmbeddedResource:
    content = types.TextResourceContents(uri=uri, mime_type=kind, text=words)
    return types.EmbeddedResource(type="resource", resource=content)


def form(message: str, required: tuple[str, ...] | None = None, **fields: dict[str, Any]) -> types.ElicitRequest:
    schema = {"type": "object", "properties": fields, "required": list(fields if required is None else required)}
    return types.ElicitRequest(params=types.ElicitRequestFormParams(message=message, requested_schema=schema))


def sample(prompt: str, most: int) -> types.CreateMessageRequest:
    messages = [types.SamplingMessage(role="user", content=text(prompt))]
    return types.CreateMessageRequest(params=types.CreateMessageRequestParams(messages=messages, max_tokens=most))


def answered(ctx: Context[Any], *keys: str) -> bool:
    given = ctx.input_responses or {}
    return all(key in given for key in keys)


def add_tools(server: ResearchServer) -> None:
    tool = partial(server.tool, description=ABOUT)

    @tool()
    def test_simple_text() -> str:
        return "This is a simple text response for testing."

    @tool()
    def test_image_content() -> list[types.ImageContent]:
        return [image()]

    @tool()
    def test_audio_content() -> list[types.AudioContent]:
        return [types.AudioContent(type="audio", data=SILENCE, mime_type="audio/wav")]

    @tool()
    def test_embedded_resource() -> list[types.EmbeddedResource]:
        return [embedded("test://embedded-resource", "This is an embedded resource content.")]

    @tool()
    def test_multiple_content_types() -> list[types.TextContent | types.ImageContent | types.EmbeddedResource]:
        mixed = embedded("test://mixed-content-resource", '{"test":"data","value":123}', "application/json")
        return [text("Multiple content types test:"), image(), mixed]

    @tool()
    def test_error_handling() -> str:
        raise ToolError("This tool intentionally returns an error for testing")

    @tool()
    async def test_tool_with_progress(ctx: Context[Any]) -> str:
        for done in (0, 50, 100):
            await ctx.report_progress(done, 100, f"Completed step {done} of 100")
            await anyio.sleep(0.05)
        return "done"

    @tool()
    async def test_tool_with_logging(ctx: Context[Any]) -> str:
        for said in ("Tool execution started", "Tool processing data", "Tool execution completed"):
            await ctx.session.send_log_message("info", said, related_request_id=ctx.request_id)
            await anyio.sleep(0.05)
        return "logged"

    @tool()
    async def test_logging_tool(ctx: Context[Any]) -> str:
        await ctx.session.send_log_message("info", "heard by those who asked", related_request_id=ctx.request_id)
        return "logged"

    @tool()
    async def test_sampling(prompt: str, ctx: Context[Any]) -> str:
        messages = [types.SamplingMessage(role="user", content=text(prompt))]
        found = await ctx.session.create_message(messages, max_tokens=100, related_request_id=ctx.request_id)
        return f"LLM response: {getattr(found.content, 'text', '')}"

    @tool()
    async def test_missing_capability(ctx: Context[Any]) -> str:
        capabilities = ctx.request_context.session.client_capabilities
        if capabilities is None or capabilities.sampling is None:
            raise MCPError(
                code=types.MISSING_REQUIRED_CLIENT_CAPABILITY,
                message="The client did not declare sampling.",
                data={"requiredCapabilities": {"sampling": {}}},
            )
        return "declared"

    @tool()
    async def test_trigger_tool_change(ctx: Context[Any]) -> str:
        await ctx.notify_tools_changed()
        return "told"

    @tool()
    async def test_trigger_prompt_change(ctx: Context[Any]) -> str:
        await ctx.notify_prompts_changed()
        return "told"

    @tool()
    async def test_reconnection(ctx: Context[Any]) -> str:
        await ctx.close_sse_stream()
        await anyio.sleep(0.2)
        return "Reconnection test completed"

    @tool()
    def test_headers(region: Annotated[str, Field(json_schema_extra={"x-mcp-header": "Region"})] = "") -> str:
        return f"routed to {region}"

    listed = Tool.from_function(lambda: "ok", name="json_schema_2020_12_tool", description="JSON Schema 2020-12")
    server._tool_manager._tools[listed.name] = listed.model_copy(update={"parameters": SCHEMA})


def add_elicitations(server: ResearchServer) -> None:
    async def asked(ctx: Context[Any], request: types.ElicitRequest) -> str:
        params = request.params
        assert isinstance(params, types.ElicitRequestFormParams)
        found = await ctx.session.elicit_form(
            params.message, params.requested_schema, related_request_id=ctx.request_id
        )
        return f"action={found.action}, content={json.dumps(found.content)}"

    @server.tool(description=ABOUT)
    async def test_elicitation(message: str, ctx: Context[Any]) -> str:
        fields = {name: {"type": "string", "description": name} for name in ("username", "email")}
        return f"User response: {await asked(ctx, form(message, **fields))}"

    @server.tool(description=ABOUT)
    async def test_elicitation_sep1034_defaults(ctx: Context[Any]) -> str:
        fields: dict[str, dict[str, Any]] = {
            "name": {"type": "string", "default": "John Doe"},
            "age": {"type": "integer", "default": 30},
            "score": {"type": "number", "default": 95.5},
            "status": {"type": "string", "enum": ["active", "inactive", "pending"], "default": "active"},
            "verified": {"type": "boolean", "default": True},
        }
        return f"Elicitation completed: {await asked(ctx, form('Who are you?', (), **fields))}"

    @server.tool(description=ABOUT)
    async def test_elicitation_sep1330_enums(ctx: Context[Any]) -> str:
        plain = ["option1", "option2", "option3"]
        titled = [{"const": f"value{number}", "title": f"Option {number}"} for number in (1, 2, 3)]
        fields: dict[str, dict[str, Any]] = {
            "untitledSingle": {"type": "string", "enum": plain},
            "titledSingle": {"type": "string", "oneOf": titled},
            "legacyEnum": {"type": "string", "enum": ["opt1", "opt2", "opt3"], "enumNames": ["One", "Two", "Three"]},
            "untitledMulti": {"type": "array", "items": {"type": "string", "enum": plain}},
            "titledMulti": {"type": "array", "items": {"anyOf": titled}},
        }
        return f"Elicitation completed: {await asked(ctx, form('Choose.', (), **fields))}"


Rounds = str | types.InputRequiredResult


def add_rounds(server: ResearchServer) -> None:
    name_form = form("What is your name?", name={"type": "string"})
    confirm = form("Please confirm", ok={"type": "boolean"})
    capital, roots = sample("What is the capital of France?", 100), types.ListRootsRequest()

    def ask(state: str | None = None, **requests: Any) -> types.InputRequiredResult:
        return types.InputRequiredResult(input_requests=requests, request_state=state)

    @server.tool(description=ABOUT)
    async def test_input_required_result_elicitation(ctx: Context[Any]) -> Rounds:
        if not answered(ctx, "user_name"):
            return ask(user_name=name_form)
        content = getattr((ctx.input_responses or {})["user_name"], "content", None) or {}
        return f"Hello, {content.get('name')}!"

    @server.tool(description=ABOUT)
    async def test_streaming_elicitation(ctx: Context[Any]) -> Rounds:
        return "thanks" if answered(ctx, "user_name") else ask(user_name=name_form)

    @server.tool(description=ABOUT)
    async def test_input_required_result_sampling(ctx: Context[Any]) -> Rounds:
        return "Paris" if answered(ctx, "capital_question") else ask(capital_question=capital)

    @server.tool(description=ABOUT)
    async def test_input_required_result_list_roots(ctx: Context[Any]) -> Rounds:
        if not answered(ctx, "client_roots"):
            return ask(client_roots=roots)
        return str(getattr((ctx.input_responses or {})["client_roots"], "roots", ""))

    @server.tool(description=ABOUT)
    async def test_input_required_result_request_state(ctx: Context[Any]) -> Rounds:
        if not answered(ctx, "confirm"):
            return ask("begun", confirm=confirm)
        return "state-ok" if ctx.request_state == "begun" else "state-lost"

    @server.tool(description=ABOUT)
    async def test_input_required_result_tampered_state(ctx: Context[Any]) -> Rounds:
        return "confirmed" if answered(ctx, "confirm") else ask("begun", confirm=confirm)

    @server.tool(description=ABOUT)
    async def test_input_required_result_multiple_inputs(ctx: Context[Any]) -> Rounds:
        if answered(ctx, "user_name", "greeting", "client_roots"):
            return "all there"
        return ask("begun", user_name=name_form, greeting=sample("Generate a greeting", 50), client_roots=roots)

    @server.tool(description=ABOUT)
    async def test_input_required_result_multi_round(ctx: Context[Any]) -> Rounds:
        if ctx.request_state is None:
            return ask("1", step1=form("Step 1: What is your name?", name={"type": "string"}))
        if ctx.request_state == "1":
            return ask("2", step2=form("Step 2: What is your favorite color?", color={"type": "string"}))
        return "three rounds"

    @server.tool(description=ABOUT)
    async def test_input_required_result_capabilities(ctx: Context[Any]) -> Rounds:
        capabilities = ctx.request_context.session.client_capabilities or types.ClientCapabilities()
        requests: dict[str, Any] = {"name": name_form} if capabilities.elicitation is not None else {}
        requests |= {"capital": capital} if capabilities.sampling is not None else {}
        return ask(**requests) if requests else "nothing can be asked"

    @server.prompt(description=ABOUT)
    async def test_input_required_result_prompt(ctx: Context) -> Any:  # type: ignore[type-arg] - typed ones fail there
        if not answered(ctx, "user_context"):
            return ask(user_context=form("What context should the prompt use?", context={"type": "string"}))
        return "Use it."


def add_resources_and_prompts(server: ResearchServer) -> None:
    @server.resource("test://static-text", mime_type="text/plain")
    def static_text() -> str:
        return "This is the content of the static text resource."

    @server.resource("test://static-binary", mime_type="image/png")
    def static_binary() -> bytes:
        return base64.b64decode(PIXEL)

    @server.resource("test://template/{id}/data", mime_type="application/json")
    def template(id: str) -> str:  # noqa: A002 - the suite names it
        return json.dumps({"id": id, "templateTest": True, "data": f"Data for ID: {id}"})

    @server.resource("test://watched-resource", mime_type="text/plain")
    def watched() -> str:
        return "Watched resource content"

    @server.prompt(description=ABOUT)
    def test_simple_prompt() -> str:
        return "This is a simple prompt for testing."

    @server.prompt(description=ABOUT)
    def test_prompt_with_arguments(arg1: str, arg2: str) -> str:
        return f"Prompt with arguments: arg1='{arg1}', arg2='{arg2}'"

    @server.prompt(description=ABOUT)
    def test_prompt_with_embedded_resource(resourceUri: str) -> list[Any]:  # noqa: N803 - the suite names it
        return [embedded(resourceUri, "Embedded resource content for testing."), "Please process it."]

    @server.prompt(description=ABOUT)
    def test_prompt_with_image() -> list[Any]:
        return [image(), "Please analyze the image above."]

    async def set_level(_: Any, params: types.SetLevelRequestParams) -> types.EmptyResult:
        return types.EmptyResult()

    server._lowlevel_server.add_request_handler("logging/setLevel", types.SetLevelRequestParams, set_level)


def everything(home: Path) -> ResearchServer:
    server = build_server(settings_for(home), keepers=[ScriptedTasks()], extensions=[NeedsTasks()])
    add_tools(server)
    add_elicitations(server)
    add_rounds(server)
    add_resources_and_prompts(server)
    add_task_tools(server)
    return server


def main() -> None:
    listener = socket.create_server(("127.0.0.1", 0))
    print(f"http://localhost:{listener.getsockname()[1]}/mcp", flush=True)  # noqa: T201 - whoever started it reads it
    app = everything(Path(sys.argv[1])).streamable_http_app(streamable_http_path="/mcp")
    config = uvicorn.Config(Admitted(app), log_config=None, access_log=False)
    anyio.run(lambda: uvicorn.Server(config).serve(sockets=[listener]))


if __name__ == "__main__":
    main()
