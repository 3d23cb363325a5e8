"""The image's recipe, read and held to what it names: no engine is needed, and none has built it here."""

import importlib.util
import json
import re
import tomllib
from pathlib import Path
from types import ModuleType

import pytest
from anyio import to_thread

from deepresearch_mcp.cli.demo.server import serve_site
from deepresearch_mcp.cli.demo.site import build
from deepresearch_mcp.settings.reading import all_settings, variable
from deepresearch_mcp.system_clock import SystemClock

ROOT = Path(__file__).parents[1]
KNOWN = {"FROM", "WORKDIR", "COPY", "RUN", "ENV", "USER", "VOLUME", "HEALTHCHECK", "ENTRYPOINT", "CMD"}


def steps() -> list[tuple[str, str]]:
    text = (ROOT / "Dockerfile").read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if not line.lstrip().startswith("#")]
    joined = re.sub(r"\\\n\s*", " ", "\n".join(lines))
    return [tuple(line.split(maxsplit=1)) for line in joined.splitlines() if line.strip()]  # pyright: ignore[reportReturnType] - two words each


def named(instruction: str) -> list[str]:
    return [rest for name, rest in steps() if name == instruction]


def health() -> ModuleType:
    found = importlib.util.spec_from_file_location("docker_health", ROOT / "docker" / "health.py")
    assert found is not None
    assert found.loader is not None
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    return module


def copied() -> list[str]:
    return [source for rest in named("COPY") if "--from=" not in rest for source in rest.split()[:-1]]


def test_every_step_is_one_that_docker_knows() -> None:
    assert {name for name, _ in steps()} <= KNOWN
    assert steps()[0][0] == "FROM"


def test_what_it_stands_on_is_a_version_and_not_whatever_is_newest() -> None:
    images = [rest.split()[0] for rest in named("FROM")]

    assert images
    assert all(re.fullmatch(r"python:3\.\d+(\.\d+)?-slim-\w+", image) for image in images)
    minor = int(re.findall(r"3\.(\d+)", images[0])[0])
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert f"Programming Language :: Python :: 3.{minor}" in project["classifiers"]


def test_what_it_copies_exists_and_is_sent_to_the_builder() -> None:
    sent = [
        line.removeprefix("!") for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")
    ]

    assert [name for name in copied() if not (ROOT / name).exists()] == []
    assert set(copied()) == set(sent)
    assert "*" in (ROOT / ".dockerignore").read_text().splitlines()


def test_it_copies_all_that_the_package_is_built_from_and_installs_nothing_without_its_hash() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    needed = {"pyproject.toml", project["project"]["readme"], *project["project"]["license-files"]}
    needed |= {Path(one).parts[0] for one in project["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]}

    assert needed <= set(copied())
    installs = [part for rest in named("RUN") for part in rest.split("&&") if "pip install" in part]
    assert len(installs) == 3
    for install in installs:
        files = re.findall(r"-r (\S+)", install)
        assert all((ROOT / file).is_file() for file in files)
        checked = "--require-hashes" in install and bool(files)
        assert checked or ("--no-deps --no-index" in install and install.split()[-1] == "dist/*.whl")


def test_no_one_is_root_in_it_and_its_data_outlive_it() -> None:
    names = [name for name, _ in steps()]

    assert named("USER") == ["10001"]
    assert "useradd --uid 10001" in " ".join(named("RUN"))
    assert names.index("USER") < names.index("ENTRYPOINT")
    [env] = named("ENV")
    assert dict(re.findall(r"(\w+)=(\S+)", env))[variable("home")] == named("VOLUME")[0] == "/data"
    assert variable("home").startswith("DEEPRESEARCH_")
    assert "home" in all_settings()


def test_it_starts_the_server_unless_told_otherwise() -> None:
    assert json.loads(named("ENTRYPOINT")[0]) == ["deepresearch-server"]
    assert json.loads(named("CMD")[0]) == ["serve"]
    [check] = named("HEALTHCHECK")
    assert json.loads(check.partition("CMD ")[2])[1] == "/opt/deepresearch/health.py"
    assert any(rest.split()[-1] == "/opt/deepresearch/health.py" for rest in named("COPY"))


def test_no_key_is_baked_in() -> None:
    assert not re.search(r"(KEY|TOKEN|SECRET)\s*=", (ROOT / "Dockerfile").read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    ("command", "where"),
    [
        (["deepresearch-server", "serve"], ""),
        (["deepresearch-server", "serve", "--http"], "http://127.0.0.1:8765/healthz"),
        (["python", "deepresearch-mcp", "serve", "--http", "--port", "9"], "http://127.0.0.1:9/healthz"),
        (["deepresearch-server", "serve", "--http", "--port=9"], "http://127.0.0.1:9/healthz"),
    ],
)
def test_the_health_check_asks_where_the_server_is(command: list[str], where: str) -> None:
    assert health().address(command) == where


async def test_a_server_that_does_not_answer_is_not_healthy() -> None:
    check = health().healthy

    assert await to_thread.run_sync(check, ["serve"])
    assert not await to_thread.run_sync(check, ["serve", "--http", "--port", "9"])
    async with serve_site(build("x"), SystemClock()) as base:
        # Some other server: it has no such page.
        assert not await to_thread.run_sync(check, ["serve", "--http", f"--port={base.rpartition(':')[2]}"])
