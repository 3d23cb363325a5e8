"""Whatever is sent: an answer in the protocol's form, in words for the client, and a server that goes on.

The other half, clients that break the lines themselves, is in test_rough_clients.py.
"""

import json
import shutil
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import SecretStr

from deepresearch_mcp.mcp_server.resources import templates
from deepresearch_mcp.mcp_server.toolbox import all_tools
from fuzzed import IDS, ODD, Pipes, arguments, piped
from small_web import Kept, settings_for

SECRET = "tvly-0123456789abcdef"
TOOLS = {tool.name: tool.parameters for tool in all_tools(["research", "check", "runs", "web", "library", "chatgpt"])}
CODES = {-32700, -32600, -32601, -32602, -32603, -32021, -32022}
"""Of JSON-RPC, and two of the protocol: a capability that is not declared, a revision that is not served."""
UNFIT = ("Traceback", "site-packages", 'File "', "pydantic", "sqlite", "<class", "0x7", "object at", SECRET)
"""What is for nobody outside."""


def quickly(examples: int) -> settings:
    """The pipes outlive an example on purpose: what one leaves behind, the next one meets."""
    return settings(
        max_examples=examples,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    )


@pytest.fixture(scope="module")
def place(researched: Kept, tmp_path_factory: pytest.TempPathFactory) -> Kept:
    """A copy of its own: runs are started in it."""
    home = tmp_path_factory.mktemp("fuzzed") / "home"
    shutil.copytree(researched.home, home)
    return Kept(home, researched.run_id)


@pytest.fixture(scope="module", params=["modern", "legacy"])
def pipes(request: pytest.FixtureRequest, place: Kept) -> Iterator[Pipes]:
    made = settings_for(place.home)
    search = made.search.model_copy(update={"tavily_key": SecretStr(SECRET)})
    server = made.server.model_copy(update={"toolsets": ("research", "check", "runs", "web", "library", "chatgpt")})
    offered = made.model_copy(update={"search": search, "server": server})
    with piped(offered, modern=request.param == "modern") as client:
        yield client


def told(pipes: Pipes, home: object, method: str, params: Any) -> dict[str, Any]:
    """The answer, which is what an answer may be."""
    answer = pipes.ask(method, params)
    whole = json.dumps(answer, ensure_ascii=False)
    assert ("result" in answer) != ("error" in answer), whole
    # Where a report is kept is part of the run object.
    assert [word for word in (*UNFIT, str(home)) if word in whole.replace(f"{home}/runs/", "")] == []
    assert "because of an error in this server" not in whole
    if "error" in answer:
        assert answer["error"]["code"] in CODES, whole
        assert answer["error"]["message"] != "Internal server error"
    return answer


@quickly(150)
@given(data=st.data())
def test_every_tool_answers_any_arguments(pipes: Pipes, place: Kept, data: st.DataObject) -> None:
    known: dict[str, list[Any]] = {
        "run_id": [place.run_id, *IDS],
        "follow_up_of": [place.run_id, *IDS],
        "model": ["auto", "extractive", "client", "openai:none", ":", "a:b:c"],
        "url": ["http://127.0.0.1:1/", "http://[::1", "file:///etc/passwd", "library:a/../../b", "javascript:1", "//"],
        "engines": [["searxng"], ["wikipedia", "nothing"]],
        "wait_seconds": [0],
        "question": ["Why does ice float?", "?"],
    }
    name = data.draw(st.sampled_from(sorted(TOOLS)))
    given = data.draw(arguments(TOOLS[name], known))
    if "wait_seconds" in TOOLS[name]["properties"]:
        given.setdefault("wait_seconds", 0)
        given["wait_seconds"] = 0 if isinstance(given["wait_seconds"], int | float) else given["wait_seconds"]
    told(pipes, place.home, "tools/call", {"name": name, "arguments": given})


