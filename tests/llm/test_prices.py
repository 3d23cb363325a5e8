import pytest
from hypothesis import given
from hypothesis import strategies as st

from deepresearch_mcp.llm.prices import Prices, RolePrices
from deepresearch_mcp.ports.model import Usage
from deepresearch_mcp.settings.schema import ModelPrice

TABLE = {
    "openai:mine": ModelPrice(input=2, output=10, cached_input=0.5),
    "openai:plain": ModelPrice(input=2, output=10),
    "ollama:paid": ModelPrice(input=1, output=1),
}


@pytest.mark.parametrize(
    ("model", "usage", "usd"),
    [
        ("openai:mine", Usage(1_000_000, 100_000, cached_tokens=600_000), 0.8 + 0.3 + 1.0),
        ("openai:plain", Usage(1_000_000, 100_000, cached_tokens=600_000), 3.0),
        ("openai:mine", Usage(10, 0, cached_tokens=1_000_000), 10 * 0.5 / 1e6),
        ("ollama:paid", Usage(1_000_000, 0), 1.0),
        ("ollama:llama4", Usage(1_000_000, 1_000_000), 0.0),
        ("openai:no-such-model", Usage(1, 1), None),
        ("nobody:gpt-6-luna", Usage(1, 1), None),
        ("anthropic:claude-haiku-5-5", Usage(10_000, 1_000, 4_000, 2_000), 0.0004 + 0.00004 + 0.00025 + 0.0005),
        ("openai:gpt-6-luna", Usage(10_000, 1_000), 0.001 + 0.0005),
    ],
)
def test_a_call_costs_what_the_table_or_else_the_list_says(model: str, usage: Usage, usd: float | None) -> None:
    assert Prices(TABLE).usd(model, usage) == (None if usd is None else pytest.approx(usd))


@pytest.mark.parametrize("model", ["gemini:gemini-3.8-flash", "openrouter:anthropic/claude-haiku-5.5"])
def test_models_behind_other_providers_are_known(model: str) -> None:
    assert (Prices({}).usd(model, Usage(1000, 10)) or 0) > 0


def test_a_provider_said_to_be_free_costs_nothing() -> None:
    assert Prices({}, {"openai"}).usd("openai:anything", Usage(1000, 10)) == 0.0


def test_counts_that_contradict_each_other_still_have_a_price() -> None:
    assert Prices({}).usd("anthropic:claude-haiku-5-5", Usage(100, 0, cached_tokens=90, cache_written_tokens=80))


@given(st.integers(0, 500_000), st.integers(0, 50_000), st.floats(0, 1), st.floats(0, 1))
def test_no_call_costs_more_than_its_upper_bound(sent: int, written: int, cached: float, stored: float) -> None:
    prices, model = Prices({}), "anthropic:claude-haiku-5-5"
    from_cache = int(sent * cached)
    usage = Usage(sent, written, from_cache, int((sent - from_cache) * stored))

    assert (prices.usd(model, usage) or 0) <= (prices.upper(model, sent, written) or 0) + 1e-12


def test_an_unknown_price_has_no_upper_bound() -> None:
    assert Prices({}).upper("openai:no-such-model", 1, 1) is None


async def test_the_list_is_read_off_the_loop() -> None:
    prices = Prices({})

    await prices.load()

    assert prices.upper("openai:gpt-6-luna", 1000, 10)


def test_each_role_has_the_price_of_its_model() -> None:
    prices = RolePrices({"reader": "openai:mine", "writer": "nobody:x"}, Prices(TABLE))

    assert prices.usd("reader", 1_000_000, 0) == pytest.approx(2)
    assert prices.usd("writer", 1, 1) is None
    assert prices.usd("critic", 1, 1) == 0.0
    assert (prices.model("reader"), prices.model("critic")) == ("openai:mine", "")
