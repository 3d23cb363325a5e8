import sys
from types import ModuleType
from typing import Any

import httpx2
import pytest
from pydantic import SecretStr
from tests.llm.scripted import call

from deepresearch_mcp.exceptions import DeepResearchError, InvalidRequest, ProviderError, SettingsError
from deepresearch_mcp.llm.anthropic import Anthropic
from deepresearch_mcp.llm.openai import OpenAI
from deepresearch_mcp.llm.registry import (
    PROVIDERS,
    ROLES,
    TIERS,
    configured,
    fallbacks,
    is_address,
    is_private,
    open_model,
    open_prices,
    parse_name,
    tiers,
)
from deepresearch_mcp.ports.model import Usage
from deepresearch_mcp.settings.schema import ModelSettings

KEY = SecretStr("sk-1")


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("openai:gpt-6-luna", ("openai", "gpt-6-luna")),
        ("ollama:llama4:8b", ("ollama", "llama4:8b")),
        (" openrouter:anthropic/claude-haiku-5.5 ", ("openrouter", "anthropic/claude-haiku-5.5")),
    ],
)
def test_a_name_is_a_provider_and_a_model(text: str, parts: tuple[str, str]) -> None:
    assert parse_name(text) == parts


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("gpt-6-luna", f"the providers are {', '.join(PROVIDERS)}"),
        ("mistral:large", "names no model provider"),
        ("", "names no model provider"),
        ("openai:", "as openai:gpt-6-luna"),
        ("ollama", "as ollama:"),
        ("openai:two words", "names no model"),
    ],
)
def test_a_wrong_name_is_told_with_the_right_ones(text: str, told: str) -> None:
    with pytest.raises(InvalidRequest, match=told):
        parse_name(text)


@pytest.mark.parametrize(
    ("settings", "provider"),
    [
        (ModelSettings(), None),
        (ModelSettings(openai_key=SecretStr(" ")), None),
        (ModelSettings(openrouter_key=KEY, gemini_key=KEY), "gemini"),
        (ModelSettings(openai_key=KEY, anthropic_key=KEY), "anthropic"),
        (ModelSettings(fast="ollama:a", smart="vllm:b", openai_key=KEY), "vllm"),
        (ModelSettings(fast="ollama:a"), None),
    ],
)
def test_auto_means_the_tiers_named_or_the_first_provider_with_a_key(
    settings: ModelSettings, provider: str | None
) -> None:
    assert configured(settings) == provider


def test_each_role_has_the_model_of_its_tier() -> None:
    chosen = tiers("auto", ModelSettings(anthropic_key=KEY))

    assert set(chosen) == set(ROLES) == set(TIERS)
    assert {role for role, name in chosen.items() if name == "anthropic:claude-sonnet-5-5"} == {
        "planner",
        "writer",
        "critic",
    }
    assert chosen["reader"] == "anthropic:claude-haiku-5-5"


def test_a_model_asked_for_plays_every_role() -> None:
    assert set(tiers("openai:gpt-6-luna", ModelSettings()).values()) == {"openai:gpt-6-luna"}


CONFIGURED: dict[str, Any] = {
    "fast": "vllm:small",
    "smart": "vllm:large",
    "roles": {"critic": "fast", "verifier": "ollama:judge", "analyst": "smart"},
}


@pytest.mark.parametrize("use", ["auto", "openai:gpt-6-luna"])
def test_under_auto_tiers_and_roles_of_the_settings_hold(use: str) -> None:
    chosen = tiers("auto", ModelSettings(use=use, **CONFIGURED))

    assert chosen["reader"] == chosen["critic"] == "vllm:small"
    assert chosen["writer"] == chosen["analyst"] == "vllm:large"
    assert chosen["verifier"] == "ollama:judge"


@pytest.mark.parametrize(
    "settings",
    [
        {"fast": "vllm:small"},
        {"smart": "vllm:large"},
        {"roles": CONFIGURED["roles"]},
        {"use": "ollama:other", "anthropic_key": KEY},
        CONFIGURED | {"use": "ollama:other"},
    ],
)
def test_no_setting_stands_over_a_model_that_was_asked_for(settings: dict[str, Any]) -> None:
    assert tiers("openai:gpt-6-luna", ModelSettings(**settings)) == dict.fromkeys(ROLES, "openai:gpt-6-luna")


