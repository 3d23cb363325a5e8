from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deepresearch_mcp.settings.reading import describe, read_settings
from deepresearch_mcp.settings.schema import SearchSettings
from deepresearch_mcp.settings.tool_engines import tool_engines, without_servers


@pytest.mark.parametrize(
    ("entry", "name", "words"),
    [
        ("mcp:python /srv/notes.py --key sk#search", "mcp:notes.py#search", ["python", "/srv/notes.py", "--key", "sk"]),
        ("mcp:npx -y @scope/search-server#web", "mcp:search-server#web", ["npx", "-y", "@scope/search-server"]),
        ("mcp:env KEY=sk uvx pages#find.all", "mcp:pages#find.all", ["env", "KEY=sk", "uvx", "pages"]),
        ("mcp:python -m pages.server#s", "mcp:pages.server#s", ["python", "-m", "pages.server"]),
        ("mcp:python#s", "mcp:server#s", ["python"]),
        ("mcp:https://u:sk@h.example:8443/mcp?key=sk#x#search", "mcp:h.example#search", []),
    ],
)
def test_an_entry_is_named_by_its_program_or_host_and_tool(entry: str, name: str, words: list[str]) -> None:
    [tool] = tool_engines(["brave", entry, entry]).values()

    assert (tool.name, tool.command) == (name, words)


def test_equal_names_are_numbered() -> None:
    found = tool_engines(["mcp:a --one#t", "mcp:a --two#t", "mcp:a --two#u"])

    assert [tool.name for tool in found.values()] == ["mcp:a#t", "mcp:a#t~2", "mcp:a#u"]


@pytest.mark.parametrize("entry", ["mcp:", "mcp:server sk-secret", "mcp:#t", "mcp:a sk-secret#a tool", "mcp:http://#t"])
def test_an_entry_that_names_no_tool_is_refused_when_settings_are_read_and_not_repeated(entry: str) -> None:
    with pytest.raises(ValueError, match=r"search\.engines") as caught:
        read_settings({"search.engines": [entry]}, env={})

    assert "mcp:COMMAND#TOOL" in str(caught.value)
    assert "secret" not in str(caught.value)


def test_commands_and_addresses_are_not_shown() -> None:
    loaded = read_settings({"search.engines": ["mcp:a sk-1#t", "mcp:https://h/?k=sk-2#u", "brave"]}, env={})
    [shown] = [row.value for row in describe(loaded) if row.setting == "search.engines"]

    assert shown == "mcp:…#t, mcp:…#u, brave"


def test_an_env_file_starts_no_programs(tmp_path: Path) -> None:
    file = tmp_path / ".env"
    file.write_text("DEEPRESEARCH_SEARCH__ENGINES=brave,mcp:rm -rf x#t\nDEEPRESEARCH_SEARCH__TIMEOUT=3\n")

    loaded = read_settings(env={"DEEPRESEARCH_ENV_FILE": str(file)})

    assert (loaded.settings.search.engines, loaded.settings.search.timeout) == (("auto",), 3)
    assert any("DEEPRESEARCH_SEARCH__ENGINES" in note for note in loaded.notes)


@given(st.text())
def test_nothing_of_a_server_is_left_in_a_masked_text(command: str) -> None:
    masked = without_servers(f"brave, mcp:{command.replace('#', '')}#tool, tavily")

    assert masked == "brave, mcp:…#tool, tavily"


def test_prices_and_rates_may_name_tools() -> None:
    settings = SearchSettings(prices={"mcp:a#t": 0.01}, rates={"mcp:a#t": 3})

    assert (settings.prices["mcp:a#t"], settings.rates["mcp:a#t"]) == (0.01, 3)
