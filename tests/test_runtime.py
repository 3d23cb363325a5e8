"""Settings become open parts; what could only fail later is refused."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from clocks import HandClock
from deepresearch_mcp.budget import Amount
from deepresearch_mcp.events import CeilingNear, Degraded, Event, Progress, Spent, Started
from deepresearch_mcp.exceptions import DeepResearchError, InvalidRequest, SettingsError, StoreError, UnknownCollection
from deepresearch_mcp.records.request import ResearchRequest
from deepresearch_mcp.runtime import Runtime, load_settings, open_runtime
from deepresearch_mcp.settings.schema import Settings
from deepresearch_mcp.system_clock import SystemClock


@asynccontextmanager
async def opened(home: Path, **groups: Any) -> AsyncGenerator[Runtime]:
    async with open_runtime(Settings.model_validate({"home": home} | groups), HandClock()) as runtime:
        yield runtime


def asked(**given: Any) -> ResearchRequest:
    return ResearchRequest.model_validate({"question": "Why does ice float?"} | given)


KEYED = {"openai_key": "k"}


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
        await runtime.store.collections.put("notes", "/notes", 0.0)

        await runtime.check(asked(collections=("notes",), web=False))
        with pytest.raises(UnknownCollection, match="'other'") as caught:
            await runtime.check(asked(collections=("other",), web=False))

    assert "There are: notes." in caught.value.action


@asynccontextmanager
async def session(runtime: Runtime, heard: list[Event], **given: Any) -> AsyncGenerator[Any]:
    request = asked(**given)
    await runtime.store.runs.create("r1", "local", request, "f", 0.0)
    async with runtime.research("r1", request, "", heard.append) as one:
        yield one


async def test_a_session_without_a_model_says_so(tmp_path: Path):
    heard: list[Event] = []
    async with opened(tmp_path) as runtime, session(runtime, heard) as one:
        provenance = await one.provenance()

    assert heard == [Started("Why does ice float?", "extractive", ("duckduckgo", "wikipedia"))]
    assert one.warnings == [
        "No language model wrote this report (because no model is configured): its sentences are the sources' own,"
        " chosen and ordered."
    ]
    assert (provenance.thinker, provenance.models) == ("extractive", ())
    assert provenance.engines == ("duckduckgo", "wikipedia")
    assert provenance.started == "2026-11-20T12:00:00.000+00:00"
    assert provenance.request["question"] == "Why does ice float?"


async def test_a_session_with_extractive_asked_for_says_that_it_was(tmp_path: Path):
    async with opened(tmp_path, model=KEYED) as runtime, session(runtime, [], model="extractive") as one:
        assert "(as asked for)" in one.warnings[0]


async def test_a_session_with_extractive_by_a_setting_says_that_it_was(tmp_path: Path):
    async with opened(tmp_path, model={**KEYED, "use": "extractive"}) as runtime, session(runtime, []) as one:
        assert "(as model.use says)" in one.warnings[0]


async def test_a_session_with_a_model_names_it_and_keeps_its_warnings_once(tmp_path: Path):
    heard: list[Event] = []
    async with opened(tmp_path, model=KEYED) as runtime:
        await runtime.store.collections.put("notes", "/notes", 0.0)
        async with session(runtime, heard, collections=("notes",)) as one:
            emit = one.research._parts.emit
            emit(Degraded("It went another way."))
            emit(Degraded("It went another way."))
            [nonce] = [row for row in await one.journal.rows() if row.key == "nonce"]

    assert one.thinker == "openai:gpt-6.1-terra and openai:gpt-6-luna"
    assert one.engines == ("local", "duckduckgo", "wikipedia")
    assert one.warnings == ["It went another way."]
    assert len(heard) == 2
    assert nonce.kind == "decision"


async def test_depth_zero_opens_no_engine(tmp_path: Path):
    async with (
        opened(tmp_path, search={"engines": ["brave"]}, model=KEYED) as runtime,
        session(runtime, [], depth=0) as one,
    ):
        assert one.engines == ()


async def test_what_is_spent_is_told_and_counted(tmp_path: Path):
    heard: list[Event] = []
    async with opened(tmp_path) as runtime, session(runtime, heard, max_searches=10) as one:
        one.ledger.reserve(Amount(searches=8)).settle(Amount(searches=8))
        runtime.clock.advance(2.5)
        metrics = one.metrics(Progress("r1", read=4))

    assert Spent(0.0, 0, 8, 0) in heard
    assert CeilingNear("max_searches", "warned") in heard
    assert (metrics.searches, metrics.pages, metrics.seconds) == (8, 4, 2.5)


async def test_runs_of_a_process_share_what_protects_an_engine(tmp_path: Path):
    async with opened(tmp_path) as runtime, session(runtime, []):
        before = dict(runtime._shared)
        await runtime.store.runs.create("r2", "local", asked(), "f", 0.0)
        async with runtime.research("r2", asked(), "", lambda event: None):
            assert runtime._shared == before
            assert set(before) == {"duckduckgo", "wikipedia"}


async def test_single_searches_get_engines_without_a_run(tmp_path: Path):
    async with opened(tmp_path) as runtime:
        assert [engine.name for engine in runtime.engines(("wikipedia",))] == ["wikipedia"]


def test_settings_that_are_wrong_are_told_as_our_own_error(tmp_path: Path):
    assert load_settings({"home": str(tmp_path)}).settings.home == tmp_path
    with pytest.raises(SettingsError, match="web"):
        load_settings({"web.timeout": "soon"})


async def test_time_is_the_systems_unless_a_clock_is_given(tmp_path: Path):
    async with open_runtime(Settings(home=tmp_path)) as runtime:
        assert isinstance(runtime.clock, SystemClock)


async def test_a_certificate_file_that_cannot_be_used_is_told(tmp_path: Path):
    ca = tmp_path / "secret-ca.pem"
    with pytest.raises(SettingsError, match=r"web\.ca_file"):
        async with opened(tmp_path / "home", web={"ca_file": str(ca)}):
            pass
    ca.write_text("no certificate")
    with pytest.raises(SettingsError, match=r"web\.ca_file"):
        async with opened(tmp_path / "home", web={"ca_file": str(ca)}):
            pass


async def test_a_private_authority_is_trusted(tmp_path: Path):
    import trustme

    ca = tmp_path / "ca.pem"
    trustme.CA().cert_pem.write_to_path(str(ca))
    async with opened(tmp_path / "home", web={"ca_file": str(ca), "proxy": "http://127.0.0.1:1"}) as runtime:
        assert runtime.http.timeout.read == runtime.settings.model.timeout


async def test_a_data_directory_that_cannot_be_used_is_told(tmp_path: Path):
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError):
        async with opened(tmp_path / "file" / "home"):
            pass


async def test_a_wrong_file_of_grades_is_refused_before_anything_is_started(tmp_path: Path):
    file = tmp_path / "grades.toml"
    file.write_text("weights.autority = 1\n")

    async with opened(tmp_path, research={"quality_file": str(file)}) as runtime:
        with pytest.raises(SettingsError, match=r"weights\.autority.*did you mean authority") as caught:
            await runtime.check(asked())

    assert caught.value.action == "Correct it there, or take it out."


async def test_a_research_grades_by_the_users_file(tmp_path: Path):
    file = tmp_path / "grades.toml"
    file.write_text('kinds.official.domains = ["mine.example"]\n')

    async with opened(tmp_path, research={"quality_file": str(file), "summary_tokens": 200}) as runtime:
        await runtime.check(asked())
        async with session(runtime, []) as one:
            assert "mine.example" in one.research.findings.scale.kinds["official"].domains
            assert runtime.scale() is one.research.findings.scale
            assert one.summary_tokens == 200


def tree(**settings: object) -> dict[str, Any]:
    """Groups of settings from dotted names written with two underscores."""
    groups: dict[str, Any] = {}
    for dotted, value in settings.items():
        group, name = dotted.split("__")
        groups.setdefault(group, {})[name] = value
    return groups


async def setup_with(home: Path, **settings: object) -> str:
    async with opened(home, **tree(**settings)) as runtime:
        return runtime.setup


@pytest.mark.parametrize(
    "changed",
    [
        {"web__user_agent": "deepresearch-server/99.0"},
        {"web__contact": "me@example.org"},
        {"web__workers": 4, "web__timeout": 30.0, "model__concurrency": 3, "search__timeout": 3.0},
        {"search__engines": ("auto",)},
        {"research__leads": 2},
        {"server__runs_at_once": 3},
    ],
)
async def test_settings_that_change_no_result_keep_the_setup_so_open_runs_are_adopted(
    tmp_path: Path, changed: dict[str, object]
):
    assert await setup_with(tmp_path, **changed) == await setup_with(tmp_path)


@pytest.mark.parametrize(
    "changed",
    [
        {"model__openai_key": "k"},
        {"model__use": "extractive"},
        {"search__engines": ("wikipedia",)},
        {"search__brave_key": "k"},
        {"web__robots": False},
        {"web__proxy": "http://proxy.example:3128"},
        {"research__leads": 3},
    ],
)
async def test_settings_that_change_results_or_credentials_change_the_setup(tmp_path: Path, changed: dict[str, object]):
    assert await setup_with(tmp_path, **changed) != await setup_with(tmp_path)


async def test_a_key_of_an_engine_that_is_not_asked_keeps_the_setup_and_one_that_is_asked_changes_it(tmp_path: Path):
    wikipedia = {"search__engines": ("wikipedia",)}
    brave = {"search__engines": ("brave",)}

    assert await setup_with(tmp_path, **wikipedia, search__brave_key="k") == await setup_with(tmp_path, **wikipedia)
    assert await setup_with(tmp_path, **brave, search__brave_key="one") != await setup_with(
        tmp_path, **brave, search__brave_key="other"
    )
    unknown = {"search__engines": ("altavista",)}
    assert await setup_with(tmp_path, **unknown) != await setup_with(tmp_path)
