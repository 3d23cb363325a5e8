"""What the MCP registry is told: held to the registry's own schema, which skillsaw brings along."""

import importlib.util
import json
from importlib import resources
from pathlib import Path
from types import ModuleType

import jsonschema
import pytest

from deepresearch_mcp.__main__ import main as start
from deepresearch_mcp.settings.project import DISTRIBUTION
from deepresearch_mcp.settings.reading import all_settings
from deepresearch_mcp.settings.services import VENDOR_NAMES
from deepresearch_mcp.settings.values import is_secret
from deepresearch_mcp.version import __version__

ROOT = Path(__file__).parents[1]


def tool() -> ModuleType:
    found = importlib.util.spec_from_file_location("server_json", ROOT / "tools" / "server_json.py")
    assert found is not None
    assert found.loader is not None
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    return module


SERVER = tool().filled("some-account")
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
    secret = {name for setting, names in VENDOR_NAMES.items() for name in names if is_secret(all_settings()[setting])}
    [package] = SERVER["packages"]

    for variable in package["environmentVariables"]:
        assert variable.get("isSecret", False) is (variable["name"] in secret), variable["name"]
    listed = {variable["name"] for variable in package["environmentVariables"]}
    asked = {names[0] for setting, names in VENDOR_NAMES.items() if is_secret(all_settings()[setting])}
    assert asked <= listed


def test_what_it_has_started_is_our_server() -> None:
    [package] = SERVER["packages"]

    assert [argument["value"] for argument in package["packageArguments"]] == ["serve"]
    assert package["transport"] == {"type": "stdio"}
    assert callable(start)


def test_it_names_the_package_that_is_ours_in_the_name_of_who_publishes_it() -> None:
    [package] = SERVER["packages"]

    assert SERVER["name"] == f"io.github.some-account/{DISTRIBUTION}"
    assert (package["identifier"], package["version"], SERVER["version"]) == (DISTRIBUTION, __version__, __version__)
    assert len(SERVER["description"]) <= 100
    assert not any(variable.get("isRequired") for variable in package["environmentVariables"])
    known = {name for names in VENDOR_NAMES.values() for name in names} | {
        "DEEPRESEARCH_HOME",
        "DEEPRESEARCH_MODEL__USE",
    }
    assert {variable["name"] for variable in package["environmentVariables"]} <= known


def test_the_repository_claims_no_name_in_the_registry() -> None:
    template = json.loads((ROOT / "server.template.json").read_text(encoding="utf-8"))

    assert {"name", "version"}.isdisjoint(template)
    assert {"identifier", "version"}.isdisjoint(template["packages"][0])


@pytest.mark.parametrize("owner", ["", "a/b", "-a", "a b", "OWNER…", "a" * 40])
def test_without_an_account_nothing_is_written(owner: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert tool().main(owner, tmp_path) == 2

    assert "make server.json OWNER=" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_it_is_written_with_what_is_to_be_done_before_it_is_published(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert tool().main("some-account", tmp_path) == 0

    assert json.loads((tmp_path / "server.json").read_text(encoding="utf-8")) == SERVER
    said = capsys.readouterr().err
    assert "publish deepresearch-server on the package index" in said
    assert "<!-- mcp-name: io.github.some-account/deepresearch-server -->" in said


def test_once_all_is_done_nothing_is_left_to_say() -> None:
    readme = f"x\n<!-- mcp-name: io.github.some-account/{DISTRIBUTION} -->\n"

    assert tool().missing("some-account", readme, published=True) == []
