"""The web search engines, as data. To add one: its adapter below `search/engines/`, its test, its entry here."""

from typing import Final

from deepresearch_mcp.records.spec_types import AddressSpec, EngineSpec, KeySpec, PriceSpec

WEB_ENGINES: Final = (
    EngineSpec(
        name="brave",
        title="Brave",
        adapter="search.engines.brave:Brave",
        key=KeySpec(title="Brave Search key", variables=("BRAVE_API_KEY", "BRAVE_SEARCH_API_KEY")),
        address=AddressSpec(default="https://api.search.brave.com", about="Another address for Brave's API."),
        price=PriceSpec(usd=0.005, seen="2026-11-22", source="https://api-dashboard.search.brave.com/app/plans"),
        filters=("domains", "dates", "language", "region"),
    ),
    EngineSpec(
        name="tavily",
        title="Tavily",
        adapter="search.engines.tavily:Tavily",
        key=KeySpec(title="Tavily key", variables=("TAVILY_API_KEY",), optional=True),
        address=AddressSpec(default="https://api.tavily.com", about="Another address for Tavily's API."),
        # A basic search costs one credit. This is the highest price of a credit, which also applies beyond any plan.
        price=PriceSpec(usd=0.008, seen="2026-11-22", source="https://docs.tavily.com/documentation/api-credits"),
        filters=("domains", "dates", "region"),
    ),
    EngineSpec(
        name="searxng",
        title="SearXNG",
        adapter="search.engines.searxng:SearXNG",
        address=AddressSpec(
            about="Base address of a SearXNG instance.",
            title="Address of a SearXNG instance",
            purpose="Searches with this SearXNG instance as well.",
            variables=("SEARXNG_URL",),
            own=True,
        ),
        filters=("domains", "dates", "language", "region"),
    ),
    EngineSpec(
        name="duckduckgo",
        title="DuckDuckGo",
        adapter="search.engines.duckduckgo:DuckDuckGo",
        filters=("domains", "dates", "language", "region"),
        # We have no contract with DuckDuckGo, and it stops answering if it gets more at once.
        at_once=3,
    ),
)
"""In the order in which `auto` asks the engines that are set up."""
