"""What could only fail later is refused before a run starts."""

from pathlib import Path
from typing import Any

import pytest

from deepresearch_mcp.exceptions import (
    DeepResearchError,
    InvalidRequest,
    SettingsError,
    TooManyWaiting,
    UnknownCollection,
)
from deepresearch_mcp.records.principal import LOCAL_CALLER
from runtime_fakes import KEYED, asked, opened


@pytest.mark.parametrize(
    ("groups", "given", "error", "said"),
    [
        ({}, {"collections": ("notes",)}, UnknownCollection, "no collection 'notes'"),
        ({}, {"model": "nobody:x"}, InvalidRequest, "'nobody:x' names no model provider"),
        ({}, {"model": "openai:x"}, SettingsError, "needs a key"),
        ({}, {"depth": 0}, InvalidRequest, "depth=0"),
        ({"search": {"engines": ["altavista"]}}, {}, InvalidRequest, "altavista"),
        ({"search": {"engines": ["brave"]}}, {}, SettingsError, "Brave needs a key"),
        ({"search": {"engines": ["local"]}}, {}, InvalidRequest, "No search engine"),
        ({"model": {"roles": {"cook": "smart"}} | KEYED}, {}, SettingsError, "cook"),
        ({"model": {"fallbacks": ["openai:y"]} | KEYED}, {"model": "gemini:x"}, SettingsError, "gemini:x needs a key"),
        ({"model": {"fallbacks": ["gemini:y"]} | KEYED}, {"model": "openai:x"}, SettingsError, "gemini:y needs a key"),
        ({"model": KEYED}, {"model": "openai:made-up", "max_usd": 1}, InvalidRequest, "price of openai:made-up"),
        (
            {"model": {"fallbacks": ["openai:made-up"], "prices": {"openai:x": {"input": 1, "output": 2}}} | KEYED},
            {"model": "openai:x", "max_usd": 1},
            InvalidRequest,
            "price of openai:made-up",
        ),
    ],
)
async def test_what_could_only_fail_later_is_refused(
    tmp_path: Path, groups: dict[str, Any], given: dict[str, Any], error: type[DeepResearchError], said: str
):
    async with opened(tmp_path, **groups) as runtime:
        with pytest.raises(error, match=said) as caught:
            await runtime.check(asked(**given))
    assert caught.value.action


@pytest.mark.parametrize(
    ("groups", "given"),
    [
        ({}, {}),
        ({"search": {"engines": ["brave"]}, "model": KEYED}, {"depth": 0, "model": "openai:x"}),
        ({"model": KEYED}, {"model": "openai:made-up"}),
        ({"model": {"prices": {"openai:x": {"input": 1, "output": 2}}} | KEYED}, {"model": "openai:x", "max_usd": 1}),
        ({}, {"model": "ollama:llama4", "max_usd": 0}),
    ],
)
async def test_what_can_be_done_passes(tmp_path: Path, groups: dict[str, Any], given: dict[str, Any]):
    async with opened(tmp_path, **groups) as runtime:
        await runtime.check(asked(**given))


async def test_collections_alone_need_no_engine_of_the_web(tmp_path: Path):
    async with opened(tmp_path, search={"engines": ["brave"]}) as runtime:
        await runtime.store.collections.of(LOCAL_CALLER).put("notes", "/notes", 0.0)

        await runtime.check(asked(collections=("notes",), web=False), LOCAL_CALLER)
        with pytest.raises(UnknownCollection, match="'other'") as caught:
            await runtime.check(asked(collections=("other",), web=False), LOCAL_CALLER)

    assert "There are: notes." in caught.value.action


async def test_a_wrong_file_of_grades_is_refused_before_anything_is_started(tmp_path: Path):
    file = tmp_path / "grades.toml"
    file.write_text("weights.autority = 1\n")

    async with opened(tmp_path, research={"quality_file": str(file)}) as runtime:
        with pytest.raises(SettingsError, match=r"weights\.autority.*did you mean authority") as caught:
            await runtime.check(asked())

    assert caught.value.action == "Correct it there, or remove it."


async def test_a_caller_over_http_fills_no_queue_with_runs_beyond_a_limit(tmp_path: Path):
    async with opened(tmp_path, limits={"waiting_per_caller": 2}) as runtime:
        for caller in ("token:1", LOCAL_CALLER):
            for number in range(2):
                name = f"{caller[0]}{number}"
                await runtime.store.runs.create(name, caller, asked(), "f", 1.0, setup="another", queued=True)
        with pytest.raises(TooManyWaiting, match=r"2 of your runs wait.*waiting_per_caller") as caught:
            await runtime.check(asked(), "token:1")
        await runtime.check(asked(), "token:2")
        await runtime.check(asked(), LOCAL_CALLER)
        await runtime.estimate(asked(), "token:1")
        await runtime.store.runs.request_cancel("t0", 2.0)
        await runtime.check(asked(), "token:1")

    assert caught.value.action


@pytest.mark.parametrize("given", [{"profile": "../../etc/passwd"}, {"template": "nowhere"}, {"collections": ("no",)}])
async def test_what_would_be_refused_is_not_estimated_either(tmp_path: Path, given: dict[str, Any]):
    async with opened(tmp_path) as runtime:
        with pytest.raises(DeepResearchError) as refused:
            await runtime.check(asked(**given))
        with pytest.raises(type(refused.value)) as caught:
            await runtime.estimate(asked(**given))

    assert str(caught.value) == str(refused.value)
