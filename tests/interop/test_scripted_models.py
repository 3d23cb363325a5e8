"""Claude Code and Codex themselves, with models that do what the text says: runs that outlast their time-outs, pages
that are longer than their limits, prompts of several words. Nothing leaves this machine."""

import json
import re
from collections.abc import Callable, Generator
from pathlib import Path

import anyio
import pytest

from foreign import CLAUDE_CODE, CODEX, NOWHERE, SERVER, installed_by_npm, is_report
from scripted_models import Script, ScriptedModel, Turn, Use, following, scripted
from small_web import QUESTION, SmallWeb

pytestmark = [pytest.mark.interop, pytest.mark.timeout(400)]

ASK = {"question": QUESTION, "effort": "quick"}
LONGEST = 200
"""Seconds of one session."""

RUSSIAN = [
    ("Лёд легче воды, потому что его решётка занимает больше места. " * 8).strip() + f" Часть {i}." for i in range(76)
]
CHINESE = ["冰浮在水上，因为冰的密度比水小。" * 30 + f"第{i}段。" for i in range(80)]
"""About 39,000 characters each: 70 kB and 116 kB."""


@pytest.fixture(scope="session")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with both clients."""
    folder = installed_by_npm(tmp_path_factory.mktemp("people"), CLAUDE_CODE, CODEX)
    return folder / "node_modules" / ".bin"


class Session:
    """One session of a client, with a scripted model."""

    def __init__(self, programs: Path, home: Path, model: ScriptedModel, server_env: dict[str, str]) -> None:
        self.programs = programs
        self.home = home
        self.model = model
        self.server_env = {
            name: value
            for name, value in server_env.items()
            if name.startswith(("DEEPRESEARCH_", "SEARXNG_")) or name == "XDG_CONFIG_HOME"
        }
        # Clients hand their own key and address on to servers: ours would ask the scripted model too.
        self.server_env["DEEPRESEARCH_MODEL__USE"] = "extractive"
        (home / "work").mkdir(parents=True)

    async def run(self, command: list[str], env: dict[str, str]) -> list[str]:
        """What the tools said in it, as the client showed that to its model."""
        quiet = {"HOME": str(self.home), "PATH": f"{self.programs}:/usr/bin:/bin", "NO_PROXY": "127.0.0.1,localhost"}
        quiet |= {"HTTP_PROXY": NOWHERE, "HTTPS_PROXY": NOWHERE}
        with anyio.fail_after(LONGEST):
            done = await anyio.run_process(command, env=quiet | env, cwd=self.home / "work", check=False, input=b"")
        assert self.model.faults == []
        assert self.model.turns, done.stderr.decode()[-2000:] + done.stdout.decode()[-2000:]
        return [*self.model.turns[-1].results]

    async def claude(self, prompt: str = "Research.", waits: float | None = None, **server: str) -> list[str]:
        entry = {"type": "stdio", "command": SERVER[0], "args": SERVER[1:], "env": self.server_env | server}
        config = self.home / "mcp.json"
        config.write_text(json.dumps({"mcpServers": {"deepresearch": entry}}))
        env = {
            "ANTHROPIC_BASE_URL": self.model.base,
            "ANTHROPIC_API_KEY": "none",
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            "ENABLE_TOOL_SEARCH": "false",
        } | ({"MCP_TOOL_TIMEOUT": f"{waits * 1000:.0f}"} if waits else {})
        words = ["--strict-mcp-config", "--allowedTools", "mcp__deepresearch", "--output-format", "json"]
        return await self.run(["claude", "-p", prompt, "--mcp-config", str(config), *words], env)

    async def codex(self, model: str, waits: float = 60, **server: str) -> list[str]:
        folder = self.home / ".codex"
        folder.mkdir()
        lines = [
            f'model = "{model}"',
            'model_provider = "scripted"',
            # A busy machine is no failure.
            "mcp_optional_startup_grace_ms = 0",
            "[model_providers.scripted]",
            'name = "scripted"',
            f'base_url = "{self.model.base}/v1"',
            'wire_api = "responses"',
            'env_key = "SCRIPTED_KEY"',
            "[mcp_servers.deepresearch]",
            f"command = {json.dumps(SERVER[0])}",
            f"args = {json.dumps(SERVER[1:])}",
            f"tool_timeout_sec = {waits}",
            "startup_timeout_sec = 60",
            'default_tools_approval_mode = "approve"',
            "[mcp_servers.deepresearch.env]",
            *(f"{name} = {json.dumps(value)}" for name, value in (self.server_env | server).items()),
        ]
        (folder / "config.toml").write_text("\n".join(lines), encoding="utf-8")
        words = ["exec", "--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox", "--json", "Research."]
        return await self.run(["codex", *words], {"CODEX_HOME": str(folder), "SCRIPTED_KEY": "none"})


@pytest.fixture
def session(programs: Path, tmp_path: Path, server_env: dict[str, str]) -> Generator[Callable[[Script], Session]]:
    with scripted(lambda _: "That is all.") as model:

        def begin(script: Script) -> Session:
            model.script = script
            return Session(programs, tmp_path / "people", model, server_env)

        yield begin


def lost(results: list[str]) -> list[int]:
    """Which calls timed out."""
    return [number for number, text in enumerate(results) if re.search(r"timed out", text[:300])]


@pytest.mark.parametrize("lasts", [25.0])
async def test_claude_code_that_waits_five_seconds_loses_its_first_call_and_no_other(
    session: Callable[[Script], Session], slow_web: SmallWeb
) -> None:
    first = await session(following("deep_research", ASK)).claude(waits=5)

    assert lost(first) in ([], [0])
    assert len(first) > 4
    assert is_report(first[-1], slow_web)


@pytest.mark.parametrize("lasts", [80.0])
async def test_claude_code_that_waits_sixty_seconds_is_answered_in_time_by_a_run_of_eighty(
    session: Callable[[Script], Session], slow_web: SmallWeb
) -> None:
    results = await session(following("deep_research", ASK)).claude(waits=60)

    assert lost(results) == []
    assert len(results) == 2
    assert is_report(results[-1], slow_web)


@pytest.mark.parametrize("lasts", [15.0])
async def test_claude_code_is_answered_in_time_by_a_set_wait(
    session: Callable[[Script], Session], slow_web: SmallWeb
) -> None:
    begun = session(following("deep_research", ASK))
    results = await begun.claude(waits=10, DEEPRESEARCH_SERVER__WAIT_SECONDS="3")

    assert lost(results) == []
    assert is_report(results[-1], slow_web)


@pytest.mark.parametrize("lasts", [25.0])
async def test_codex_that_waits_five_seconds_loses_its_first_call_and_no_other(
    session: Callable[[Script], Session], slow_web: SmallWeb
) -> None:
    results = await session(following("deep_research", ASK)).codex("some-model", waits=5)

    assert lost(results) in ([], [0])
    assert is_report(results[-1].partition("Output:\n")[2], slow_web)


@pytest.mark.parametrize("lasts", [40.0])
async def test_the_code_mode_of_codex_pays_one_turn_for_each_wait(
    session: Callable[[Script], Session], slow_web: SmallWeb
) -> None:
    results = await session(following("deep_research", ASK)).codex("gpt-6-sol")

    assert [text for text in results if "Script running" in text] == []
    assert len(results) == 2
    assert is_report(results[-1], slow_web)


@pytest.mark.parametrize("lasts", [0.0])
@pytest.mark.parametrize("model", ["some-model", "gpt-6-sol"])
@pytest.mark.parametrize("text", [RUSSIAN, CHINESE], ids=["ru", "zh"])
async def test_codex_reads_a_long_page_whole(session: Callable[[Script], Session], model: str, text: list[str]) -> None:
    begun = session(lambda _: "")
    begun.model.pages["/long"] = f"<article><h1>Long</h1>{''.join(f'<p>{one}</p>' for one in text)}</article>"
    begun.model.script = following("fetch_url", {"url": f"{begun.model.base}/long", "limit": 40_000})
    allowed = begun.model.base.removeprefix("http://")

    results = await begun.codex(model, DEEPRESEARCH_WEB__ALLOW_PRIVATE=allowed)

    parts = [re.search(r"\n\n\[Characters [^\]]*\]\n(.*)\n\w+>>>", one, re.DOTALL) for one in results]
    read = "".join("".join(part.group(1) for part in parts if part).split())
    assert all(parts), [one[:200] for one in results]
    assert "".join("".join(text).split()) in read


@pytest.mark.parametrize("lasts", [0.0])
async def test_a_slash_prompt_of_several_words_asks_the_whole_question(
    session: Callable[[Script], Session], slow_web: SmallWeb
) -> None:
    def obeying(turn: Turn) -> Use | str:
        if turn.results:
            return "That is all."
        whole = re.search(r"<command-args>(.*?)</command-args>", turn.said, re.DOTALL)
        told = "between <command-args> and </command-args> in this same" in turn.said
        return Use("deep_research", ASK | {"question": whole.group(1).strip()}) if whole and told else "What?"

    results = await session(obeying).claude(f"/mcp__deepresearch__research {QUESTION}")

    assert is_report(results[-1], slow_web)
