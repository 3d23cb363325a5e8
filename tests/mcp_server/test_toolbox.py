import pytest

from deepresearch_mcp.mcp_server import prepared
from deepresearch_mcp.mcp_server.looks import ICONS
from deepresearch_mcp.mcp_server.toolbox import TOOLS, all_tools, slim
from deepresearch_mcp.records.request import ResearchRequest
from deepresearch_mcp.settings.bounds import ServerSettings


def test_what_models_are_told_of_the_arguments_is_what_the_request_checks() -> None:
    [tool] = [tool for tool in all_tools(ServerSettings().toolsets) if tool.name == "deep_research"]
    told = dict(tool.parameters["properties"])
    for own in ("fresh", "wait_seconds"):
        del told[own]
    checked = slim(ResearchRequest.model_json_schema(), nulls=False)["properties"]
    # Seen of the client, or of how the run is started; or for REST and the library alone.
    del checked["asks"], checked["fresh"], checked["roles"]
    for own in ("effort", "profile", "length"):
        # What is left out is filled from [defaults] of the settings before the request is checked.
        checked[own].pop("default", None)
    limits = ("minimum", "maximum", "exclusiveMinimum", "enum", "type", "format", "default")

    assert told.keys() == checked.keys()
    for name, schema in told.items():
        assert {key: schema[key] for key in limits if key in schema and schema[key] != ""} == {
            key: checked[name][key] for key in limits if key in checked[name] and checked[name][key] not in ("", [])
        }, name


def test_a_slim_schema_keeps_what_validates() -> None:
    schema = {
        "title": "Two",
        "properties": {
            "title": {"title": "Title", "type": "string"},
            "limit": {"anyOf": [{"type": "integer", "minimum": 1}, {"type": "null"}], "default": None},
            "either": {"anyOf": [{"type": "integer"}, {"type": "string"}]},
            "many": {"type": "array", "items": {"title": "One", "type": "string"}},
        },
        "required": ["title"],
    }

    assert slim(schema, nulls=False) == {
        "properties": {
            "title": {"type": "string"},
            "limit": {"type": "integer", "minimum": 1},
            "either": {"anyOf": [{"type": "integer"}, {"type": "string"}]},
            "many": {"type": "array", "items": {"type": "string"}},
        },
        "required": ["title"],
    }
    assert slim(schema, nulls=True)["properties"]["limit"] == {"anyOf": schema["properties"]["limit"]["anyOf"]}


@pytest.mark.parametrize(
    ("toolsets", "offered"),
    [
        (("web",), {"web"}),
        (("check",), {"check", "runs"}),
        (("library", "chatgpt"), {"library", "chatgpt"}),
        ((), set()),
    ],
)
def test_fewer_tools_can_be_offered_and_none_without_those_it_needs(
    toolsets: tuple[str, ...], offered: set[str]
) -> None:
    names = [spec.function.__name__ for spec in TOOLS if spec.toolset in offered]

    assert bool(names) == bool(toolsets)
    assert [tool.name for tool in all_tools(toolsets)] == names


def test_every_tool_has_an_icon_that_needs_no_network() -> None:
    assert all(tool.icons == ICONS for tool in all_tools(ServerSettings().toolsets))
    assert all(icon.src.startswith("data:image/svg+xml,") for icon in ICONS)


def test_a_change_of_any_tool_makes_the_prepared_answers_stale() -> None:
    usual = {
        f"{spec.function.__module__.partition('.')[2].replace('.', '/')}.py"
        for spec in TOOLS
        if spec.toolset in prepared.TOOLSETS
    }

    assert usual
    assert usual <= set(prepared._SOURCES)