def test_auto_without_any_key_says_what_to_set() -> None:
    with pytest.raises(SettingsError, match=r"Set one of ANTHROPIC_API_KEY, OPENAI_API_KEY, .*, or use extractive"):
        tiers("auto", ModelSettings())


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        (ModelSettings(use="nobody:x"), "model.use"),
        (ModelSettings(openai_key=KEY, fast="nobody:x"), "model.fast"),
        (ModelSettings(openai_key=KEY, smart="x"), "model.smart"),
        (ModelSettings(openai_key=KEY, roles={"critic": "nobody:x"}), "model.roles.critic"),
        (ModelSettings(openai_key=KEY, roles={"cook": "fast"}), "'cook', which is no role. The roles are planner"),
    ],
)
def test_a_wrong_setting_is_named(settings: ModelSettings, told: str) -> None:
    with pytest.raises(SettingsError, match=told):
        tiers("auto", settings)


def test_fallbacks_are_checked_before_they_are_needed() -> None:
    assert fallbacks(ModelSettings(fallbacks=("openai:a", "ollama:b:c"))) == ("openai:a", "ollama:b:c")
    with pytest.raises(SettingsError, match=r"model\.fallbacks"):
        fallbacks(ModelSettings(fallbacks=("nobody:x",)))


@pytest.mark.parametrize(
    ("name", "variable"),
    [
        ("anthropic:claude-haiku-5-5", "ANTHROPIC_API_KEY"),
        ("openai:gpt-6-luna", "OPENAI_API_KEY"),
        ("gemini:gemini-3.8-flash", "GEMINI_API_KEY"),
        ("openrouter:openai/gpt-6-luna", "OPENROUTER_API_KEY"),
    ],
)
async def test_a_missing_key_is_told_by_the_variable_that_mends_it(name: str, variable: str) -> None:
    async with httpx2.AsyncClient() as http:
        with pytest.raises(SettingsError, match=f"{name} needs a key, and there is none. Set {variable}"):
            open_model(name, ModelSettings(), http)


@pytest.mark.parametrize("name", ["openai:m", "ollama:m"])
async def test_an_address_that_is_none_is_told_by_its_setting_and_not_repeated(name: str) -> None:
    setting = f"{name.partition(':')[0]}_base_url"
    settings = ModelSettings.model_validate({"openai_key": KEY, setting: "me:secret@gpu.example/v1"})

    async with httpx2.AsyncClient() as http:
        with pytest.raises(
            SettingsError, match=f"model.{setting} is not a valid address. Set .*BASE_URL to one that"
        ) as caught:
            open_model(name, settings, http)

    assert "secret" not in str(caught.value)


async def test_a_model_whose_package_is_missing_is_refused_with_the_line_that_installs_it() -> None:
    module = ModuleType("openai")
    module.__spec__ = None  # As a package that was taken out leaves it.
    kept = sys.modules.get("openai")
    sys.modules["openai"] = module
    try:
        async with httpx2.AsyncClient() as http:
            with pytest.raises(SettingsError, match=r"ollama:m needs the Python package .openai..* pip install openai"):
                open_model("ollama:m", ModelSettings(), http)
    finally:
        del sys.modules["openai"]
        if kept:
            sys.modules["openai"] = kept


