"""What the MCP registry is told: held to the registry's own schema, which skillsaw brings along."""

import json
from importlib import resources
from pathlib import Path

import jsonschema
import pytest

from deepresearch_mcp.__main__ import main as start
from deepresearch_mcp.setting_values import is_secret
from deepresearch_mcp.settings import VENDOR_NAMES, knobs

ROOT = Path(__file__).parents[1]
SERVER = json.loads((ROOT / "server.json").read_text(encoding="utf-8"))
NEWEST = "v2025_12_11"


@pytest.fixture(scope="module")
def schema() -> dict:
    folder = resources.files("skillsaw") / "schemas" / "mcp_registry"
    known = sorted(one.name for one in folder.iterdir() if one.name.startswith("v"))
    assert known[-1] == NEWEST, "The registry has a newer schema: move server.json to it."
    return json.loads((folder / NEWEST / "server.schema.json").read_text(encoding="utf-8"))


def test_it_is_what_the_registrys_schema_asks_for(schema: dict) -> None:
    assert SERVER["$schema"] == schema["$id"]
    jsonschema.Draft7Validator(schema, format_checker=jsonschema.FormatChecker()).validate(SERVER)


def test_no_word_of_it_is_one_that_the_schema_does_not_know(schema: dict) -> None:
    def fields(name: str) -> set[str]:
        definition = schema["definitions"][name]
        parts = [definition, *definition.get("allOf", ())]
        own = {key for part in parts for key in part.get("properties", ())}
        return own.union(*(fields(part["$ref"].rpartition("/")[2]) for part in parts if "$ref" in part))

    assert set(SERVER) <= fields("ServerDetail")
    [package] = SERVER["packages"]
    assert set(package) <= fields("Package")
    for variable in package["environmentVariables"]:
        assert set(variable) <= fields("KeyValueInput")


def test_every_key_is_marked_as_a_secret_and_nothing_else_is() -> None:
    secret = {name for knob, names in VENDOR_NAMES.items() for name in names if is_secret(knobs()[knob])}
    [package] = SERVER["packages"]

    for variable in package["environmentVariables"]:
        assert variable.get("isSecret", False) is (variable["name"] in secret), variable["name"]
    listed = {variable["name"] for variable in package["environmentVariables"]}
    asked = {names[0] for knob, names in VENDOR_NAMES.items() if is_secret(knobs()[knob])}
    assert asked <= listed


def test_what_it_has_started_is_our_server() -> None:
    [package] = SERVER["packages"]

    assert [argument["value"] for argument in package["packageArguments"]] == ["serve"]
    assert package["transport"] == {"type": "stdio"}
    assert callable(start)
