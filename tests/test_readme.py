"""Every command of the README: run as it stands on the demo's small web, or taken apart where it installs or edits."""

import contextlib
import io
import json
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from anyio.from_thread import start_blocking_portal

from deepresearch_mcp.__main__ import main as start
from deepresearch_mcp.cli.app import main
from deepresearch_mcp.cli.clients.entries import Machine, clients
from deepresearch_mcp.cli.demo.server import serve_site
from deepresearch_mcp.cli.demo.site import build
from deepresearch_mcp.records.request import EFFORTS
from deepresearch_mcp.records.run import Run
from deepresearch_mcp.settings.project import COMMANDS as OURS
from deepresearch_mcp.settings.project import DISTRIBUTION, EXTRAS
from deepresearch_mcp.settings.reading import all_settings, variable
from deepresearch_mcp.settings.services import VENDOR_NAMES
from deepresearch_mcp.system_clock import SystemClock
from postgres_server import own_schema
from thinking import Mind
from wires import Scripted
from wires import serve as serve_model

ROOT = Path(__file__).parents[1]
BEGINS = {".html": b"<!doctype html>", ".docx": b"PK", ".pdf": b"%PDF-"}
"""The first bytes of a file that a command writes, by its suffix."""
README = (ROOT / "README.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", README, re.DOTALL | re.MULTILINE)


COMMANDS = [
    shlex.split(line, comments=True)
    for block in blocks("sh")
    for line in block.splitlines()
    if shlex.split(line, comments=True)
]
LASTING = {"serve", "ui", "worker"}
"""Commands that do not end by themselves."""
RUN = [words[1:] for words in COMMANDS if words[0] in OURS and not LASTING & set(words)]


@dataclass(frozen=True)
class World:
    """Where the README's commands are run."""

    home: Path
    run_id: str


def in_process(arguments: list[str]) -> tuple[int, str, str]:
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = main(arguments)
    return code, out.getvalue(), err.getvalue()


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    """A user's home with papers, a small web with a search, a model that says little, and one run done."""
    place = tmp_path_factory.mktemp("readme")
    (place / "papers").mkdir()
    (place / "papers" / "ice.md").write_text(
        "# Ice\n\nIce floats on water because hydrogen bonds hold its molecules apart, so that it is less dense.\n"
    )
    (place / "report.md").write_text("Ice floats on water [1].\n\n[1]: http://127.0.0.1:9/ice\n")
    with start_blocking_portal("asyncio") as portal, pytest.MonkeyPatch.context() as patch:
        web = portal.wrap_async_context_manager(serve_site(build("What is new?"), SystemClock()))
        model = portal.wrap_async_context_manager(serve_model(Scripted(lambda request: "I cannot say.")))
        with web as base, model as brain:
            for names in VENDOR_NAMES.values():
                for name in names:
                    patch.delenv(name, raising=False)
            environment = {
                "HOME": str(place),
                "DEEPRESEARCH_HOME": str(place / "data"),
                "XDG_CONFIG_HOME": str(place / "config"),
                "SEARXNG_URL": base,
                # Else a profile's data sources would be asked as well.
                "DEEPRESEARCH_SEARCH__ENGINES": "searxng",
                "DEEPRESEARCH_WEB__ALLOW_PRIVATE": base.removeprefix("http://"),
                "DEEPRESEARCH_RESEARCH__PATIENCE": "0.5",
                "DEEPRESEARCH_MODEL__OLLAMA_BASE_URL": f"{brain}/v1",
                "BRAVE_API_KEY": "any",
                "DEEPRESEARCH_SEARCH__BRAVE_BASE_URL": base,
            }
            for name, value in environment.items():
                patch.setenv(name, value)
            patch.chdir(place)
            code, out, _ = in_process(["research", "What does the global statement do?", "--json"])
            assert code == 0
            yield World(place, json.loads(out)["run_id"])


