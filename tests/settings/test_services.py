from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest
from pydantic import SecretStr, ValidationError

from deepresearch_mcp.records.spec_types import AddressSpec, EngineIdSpec, EngineSpec, KeySpec, ProviderSpec, WiresSpec
from deepresearch_mcp.settings.reading import all_settings, read_settings, variable
from deepresearch_mcp.settings.schema import ModelSettings, SearchSettings, Settings
from deepresearch_mcp.settings.services import (
    VENDOR_NAMES,
    ServiceSettings,
    address_name,
    limits_told,
    vendor_names,
    with_engines,
    with_providers,
)

WRITTEN_DOWN = MappingProxyType(
    {
        "model.anthropic_key": ("ANTHROPIC_API_KEY",),
        "model.anthropic_base_url": ("ANTHROPIC_BASE_URL",),
        "model.openai_key": ("OPENAI_API_KEY",),
        "model.openai_base_url": ("OPENAI_BASE_URL",),
        "model.openai_api": (),
        "model.gemini_key": ("GEMINI_API_KEY", "GOOGLE_API_KEY"),
        "model.openrouter_key": ("OPENROUTER_API_KEY",),
        "model.ollama_base_url": (),
        "model.vllm_base_url": (),
        "model.lmstudio_base_url": (),
        "search.brave_key": ("BRAVE_API_KEY", "BRAVE_SEARCH_API_KEY"),
        "search.tavily_key": ("TAVILY_API_KEY",),
        "search.exa_key": ("EXA_API_KEY",),
        "search.serper_key": ("SERPER_API_KEY",),
        "search.serpapi_key": ("SERPAPI_API_KEY", "SERPAPI_KEY"),
        "search.google_key": ("GOOGLE_SEARCH_API_KEY", "GOOGLE_CSE_KEY"),
        "search.google_engine_id": ("GOOGLE_CSE_ID", "GOOGLE_CSE_CX"),
        "search.firecrawl_key": ("FIRECRAWL_API_KEY",),
        "search.jina_key": ("JINA_API_KEY",),
        "search.kagi_key": ("KAGI_API_KEY",),
        "search.you_key": ("YDC_API_KEY", "YOU_API_KEY"),
        "search.perplexity_key": ("PERPLEXITY_API_KEY",),
        "search.linkup_key": ("LINKUP_API_KEY",),
        "search.searxng_url": ("SEARXNG_URL",),
        "search.brave_base_url": (),
        "search.tavily_base_url": (),
    }
)
"""Names that users have in their files and shells: they are contracts, whatever the specs say."""

TOY = EngineSpec(
    name="toy",
    title="Toy",
    adapter="search.toy:Toy",
    key=KeySpec(title="Toy key", variables=("TOY_KEY", "OLD_TOY_KEY")),
    address=AddressSpec(default="https://toy.test", about="Another address for Toy's API."),
    at_once=2,
)
THINKER = ProviderSpec(
    name="toy",
    title="Toy",
    models="Toy",
    adapter="",
    package="toy",
    wires=WiresSpec(names=("new", "old"), about="Wire."),
)


@pytest.mark.parametrize("setting", WRITTEN_DOWN)
def test_a_setting_that_users_have_written_down_keeps_its_name_and_its_variables(setting: str, tmp_path: Path) -> None:
    assert VENDOR_NAMES.get(setting, ()) == WRITTEN_DOWN[setting]
    for name in (variable(setting), *WRITTEN_DOWN[setting]):
        given = "chat" if setting.endswith("_api") else "http://127.0.0.1:9" if setting.endswith("_url") else "sesame"
        value: Any = read_settings({}, env={name: given}, config_dir=tmp_path).settings
        for part in setting.split("."):
            value = getattr(value, part)
        assert (value.get_secret_value() if isinstance(value, SecretStr) else value) == given


def test_settings_stand_where_they_stood() -> None:
    made = [f"model.{name}" for name in ModelSettings.model_fields] + [
        f"search.{name}" for name in SearchSettings.model_fields
    ]

    assert [setting for setting in made if setting in WRITTEN_DOWN] == list(WRITTEN_DOWN)
    assert next(iter(SearchSettings.model_fields)) == "engines"


def test_an_engine_gets_its_settings_from_its_spec() -> None:
    made = with_engines(ServiceSettings, [TOY])

    assert list(made.model_fields) == ["toy_key", "toy_base_url"]
    assert made.model_fields["toy_key"].description == "Also TOY_KEY or OLD_TOY_KEY."
    assert made.model_fields["toy_base_url"].default == "https://toy.test"
    assert vendor_names("search", [TOY]) == {"search.toy_key": ("TOY_KEY", "OLD_TOY_KEY")}
    assert limits_told([TOY]) == "; at most 2 for toy"
    given = made.model_validate({"toy_key": "sesame", "toy_base_url": "http://127.0.0.1:9"})
    assert given.key("toy") == SecretStr("sesame")
    assert given.address("toy") == "http://127.0.0.1:9"


def test_an_engine_that_is_one_of_many_at_its_service_has_an_id() -> None:
    spec = TOY._replace(engine_id=EngineIdSpec(about="Its id.", title="Id", variables=("TOY_ID",)))
    made = with_engines(ServiceSettings, [spec])

    assert list(made.model_fields) == ["toy_key", "toy_engine_id", "toy_base_url"]
    assert made.model_fields["toy_engine_id"].description == "Its id. Also TOY_ID."
    assert vendor_names("search", [spec])["search.toy_engine_id"] == ("TOY_ID",)
    assert (made().engine_id("toy"), made.model_validate({"toy_engine_id": " x "}).engine_id("toy")) == ("", "x")


def test_an_instance_of_the_users_own_has_an_address_and_no_default() -> None:
    spec = EngineSpec(
        name="mine", title="M", adapter="", address=AddressSpec(about="Mine.", variables=("M_URL",), own=True)
    )
    made = with_engines(ServiceSettings, [spec])

    assert (address_name(spec), list(made.model_fields)) == ("mine_url", ["mine_url"])
    assert made.model_fields["mine_url"].description == "Mine. Also M_URL."
    assert made().address("mine") == ""


def test_a_provider_with_several_wires_lets_its_user_choose() -> None:
    made = with_providers(ServiceSettings, [THINKER])

    assert made().wire("toy") == ""
    assert made.model_validate({"toy_api": "old"}).wire("toy") == "old"
    with pytest.raises(ValidationError):
        made.model_validate({"toy_api": "other"})


def test_a_service_that_takes_nothing_has_nothing() -> None:
    search = Settings().search

    assert (search.key("wikipedia"), search.address("wikipedia"), search.wire("wikipedia")) == (None, "", "")
    assert not [setting for setting in all_settings() if "wikipedia" in setting]