@pytest.mark.parametrize(
    ("name", "settings", "kind", "url"),
    [
        ("anthropic:m", {"anthropic_key": KEY}, Anthropic, "https://api.anthropic.com/v1/messages"),
        ("anthropic:m", {"anthropic_base_url": "http://127.0.0.1:9"}, Anthropic, "http://127.0.0.1:9/v1/messages"),
        ("openai:m", {"openai_key": KEY}, OpenAI, "https://api.openai.com/v1/responses"),
        ("openai:m", {"openai_key": KEY, "openai_api": "chat"}, OpenAI, "https://api.openai.com/v1/chat/completions"),
        ("openai:m", {"openai_base_url": "http://localhost:9/v1"}, OpenAI, "http://localhost:9/v1/chat/completions"),
        (
            "openai:m",
            {"openai_base_url": "http://localhost:9/v1", "openai_api": "responses"},
            OpenAI,
            "http://localhost:9/v1/responses",
        ),
        (
            "gemini:m",
            {"gemini_key": KEY, "openai_api": "responses"},
            OpenAI,
            "https://generativelanguage.googleapis.com/v1beta/openai/chat/completions",
        ),
        ("openrouter:a/m", {"openrouter_key": KEY}, OpenAI, "https://openrouter.ai/api/v1/chat/completions"),
        ("ollama:m", {}, OpenAI, "http://127.0.0.1:11434/v1/chat/completions"),
        ("vllm:m", {"vllm_base_url": "https://gpu.example.org/v1"}, OpenAI, "https://gpu.example.org/v1/chat/completions"),
        ("lmstudio:m", {}, OpenAI, "http://127.0.0.1:1234/v1/chat/completions"),
    ],
)  # fmt: skip
async def test_each_provider_is_asked_at_its_address(
    name: str, settings: dict[str, object], kind: type, url: str
) -> None:
    seen: list[str] = []

    def refuse(request: httpx2.Request) -> httpx2.Response:
        seen.append(str(request.url))
        return httpx2.Response(401, json={})

    async with httpx2.AsyncClient(transport=httpx2.MockTransport(refuse)) as http:
        model = open_model(name, ModelSettings.model_validate(settings), http)
        with pytest.raises(ProviderError):
            await model.answer(call())

    assert isinstance(model, kind)
    assert model.name == name
    assert seen == [url]


async def test_an_address_that_can_be_set_is_named_where_nothing_answers() -> None:
    def refuse(request: httpx2.Request) -> httpx2.Response:
        raise httpx2.ConnectError("", request=request)

    async with httpx2.AsyncClient(transport=httpx2.MockTransport(refuse)) as http:
        for name, variable in (("ollama:m", "DEEPRESEARCH_MODEL__OLLAMA_BASE_URL"), ("openai:m", "OPENAI_BASE_URL")):
            model = open_model(name, ModelSettings(openai_key=KEY), http)
            with pytest.raises(ProviderError, match=variable):
                await model.answer(call())


async def test_a_name_of_no_provider_opens_nothing() -> None:
    async with httpx2.AsyncClient() as http:
        with pytest.raises(DeepResearchError):
            open_model("extractive", ModelSettings(), http)


def test_every_default_model_has_a_price() -> None:
    prices = open_prices(ModelSettings())

    for provider in PROVIDERS.values():
        for model in filter(None, (provider.fast, provider.smart)):
            assert prices.usd(f"{provider.name}:{model}", Usage(1000, 1000)), model


def test_what_runs_on_ones_own_machines_costs_nothing() -> None:
    prices = open_prices(ModelSettings(openai_base_url="http://gpu-box:8000/v1", openai_key=KEY))

    assert prices.usd("openai:gpt-6-luna", Usage(1000, 10)) == 0
    assert prices.usd("ollama:anything", Usage(1000, 10)) == 0
    assert prices.usd("anthropic:claude-haiku-5-5", Usage(1000, 10))


def test_a_wrong_name_is_not_repeated_at_length() -> None:
    for wrong in ("x" * 100_000, "openai:" + "x y" * 100_000):
        with pytest.raises(InvalidRequest) as refused:
            parse_name(wrong)
        assert len(refused.value.message) < 100


@pytest.mark.parametrize(
    ("address", "private"),
    [
        ("http://127.0.0.1:11434/v1", True),
        ("http://localhost:1234/v1", True),
        ("http://[::1]:8000/v1", True),
        ("http://192.168.1.20/v1", True),
        ("http://10.0.0.7/v1", True),
        ("http://169.254.1.1/v1", True),
        ("http://gpu-box:8000/v1", True),
        ("http://llm.internal/v1", True),
        ("http://llm.local./v1", True),
        ("https://api.openai.com/v1", False),
        ("http://8.8.8.8/v1", False),
        ("https://127.0.0.1.example.org/v1", False),
        ("", False),
        ("http://host:port/v1", False),
    ],
)
def test_an_address_of_this_machine_or_network_is_private(address: str, private: bool) -> None:
    assert is_private(address) is private


@pytest.mark.parametrize(
    ("address", "there"),
    [
        ("https://api.openai.com/v1", True),
        ("http://[::1]:8000/v1", True),
        ("127.0.0.1/v1", False),
        ("localhost:11434", False),
        ("ftp://models.example/v1", False),
        ("http:///v1", False),
        ("http://host:port/v1", False),
    ],
)
def test_a_service_can_be_asked_over_http_at_a_host_alone(address: str, there: bool) -> None:
    assert is_address(address) is there