def of_this_machine(arguments: list[str], world: World) -> list[str]:
    """The command with its placeholders filled in, and nothing of it changed that a user would type."""
    filled = [world.run_id if word == "RUN" else word.replace("~", str(world.home)) for word in arguments]
    # Wikipedia and domains of the real web are beyond a test; the demo's site stands for them.
    filled = ["127.0.0.1" if word == "rfc-editor.org" else word for word in filled]
    filled = [word.replace("brave,wikipedia", "searxng") for word in filled]
    if filled[0] == "doctor":
        filled.append("--offline")
    return filled


# In one test, in the README's order: later commands use what earlier ones made.
@pytest.mark.timeout(300)
def test_every_command_does_what_the_readme_says(world: World) -> None:
    assert len(RUN) >= 15
    waiting = ""
    for arguments in RUN:
        command = of_this_machine(arguments, world)
        if command[0] == "store":
            continue  # In the next test, with a database.
        if command[:2] == ["runs", "answer"]:
            command[2] = waiting

        code, out, err = in_process(command)

        if command == ["config", "init"]:
            assert "There is no terminal to ask on." in err  # tests/cli/test_keys.py sits there.
            continue
        if command[0] == "install" and command[1:] and not {"--dry-run", "--undo"} & set(command):
            assert (code, "Add --yes." in err) == (2, True), f"{command}: {err}"  # As in tests/cli/test_install.py.
            continue
        if command[:2] == ["runs", "resume"]:
            assert "is complete, so there is nothing to resume" in err  # What the README's user lacks: a broken run.
            continue
        if "client" in command:
            assert code == 4, f"{command}: {err}"
            # Someone's model answers the first round: there are more.
            run = Run.model_validate_json(out)
            assert run.waiting
            waiting = run.run_id
            work = {packet.packet_id: Mind().answer(packet) for packet in run.waiting.open}
            (world.home / "answers.json").write_text(json.dumps(work), encoding="utf-8")
            continue
        if "--work" in command:
            assert (code, json.loads(out)["status"]) == (4, "input_required"), f"{command}: {err}"
            continue
        if "--approve-plan" in command:
            # There is no terminal here.
            assert code == 4, f"{command}: {err}"
            waiting = re.findall(r"runs answer (\w{26}) ", err)[0]
            continue
        if "ollama:llama4" in command:
            # The model here says nothing of use, and the report says so first.
            assert code == 3, f"{command}: {err}"
            assert "**Done without the model.** ollama:llama4 could not " in out
            continue
        # The small web holds nothing on what the README asks: a report of what was tried is a partial one.
        partial = command[0] in {"research", "report"} or command[:2] == ["runs", "answer"]
        assert code in ({0, 3} if partial else {0}), f"{command}: {err}"
        assert out or "--output" in command or {"add", "verify", "delete", "--undo"} & set(command), command
        if "--json" in command:
            json.loads(out)
        if "--output" in command:
            written = Path(command[command.index("--output") + 1])
            assert written.read_bytes().startswith(BEGINS[written.suffix])


