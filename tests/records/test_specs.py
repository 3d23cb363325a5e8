import inspect
from collections import Counter
from typing import get_args
from urllib.parse import urlsplit

import pytest
from tests.search.conftest import HandClock, Service
from tests.search.opened_engines import opened

from deepresearch_mcp.adapters import adapter_at
from deepresearch_mcp.records.eval_specs import EVALS
from deepresearch_mcp.records.spec_types import (
    Basis,
    EngineSpec,
    EvalSpec,
    FormatSpec,
    KeySpec,
    PriceSpec,
    ProviderSpec,
    RateSpec,
)
from deepresearch_mcp.records.specs import (
    ENGINE_NAMES,
    ENGINES,
    FORMATS,
    PAGE,
    PROVIDERS,
    WEB_ENGINE_NAMES,
    joined_with_or,
)

SERVICES = (*ENGINES, *PROVIDERS)


@pytest.mark.parametrize("specs", [ENGINES, PROVIDERS, FORMATS, EVALS])
def test_no_two_of_a_kind_have_one_name(specs: tuple[EngineSpec | ProviderSpec | FormatSpec | EvalSpec, ...]) -> None:
    assert len({spec.name for spec in specs}) == len(specs)


def test_no_two_services_read_one_variable() -> None:
    variables = Counter(
        name
        for spec in SERVICES
        for given in (spec.key, spec.address, getattr(spec, "engine_id", None))
        if given
        for name in given.variables
    )

    assert [name for name, times in variables.items() if times > 1] == []


@pytest.mark.parametrize(
    ("room", "places"),
    [
        ("search", [spec.adapter for spec in ENGINES]),
        ("llm", [spec.adapter for spec in PROVIDERS]),
        ("viewer", [spec.writer for spec in FORMATS]),
        ("evals", [spec.measure for spec in EVALS]),
    ],
)
def test_what_a_spec_names_stands_in_the_room_of_its_kind(room: str, places: list[str]) -> None:
    for place in places:
        assert place.startswith(f"{room}."), place
        found = adapter_at(place)
        assert inspect.iscoroutinefunction(found) or callable(getattr(found, "from_parts", None)), place


def test_an_engine_has_the_name_of_its_spec() -> None:
    service, clock, address = Service(), HandClock(), {"searxng_url": "http://a.test"}
    made = [opened(spec.name, service, clock, **address) for spec in ENGINES]
    assert [one.name for one in made] == [spec.name for spec in ENGINES]


def test_texts_name_the_engines_first_that_ask_least_of_a_user() -> None:
    assert WEB_ENGINE_NAMES[:5] == ("duckduckgo", "wikipedia", "searxng", "tavily", "you")
    assert ENGINE_NAMES[-1] == "local"
    assert set(ENGINE_NAMES) == {spec.name for spec in ENGINES}


@pytest.mark.parametrize(
    ("spec", "demands"),
    [
        (EngineSpec(name="a", title="A", adapter=""), 0),
        (EngineSpec(name="a", title="A", adapter="", key=KeySpec(title="K", variables=("K",), optional=True)), 2),
        (EngineSpec(name="a", title="A", adapter="", key=KeySpec(title="K", variables=("K",))), 3),
    ],
)
def test_a_key_demands_more_than_one_that_may_be_left_out(spec: EngineSpec, demands: int) -> None:
    assert spec.demands == demands


def test_every_price_says_where_and_when_it_was_read() -> None:
    priced = [spec.price for spec in ENGINES if spec.price]

    assert priced
    assert all(urlsplit(price.source).scheme == "https" and price.seen >= "2026-11-22" for price in priced)


@pytest.mark.parametrize(
    "figure", [one for spec in ENGINES for one in (spec.price, spec.rate, spec.keyless_rate) if one], ids=repr
)
def test_a_figure_that_no_page_states_is_called_an_assumption(figure: PriceSpec | RateSpec) -> None:
    assert bool(figure.source) is bool(figure.seen)
    assert figure.source or figure.basis == "assumed"
    assert figure.basis in get_args(Basis)


def test_a_provider_with_a_key_has_a_model_for_each_tier() -> None:
    assert [spec.name for spec in PROVIDERS if spec.key and not (spec.fast and spec.smart)] == []


def test_no_two_formats_claim_one_suffix_and_one_of_them_is_a_page() -> None:
    suffixes = [suffix for spec in FORMATS for suffix in spec.suffixes]

    assert len(set(suffixes)) == len(suffixes)
    assert all(suffix.startswith(".") and suffix == suffix.lower() for suffix in suffixes)
    assert PAGE.name == "html"


@pytest.mark.parametrize(("names", "said"), [(["a"], "a"), (["a", "b"], "a or b"), (["a", "b", "c"], "a, b or c")])
def test_names_are_listed_as_a_sentence_has_them(names: list[str], said: str) -> None:
    assert joined_with_or(names) == said
