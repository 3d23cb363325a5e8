from pathlib import Path
from typing import Any

import pytest

from clocks import HandClock
from deepresearch_mcp.exceptions import InvalidRequest, ProviderError, SettingsError, UnreadableAnswer
from deepresearch_mcp.records.sources import Query
from deepresearch_mcp.records.spec_types import RateSpec
from deepresearch_mcp.search import other_engines
from deepresearch_mcp.search.prices import price_of
from deepresearch_mcp.search.rates import rate_of
from deepresearch_mcp.search.registry import chosen, known, open_engines, spec_of
from deepresearch_mcp.settings.schema import SearchSettings
from extensions import install, install_example

CODE = """
from deepresearch_mcp.records.sources import Hit
from deepresearch_mcp.records.spec_types import EngineSpec, PriceSpec


class Odd:
    spec = EngineSpec("brave", "Odd", "search.engines.brave:Brave", price=PriceSpec(0.002, "2026-11-23", ""))

    @classmethod
    def from_parts(cls, parts):
        if parts.settings.timeout == 1:
            raise KeyError("sk-secret")
        return cls()

    async def search(self, query, *, needs=()):
        if query.text == "crash":
            raise ZeroDivisionError("sk-secret")
        if query.text == "wrong":
            return ["https://a.example/"]
        return [Hit(url="https://a.example/?token=sk", title="a\\n\\u202eb", engines=("brave",))] * 3


class NoEngine:
    pass
"""
POINTS = {
    "deepresearch_mcp.engines": {
        "odd": "odd_engine:Odd",
        "none": "odd_engine:NoEngine",
        "gone": "odd_engine:Gone",
        "brave": "odd_engine:Odd",
    }
}


@pytest.fixture
def odd(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(tmp_path, monkeypatch, "odd-package", POINTS, odd_engine=CODE)


def opened(service: Any, *names: str, **given: Any) -> Any:
    settings = SearchSettings.model_validate({"engines": names} | given)
    return open_engines(chosen(settings), settings, service.http, service, HandClock())[0]


async def test_the_example_s_engine_is_asked_by_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, service: Any
) -> None:
    install_example(tmp_path, monkeypatch)
    engine = opened(service, "handbook")

    [found] = await engine.search(Query("what does finally do"))

    assert (engine.name, found.engines) == ("handbook", ("handbook",))
    assert found.title.startswith("Compound statements")
    assert rate_of(spec_of("handbook"), SearchSettings()) == RateSpec(per_second=5)


@pytest.mark.usefixtures("odd")
async def test_what_it_returns_is_held_to_the_port(service: Any) -> None:
    engine = opened(service, "odd")

    first, _ = await engine.search(Query("ice", limit=2))

    assert (first.title, first.engines) == ("a b", ("odd",))
    assert "sk" not in first.url


@pytest.mark.usefixtures("odd")
@pytest.mark.parametrize(
    ("text", "kind", "said"),
    [
        ("crash", ProviderError, "odd: its package odd-package failed with ZeroDivisionError"),
        ("wrong", UnreadableAnswer, "not a list of hits"),
    ],
)
async def test_its_failures_are_failures_of_an_engine(service: Any, text: str, kind: type, said: str) -> None:
    with pytest.raises(kind, match=said) as caught:
        await opened(service, "odd").search(Query(text))

    assert "secret" not in str(caught.value)


@pytest.mark.usefixtures("odd")
@pytest.mark.parametrize(
    ("name", "given", "said"),
    [
        ("gone", {}, r"The package odd-package offers 'gone' for engines, but it cannot be loaded \(AttributeError\)"),
        ("none", {}, "but it is no engine"),
        ("odd", {"timeout": 1}, r"but it cannot be opened \(KeyError\)"),
    ],
)
def test_a_broken_one_is_told_in_one_sentence_that_names_its_package(
    service: Any, name: str, given: dict[str, Any], said: str
) -> None:
    with pytest.raises(SettingsError, match=said) as caught:
        opened(service, name, **given)

    assert "Update or remove odd-package" in str(caught.value)
    assert "secret" not in str(caught.value)


@pytest.mark.usefixtures("odd")
def test_a_built_in_name_cannot_be_taken_over(service: Any) -> None:
    assert opened(service, "brave", brave_key="k")._engine.__class__.__name__ == "Brave"
    assert spec_of("odd").name == "odd"
    assert spec_of("odd").adapter == ""


@pytest.mark.usefixtures("odd")
def test_prices_and_rates_hold_for_it_too(service: Any) -> None:
    assert price_of("odd", SearchSettings()) == 0.002
    assert price_of("odd", SearchSettings(prices={"odd": 0.5})) == 0.5
    assert price_of("earlier", SearchSettings()) == 0.0


def test_a_request_can_name_a_tool_of_a_server_only_if_the_settings_do() -> None:
    named = SearchSettings(engines=("mcp:server sk-secret#search",))

    assert known(["mcp:server#search"], named) == chosen(named) == ("mcp:server#search",)
    for wanted, settings in (("mcp:server#search", SearchSettings()), ("mcp:server sk-secret#search", named)):
        with pytest.raises(InvalidRequest, match="no search engine"):
            known([wanted], settings)
    assert other_engines.names(named) == ("mcp:server#search",)