def test_the_shared_database_is_made_and_filled(
    world: World, database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with own_schema(database_url) as url:
        monkeypatch.setenv("DEEPRESEARCH_DATABASE_URL", url)
        said = [in_process(words) for words in RUN if words[0] == "store"]

    assert [code for code, _, _ in said] == [0, 0]
    assert "1 runs" in said[1][2] or "runs," in said[1][2]


def test_what_installs_or_starts_names_things_that_exist() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    rest = [words for words in COMMANDS if words[0] not in OURS]

    for words in rest:
        match words:
            case ["make", target, *settings]:
                # `make install` itself is run in tests/test_user_install.py.
                assert re.search(rf"^{target}:", makefile, re.MULTILINE), target
                assert set(settings) <= {f"EXTRAS={extra}" for extra in EXTRAS}
            case ["python3", "-m", "venv", ".venv"]:
                pass
            case [".venv/bin/pip", "install", "-c", pins, *what]:
                assert (ROOT / pins).is_file()
                assert set(what) <= {"--editable", ".", "--group", "dev", "--upgrade", "pip"}
            case [".venv/bin/pytest", "-n", "auto"] | [".venv/bin/deepresearch-server", "demo"]:
                pass
            case ["export", assigned]:
                assert variable("database_url") == assigned.partition("=")[0]
            case ["claude", "mcp", "add", "--scope", "user", _, "--", *command]:
                assert command == [f"~/.local/bin/{DISTRIBUTION}", "serve"]
            case ["docker", "build", "-t", name, "."]:
                assert (name, (ROOT / "Dockerfile").is_file()) == (DISTRIBUTION, True)
            case ["docker", "run", "-i", "--rm", "-v", volume, "-e", key, name]:
                assert (name, volume.partition(":")[2]) == (DISTRIBUTION, "/data")
                assert key in {one for names in VENDOR_NAMES.values() for one in names}
            case _:
                pytest.fail(f"The README holds a command that nothing checks: {words}")


def test_every_client_configuration_starts_our_server() -> None:
    configurations = [json.loads(block) for block in blocks("json")]

    assert len(configurations) == 3
    for configuration in configurations:
        [servers] = configuration.values()
        server = servers["deepresearch"]
        # As `make install` prints it, in a home of the reader's own.
        assert server["command"] == f"/home/YOU/.local/bin/{DISTRIBUTION}"
        assert server["args"] == ["serve"]
        known = {name for names in VENDOR_NAMES.values() for name in names}
        assert set(server.get("env", {})) <= known


def test_every_client_of_the_readme_is_one_that_can_be_connected() -> None:
    known = clients(Machine("Linux", Path("/home/somebody"), {}))
    rows = re.findall(r"^\| ([^|]+) \| (`[a-z-]+`(?:, `[a-z-]+`)*) \| (.+) \|$", README, re.MULTILINE)
    told = {name: place for _, names, place in rows for name in re.findall(r"`([a-z-]+)`", names) if name in known}

    assert told.keys() == known.keys()
    for name, client in known.items():
        assert client.file.name in told[name]
        assert not client.project or client.project in told[name]


def test_serving_is_a_command_that_the_program_knows(capsys: pytest.CaptureFixture[str]) -> None:
    lasting = [words[1:] for words in COMMANDS if words[0] in OURS and LASTING & set(words)]
    assert len(lasting) >= 3
    for command, *options in lasting:
        text = io.StringIO()
        with contextlib.redirect_stdout(text):
            assert main([command, "--help"]) == 0
        assert all(word in text.getvalue() for word in options if word.startswith("--"))
    assert callable(start)


def test_the_python_of_the_readme_runs(world: World) -> None:
    [code] = blocks("python")

    done = subprocess.run(
        [sys.executable, "-c", code.replace("Why does ice float on water?", "What does the global statement do?")],
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )

    assert done.returncode == 0, done.stderr
    assert "[1] " in done.stdout


def test_the_tables_say_what_is_so() -> None:
    for effort, shape in EFFORTS.items():
        row = (
            f"| {effort} | {shape.breadth} | {shape.depth} | {shape.max_usd:.2f} | {shape.max_tokens:,} | "
            f"{shape.max_searches} | {shape.max_pages} | {shape.max_minutes:g} |"
        )
        assert row in README
    ours = {variable(setting) for setting in all_settings()} | {"DEEPRESEARCH_ENV_FILE", "DEEPRESEARCH_CONFIG"}
    assert set(re.findall(r"DEEPRESEARCH_\w+", README)) <= ours
    vendors = {name for names in VENDOR_NAMES.values() for name in names}
    assert set(re.findall(r"\b[A-Z]+_(?:API_KEY|BASE_URL|URL)\b", README)) <= vendors


def test_the_links_of_the_readme_lead_somewhere() -> None:
    assert [place for place in re.findall(r"\]\((?!http)([^)#]+)\)", README) if not (ROOT / place).exists()] == []
