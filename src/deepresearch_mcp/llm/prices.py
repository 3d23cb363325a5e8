"""Prices of calls in USD, from the user's table or else the genai-prices list."""

from collections.abc import Collection, Mapping
from typing import Final

from anyio import to_thread

from deepresearch_mcp.ports.model import Role, Usage
from deepresearch_mcp.records.specs import PROVIDERS
from deepresearch_mcp.settings.schema import ModelPrice

LOCAL: Final = frozenset({*(spec.name for spec in PROVIDERS if not spec.key), "client"})
"""Providers that cost the user nothing: they run on the user's machines, or the MCP client pays."""
_LISTED_AS: Final = {spec.name: spec.listed_as for spec in PROVIDERS if spec.listed_as}


class Prices:
    """Prices by `PROVIDER:NAME`. An unknown price is None, never zero."""

    def __init__(self, overrides: Mapping[str, ModelPrice], free: Collection[str] = LOCAL) -> None:
        self._overrides = overrides
        self._free = frozenset(free)
        """Providers that cost nothing unless the user's table has a price."""

    async def load(self) -> None:
        """Load the built-in list in a thread; it takes half a second, which would block the event loop."""
        await to_thread.run_sync(_listed, "openai", "gpt-6-luna", Usage(1, 1))

    def usd(self, model: str, usage: Usage) -> float | None:
        """Return the price of a call, with cached tokens at their own price; None if the model is unknown."""
        if price := self._overrides.get(model):
            cached = min(usage.cached_tokens, usage.input_tokens)
            reading = price.cached_input if price.cached_input is not None else price.input
            whole = (usage.input_tokens - cached) * price.input + cached * reading + usage.output_tokens * price.output
            return whole / 1e6
        provider, _, name = model.partition(":")
        if provider in self._free:
            return 0.0
        return _listed(_LISTED_AS.get(provider, provider), name, usage)

    def upper(self, model: str, input_tokens: int, output_tokens: int) -> float | None:
        """Return the highest cost of a call of this size, its whole input written to the cache; None if unknown."""
        plain = self.usd(model, Usage(input_tokens, output_tokens))
        written = self.usd(model, Usage(input_tokens, output_tokens, cache_written_tokens=input_tokens))
        return None if plain is None or written is None else max(plain, written)


class RolePrices:
    """Prices of the models of a request, by role."""

    def __init__(self, roles: Mapping[Role, str], prices: Prices) -> None:
        self._roles = roles
        self._prices = prices

    def model(self, role: Role) -> str:
        """Return `PROVIDER:NAME`; empty if the role uses no model."""
        return self._roles.get(role, "")

    def usd(self, role: Role, sent: int, written: int) -> float | None:
        """Return the highest cost of `sent` input and `written` output tokens; None if the price is unknown."""
        name = self._roles.get(role)
        return self._prices.upper(name, sent, written) if name else 0.0


def _listed(provider: str, name: str, usage: Usage) -> float | None:
    import genai_prices

    cached = min(usage.cached_tokens, usage.input_tokens)
    counted = genai_prices.Usage(
        input_tokens=usage.input_tokens,
        output_tokens=usage.output_tokens,
        cache_read_tokens=cached,
        cache_write_tokens=min(usage.cache_written_tokens, usage.input_tokens - cached),
    )
    try:
        return float(genai_prices.calc_price(counted, name, provider_id=provider).total_price)
    except LookupError:
        return None
