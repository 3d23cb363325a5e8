"""Prices of one query in USD, from the user's table or else the vendors' price lists."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from deepresearch_mcp.records.spec_types import PriceSpec
from deepresearch_mcp.records.specs import ENGINES
from deepresearch_mcp.search import other_engines
from deepresearch_mcp.settings.schema import SearchSettings

LISTED: Final[Mapping[str, PriceSpec]] = MappingProxyType({spec.name: spec.price for spec in ENGINES if spec.price})
"""List prices. Free monthly queries are ignored, because only the vendor knows how many are left."""
_KEYLESS: Final = frozenset(spec.name for spec in ENGINES if spec.key and spec.key.optional)


def price_of(engine: str, settings: SearchSettings) -> float:
    """Return the price of one query in USD; 0 for a free engine and for one that is used without its optional key."""
    if engine in settings.prices:
        return settings.prices[engine]
    if engine in _KEYLESS and settings.key(engine) is None:
        return 0.0
    if engine in other_engines.names(settings):
        price = other_engines.spec_of(engine).price
        return price.usd if price else 0.0
    return LISTED[engine].usd if engine in LISTED else 0.0
