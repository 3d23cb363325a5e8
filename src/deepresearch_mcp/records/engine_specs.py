"""The web search engines, as data. To add one: its adapter below `search/engines/`, its test, its entry here."""

from typing import Final

from deepresearch_mcp.records.spec_types import AddressSpec, EngineIdSpec, EngineSpec, KeySpec, PriceSpec, RateSpec

_JINA: Final = "https://jina.ai/en-US/api-dashboard/rate-limit/"
_COPIES: Final = "https://raw.githubusercontent.com/api-evangelist/serper/refs/heads/main"
"""A third party's copies of what the vendor's page stated."""

WEB_ENGINES: Final = (
    EngineSpec(
        name="brave",
        title="Brave",
        adapter="search.engines.brave:Brave",
        key=KeySpec(title="Brave Search key", variables=("BRAVE_API_KEY", "BRAVE_SEARCH_API_KEY")),
        address=AddressSpec(default="https://api.search.brave.com", about="Another address for Brave's API."),
        price=PriceSpec(usd=0.005, seen="2026-11-22", source="https://api-dashboard.search.brave.com/app/plans"),
        filters=("domains", "dates", "language", "region", "safe_search", "pages"),
        rate=RateSpec(per_second=50, seen="2026-11-23", source="https://api-dashboard.search.brave.com/app/plans"),
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
        # Of a development key; a production key may send ten times as many.
        rate=RateSpec(per_minute=100, seen="2026-11-23", source="https://docs.tavily.com/documentation/rate-limits"),
    ),
    EngineSpec(
        name="exa",
        title="Exa",
        adapter="search.engines.exa:Exa",
        key=KeySpec(title="Exa key", variables=("EXA_API_KEY",)),
        address=AddressSpec(default="https://api.exa.ai", about="Another address for Exa's API."),
        # With up to ten results and their highlights, which is all that we ask for.
        price=PriceSpec(usd=0.007, seen="2026-11-23", source="https://exa.ai/docs/reference/pricing"),
        filters=("domains", "dates", "region", "safe_search"),
        rate=RateSpec(per_second=10, seen="2026-11-23", source="https://exa.ai/docs/reference/rate-limits"),
    ),
    EngineSpec(
        name="serper",
        title="Serper",
        adapter="search.engines.serper:Serper",
        key=KeySpec(title="Serper key", variables=("SERPER_API_KEY",)),
        address=AddressSpec(default="https://google.serper.dev", about="Another address for Serper's API."),
        # The highest price of a credit; up to ten results take one. Copied from serper.dev in August 2026.
        price=PriceSpec(
            usd=0.001, seen="2026-11-23", source=f"{_COPIES}/plans/serper-plans-pricing.yml", basis="reported"
        ),
        filters=("domains", "dates", "language", "region", "pages"),
        # Of the smallest package.
        rate=RateSpec(
            per_second=50, seen="2026-11-23", source=f"{_COPIES}/rate-limits/serper-rate-limits.yml", basis="reported"
        ),
    ),
    EngineSpec(
        name="serpapi",
        title="SerpApi",
        adapter="search.engines.serpapi:SerpApi",
        key=KeySpec(title="SerpApi key", variables=("SERPAPI_API_KEY", "SERPAPI_KEY")),
        address=AddressSpec(default="https://serpapi.com", about="Another address for SerpApi."),
        # Of the plan for $75 a month, 5,000 searches. The limit is by hour and by plan, so only refusals tell it.
        price=PriceSpec(
            usd=0.015,
            seen="2026-11-23",
            source="https://hivebook.wiki/wiki/serpapi-google-bing-100-serp-api-for-ai-agents",
            basis="reported",
        ),
        filters=("domains", "dates", "language", "region", "safe_search", "pages"),
    ),
    EngineSpec(
        name="google",
        title="Google Programmable Search",
        adapter="search.engines.google:Google",
        # Not GOOGLE_API_KEY, which is a Gemini key to us.
        key=KeySpec(title="Google Programmable Search key", variables=("GOOGLE_SEARCH_API_KEY", "GOOGLE_CSE_KEY")),
        engine_id=EngineIdSpec(
            title="Id of a Google Programmable Search engine",
            about="Id (cx) of your engine at Google Programmable Search; its key is needed too.",
            variables=("GOOGLE_CSE_ID", "GOOGLE_CSE_CX"),
        ),
        # Google takes no new customers, and will end the service on 1 January 2027.
        address=AddressSpec(default="https://www.googleapis.com", about="Another address for Google's API."),
        price=PriceSpec(usd=0.005, seen="2026-11-23", source="https://developers.google.com/custom-search/v1/overview"),
        filters=("domains", "dates", "language", "region", "safe_search", "pages"),
        rate=RateSpec(
            per_day=10_000, seen="2026-11-23", source="https://developers.google.com/custom-search/v1/overview"
        ),
    ),
    EngineSpec(
        name="firecrawl",
        title="Firecrawl",
        adapter="search.engines.firecrawl:Firecrawl",
        key=KeySpec(title="Firecrawl key", variables=("FIRECRAWL_API_KEY",)),
        address=AddressSpec(default="https://api.firecrawl.dev", about="Another address for Firecrawl's API."),
        # The vendor states two credits for up to ten results. That 3,000 of them cost $16 is assumed.
        price=PriceSpec(usd=0.0107, seen="2026-11-23", source="https://docs.firecrawl.dev/billing", basis="assumed"),
        filters=("domains", "dates", "region"),
        # Of the smallest paid plan.
        rate=RateSpec(per_minute=50, seen="2026-11-23", source="https://docs.firecrawl.dev/rate-limits"),
    ),
    EngineSpec(
        name="jina",
        title="Jina",
        adapter="search.engines.jina:Jina",
        key=KeySpec(title="Jina key", variables=("JINA_API_KEY",)),
        address=AddressSpec(default="https://s.jina.ai", about="Another address for Jina's search API."),
        # The vendor states that a search takes 10,000 tokens, or more. That a million cost 5 cents is assumed.
        price=PriceSpec(usd=0.0005, seen="2026-11-23", source=_JINA, basis="assumed"),
        filters=("domains", "language", "region", "pages"),
        rate=RateSpec(per_minute=100, seen="2026-11-23", source=_JINA),
    ),
    EngineSpec(
        name="kagi",
        title="Kagi",
        adapter="search.engines.kagi:Kagi",
        key=KeySpec(title="Kagi key", variables=("KAGI_API_KEY",)),
        address=AddressSpec(default="https://kagi.com", about="Another address for Kagi's API."),
        price=PriceSpec(usd=0.012, seen="2026-11-23", source="https://help.kagi.com/kagi/api/api-portal.html"),
        filters=("domains", "dates", "region", "safe_search", "pages"),
    ),
    EngineSpec(
        name="you",
        title="You.com",
        adapter="search.engines.you:You",
        key=KeySpec(title="You.com key", variables=("YDC_API_KEY", "YOU_API_KEY"), optional=True),
        address=AddressSpec(default="https://ydc-index.io", about="Another address for You.com's API with a key."),
        price=PriceSpec(usd=0.005, seen="2026-11-23", source="https://you.com/docs/administration/billing"),
        filters=("domains", "dates", "language", "region", "safe_search", "pages"),
        rate=RateSpec(per_second=10, seen="2026-11-23", source="https://you.com/resources/you-com-web-search-api"),
        keyless_rate=RateSpec(
            per_day=100, seen="2026-11-23", source="https://docs.litellm.ai/docs/search/you_com", basis="reported"
        ),
    ),
    EngineSpec(
        name="perplexity",
        title="Perplexity",
        adapter="search.engines.perplexity:Perplexity",
        key=KeySpec(title="Perplexity key", variables=("PERPLEXITY_API_KEY",)),
        address=AddressSpec(default="https://api.perplexity.ai", about="Another address for Perplexity's API."),
        price=PriceSpec(usd=0.005, seen="2026-11-23", source="https://docs.perplexity.ai/getting-started/pricing"),
        filters=("domains", "dates", "language", "region"),
        rate=RateSpec(
            per_second=50, seen="2026-11-23", source="https://docs.perplexity.ai/guides/rate-limits-usage-tiers"
        ),
    ),
    EngineSpec(
        name="linkup",
        title="Linkup",
        adapter="search.engines.linkup:Linkup",
        key=KeySpec(title="Linkup key", variables=("LINKUP_API_KEY",)),
        address=AddressSpec(default="https://api.linkup.so", about="Another address for Linkup's API."),
        price=PriceSpec(
            usd=0.005, seen="2026-11-23", source="https://docs.linkup.so/pages/documentation/platform/pricing"
        ),
        filters=("domains", "dates"),
        rate=RateSpec(
            per_second=10,
            seen="2026-11-23",
            source="https://docs.linkup.so/pages/documentation/platform/rate-limits",
        ),
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
        filters=("domains", "dates", "language", "region", "safe_search", "pages"),
    ),
    EngineSpec(
        name="duckduckgo",
        title="DuckDuckGo",
        adapter="search.engines.duckduckgo:DuckDuckGo",
        filters=("domains", "dates", "language", "region", "safe_search", "pages"),
        # We have no contract with DuckDuckGo, and it stops answering if it gets more at once.
        at_once=3,
    ),
)
"""In the order in which `auto` asks the engines that are set up."""
