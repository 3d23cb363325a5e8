"""The bundle for one-click installation: built for real, held to its format, judged by the format's own tool."""

import importlib.util
import json
import os
import re
import subprocess
import sys
import tomllib
import zipfile
from functools import cache
from pathlib import Path
from types import ModuleType

import pytest
from mcp.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client

from deepresearch_mcp.cli.demo.server import serve_site
from deepresearch_mcp.cli.demo.site import build as build_site
from deepresearch_mcp.settings.services import VENDOR_NAMES
from deepresearch_mcp.system_clock import SystemClock
from deepresearch_mcp.version import __version__
from foreign import UV, installed_by_npm, installed_by_pip

ROOT = Path(__file__).parents[1]
VALIDATOR = "@anthropic-ai/mcpb@2.1.2"


@cache
def builder() -> ModuleType:
    found = importlib.util.spec_from_file_location("bundle_build", ROOT / "bundle" / "build.py")
    assert found is not None
    assert found.loader is not None
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("bundle") / "deepresearch-server.mcpb"
    done = subprocess.run(
        [sys.executable, "bundle/build.py", str(file)], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return file


@pytest.fixture(scope="module")
def manifest(bundle: Path) -> dict:
    with zipfile.ZipFile(bundle) as opened:
        return json.loads(opened.read("manifest.json"))


def test_it_holds_all_of_our_source_and_nothing_that_was_left_behind(bundle: Path) -> None:
    with zipfile.ZipFile(bundle) as opened:
        names = set(opened.namelist())

    sources = {file.relative_to(ROOT).as_posix() for file in (ROOT / "src").rglob("*.py")}
    assert sources <= names
    assert {"manifest.json", "pyproject.toml", "server.py", "README.md", "LICENSE"} <= names
    assert not [name for name in names if re.search(r"__pycache__|\.venv|node_modules|\.sqlite|\.env$", name)]


def test_the_same_source_makes_the_same_bundle(bundle: Path, tmp_path: Path) -> None:
    assert builder().build(tmp_path / "again.mcpb").read_bytes() == bundle.read_bytes()


def test_its_manifest_says_what_we_are_and_how_we_are_started(manifest: dict) -> None:
    assert manifest["manifest_version"] == "0.4"
    assert (manifest["name"], manifest["version"]) == ("deepresearch-server", __version__)
    assert manifest["server"]["type"] == "uv"
    assert manifest["server"]["mcp_config"]["args"][-1] == manifest["server"]["entry_point"] == "server.py"
    assert manifest["compatibility"]["runtimes"]["python"] == ">=3.11"
    assert {tool["name"] for tool in manifest["tools"]} >= {"deep_research", "get_report", "check_citations"}
    assert all(tool["description"] for tool in manifest["tools"])


def test_every_key_is_asked_for_hidden_and_none_is_needed(manifest: dict) -> None:
    form, handed = manifest["user_config"], manifest["server"]["mcp_config"]["env"]

    assert {f"${{user_config.{name}}}" for name in form} == set(handed.values())
    assert not any(field["required"] for field in form.values())
    assert {name for name, field in form.items() if field.get("sensitive")} == {
        name for name in form if name.endswith(("_key", "_token"))
    }
    ours = {"DEEPRESEARCH_HOME", "DEEPRESEARCH_MODEL__USE"}
    assert set(handed) <= {name for names in VENDOR_NAMES.values() for name in names} | ours


def test_its_dependencies_are_ours_with_the_models_and_no_developers_tools(bundle: Path) -> None:
    with zipfile.ZipFile(bundle) as opened:
        theirs = tomllib.loads(opened.read("pyproject.toml").decode())
    ours = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))

    wanted = {*ours["project"]["dependencies"], *ours["project"]["optional-dependencies"].get("anthropic", ())}
    assert wanted <= set(theirs["project"]["dependencies"])
    assert "dependency-groups" not in theirs
    assert theirs["tool"].keys() == {"hatch", "uv"}
    assert theirs["tool"]["uv"]["constraint-dependencies"] == theirs["tool"]["uv"]["build-constraint-dependencies"]
    pinned = {re.split(r"[=\[ ]", pin)[0] for pin in theirs["tool"]["uv"]["constraint-dependencies"]}
    assert {re.split(r"[<>=\[; ]", one)[0].replace("-", "_") for one in theirs["project"]["dependencies"]} <= {
        one.replace("-", "_") for one in pinned
    }


def test_what_it_starts_is_a_server_that_takes_placeholders_for_nothing(
    bundle: Path, tmp_path: Path, child_env
) -> None:
    with zipfile.ZipFile(bundle) as opened:
        opened.extractall(tmp_path / "bundle")
    hello = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "host", "version": "1"}}
    asked = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello}

    done = subprocess.run(
        [sys.executable, "server.py"],
        cwd=tmp_path / "bundle",
        env=child_env | {"PYTHONPATH": "src", "OPENAI_API_KEY": "${user_config.openai_api_key}"},
        input=json.dumps(asked) + "\n",
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )

    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout.splitlines()[0])["result"]["serverInfo"]["version"] == __version__


@pytest.mark.interop
@pytest.mark.timeout(400)
async def test_uv_installs_it_as_a_host_does_and_a_research_runs_to_its_end(
    bundle: Path, tmp_path: Path, child_env: dict[str, str]
) -> None:
    uv = str(Path(installed_by_pip(tmp_path / "uv", UV)).with_name("uv"))
    with zipfile.ZipFile(bundle) as opened:
        opened.extractall(tmp_path / "bundle")
    async with serve_site(build_site("try"), SystemClock()) as base:
        env = child_env | {
            "SEARXNG_URL": base,
            "DEEPRESEARCH_WEB__ALLOW_PRIVATE": base.removeprefix("http://"),
            "DEEPRESEARCH_HOME": str(tmp_path / "data"),
            "UV_PYTHON": sys.executable,
            "UV_CACHE_DIR": str(tmp_path / "cache"),
            **{name: value for name, value in os.environ.items() if name.startswith(("UV_", "SSL_CERT"))},
        }
        started = StdioServerParameters(
            command=uv, args=["run", "--directory", str(tmp_path / "bundle"), "server.py"], env=env
        )

        async with Client(stdio_client(started)) as client:
            asked = {"question": "What does a finally clause do?", "effort": "quick", "wait_seconds": 60}
            said = await client.call_tool("deep_research", asked)

    assert said.content[0].text.startswith("# What does a finally clause do?")


@pytest.mark.interop
def test_the_formats_own_tool_takes_it(bundle: Path, tmp_path: Path) -> None:
    installed_by_npm(tmp_path, VALIDATOR)
    tool = tmp_path / "node_modules" / ".bin" / "mcpb"
    with zipfile.ZipFile(bundle) as opened:
        opened.extractall(tmp_path / "bundle")

    said = subprocess.run(
        [str(tool), "validate", str(tmp_path / "bundle" / "manifest.json")], capture_output=True, text=True, check=False
    )

    assert said.returncode == 0, said.stdout + said.stderr
    info = subprocess.run([str(tool), "info", str(bundle)], capture_output=True, text=True, check=False)
    assert info.returncode == 0, info.stdout + info.stderr
