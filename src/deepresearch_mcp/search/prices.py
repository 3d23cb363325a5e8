"""What one query to an engine costs, in USD: from the user's table, else from the vendors' own price lists."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

from deepresearch_mcp.settings.schema import SearchSettings


class Listed(NamedTuple):
    """A vendor's price of one query, as we send it."""

    usd: float
    seen: str
    """The day on which it was read."""
    source: str
    """Where it stands."""


LISTED: Final[Mapping[str, Listed]] = MappingProxyType(
    {
        "brave": Listed(0.005, "2026-11-22", "https://api-dashboard.search.brave.com/app/plans"),
        # A basic search is one credit; the dearest plan's credit, which is also what is paid beyond any plan.
        "tavily": Listed(0.008, "2026-11-22", "https://docs.tavily.com/documentation/api-credits"),
    }
)
"""Without what a vendor gives away each month: how much of that is left is known to the vendor alone."""


def price_of(engine: str, settings: SearchSettings) -> float:
    """USD for one query to an engine; 0 for one that is asked without a key and for those that are free."""
    if engine in settings.prices:
        return settings.prices[engine]
    if engine == "tavily" and settings.tavily_key is None:
        return 0.0
    return LISTED[engine].usd if engine in LISTED else 0.0