@quickly(150)
@given(data=st.data())
def test_every_resource_answers_at_any_address(pipes: Pipes, place: Kept, data: st.DataObject) -> None:
    value = st.sampled_from([place.run_id, place.run_id, *IDS]) | st.text(max_size=10)
    uri = data.draw(
        st.sampled_from([template.uri_template for template in templates()] + ["ui://{run_id}", "{run_id}"])
    )
    for name in ("{run_id}", "{claim_id}", "{source_id}"):
        uri = uri.replace(name, data.draw(value))
    uri = uri.replace("{?claim}", "?claim=" + data.draw(value)).replace("{?after}", "?after=" + data.draw(value))
    told(pipes, place.home, "resources/read", {"uri": uri})


METHODS = (
    ("prompts/get", {"name": ["research", "compare", "nothing"], "arguments": [{}, {"question": "Why?"}]}),
    ("prompts/list", {"cursor": ["", "x"]}),
    ("tools/list", {"cursor": ["", "x"]}),
    ("resources/list", {"cursor": ["", "WzEsICJ4Il0", "bnVsbA"]}),
    ("resources/templates/list", {"cursor": ["x"]}),
    ("resources/read", {"uri": ["research://runs", "research://[", "ui://deepresearch/report.html"]}),
    ("resources/subscribe", {"uri": ["research://runs", "research://runs/../x"]}),
    ("resources/unsubscribe", {"uri": ["research://runs"]}),
    (
        "completion/complete",
        {
            "ref": [
                {"type": "ref/resource", "uri": "research://runs/{run_id}"},
                {"type": "ref/prompt", "name": "research"},
            ],
            "argument": [
                {"name": "run_id", "value": ""},
                {"name": "claim_id", "value": "c"},
                {"name": "effort", "value": ""},
            ],
            "context": [{"arguments": {"run_id": "none"}}, {}],
        },
    ),
    ("tasks/get", {"taskId": IDS}),
    ("tasks/update", {"taskId": IDS, "inputResponses": [{}, {"x": 1}]}),
    ("tasks/cancel", {"taskId": IDS}),
    (
        "tools/call",
        {"name": ["list_runs", "nothing"], "arguments": [{}], "requestState": ["v1.x"], "inputResponses": [{}]},
    ),
    ("server/discover", {}),
    ("initialize", {"protocolVersion": ["2025-11-25"], "capabilities": [{}], "clientInfo": [{}]}),
    ("logging/setLevel", {"level": ["info"]}),
    ("ping", {}),
    ("no/such", {}),
    ("", {}),
)


@quickly(250)
@given(data=st.data())
def test_every_method_answers_any_params(pipes: Pipes, place: Kept, data: st.DataObject) -> None:
    method, fitting = data.draw(st.sampled_from(METHODS))
    params = {
        name: data.draw(st.sampled_from(values) | ODD) for name, values in fitting.items() if data.draw(st.booleans())
    }
    if data.draw(st.integers(0, 9)) == 0:
        params["_meta"] = data.draw(ODD | st.just({"progressToken": []}))
    told(pipes, place.home, method, data.draw(st.sampled_from([params] * 9 + [data.draw(ODD)])))


@quickly(40)
@given(data=st.data())
def test_what_is_listened_to_and_notified_stops_nothing(pipes: Pipes, place: Kept, data: st.DataObject) -> None:
    names = st.sampled_from(["resourceSubscriptions", "taskIds", "toolsListChanged", "x"])
    wanted = data.draw(st.dictionaries(names, ODD | st.lists(st.sampled_from(IDS), max_size=3), max_size=3))
    kinds = ["notifications/cancelled", "notifications/progress", "notifications/initialized", "notifications/none"]
    pipes.tell("subscriptions/listen", {"notifications": wanted})
    pipes.tell(data.draw(st.sampled_from(kinds)), data.draw(ODD | st.just({"requestId": 1, "progressToken": 1})))

    assert "tools" in told(pipes, place.home, "tools/list", {})["result"]
