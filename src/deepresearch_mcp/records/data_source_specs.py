"""The data sources, as data. To add one: its adapter below `search/data_sources/`, its test, its entry here."""

from typing import Final

from deepresearch_mcp.records.spec_types import AddressSpec, EngineSpec, KeySpec, RateSpec

_NCBI = "https://support.nlm.nih.gov/kbArticle/?pn=KA-05510"
_STACK = "https://api.stackexchange.com/docs/throttle"
_COPIES: Final = "https://raw.githubusercontent.com/api-evangelist"
"""A third party's copies of what services state."""
_OPENALEX = "https://developers.openalex.org/api-reference/authentication"
_SCHOLAR = f"{_COPIES}/semantic-scholar/refs/heads/main/rate-limits/semantic-scholar-rate-limits.yml"
_GITHUB_RATES: Final = "https://docs.github.com/rest/search/search#rate-limit"

PAPERS: Final = (
    EngineSpec(
        name="wikipedia",
        title="Wikipedia",
        adapter="search.data_sources.wikipedia:Wikipedia",
        filters=("domains", "language", "pages"),
        data=True,
    ),
    EngineSpec(
        name="wikidata",
        title="Wikidata",
        adapter="search.data_sources.wikidata:Wikidata",
        address=AddressSpec(default="https://www.wikidata.org", about="Another address for Wikidata's API."),
        filters=("domains", "language", "pages"),
        # Wikimedia states no rate for reading; it asks for requests one after the other.
        at_once=2,
        data=True,
    ),
    EngineSpec(
        name="semantic_scholar",
        title="Semantic Scholar",
        adapter="search.data_sources.semantic_scholar:SemanticScholar",
        key=KeySpec(
            title="Semantic Scholar key",
            variables=("SEMANTIC_SCHOLAR_API_KEY", "S2_API_KEY"),
            optional=True,
        ),
        address=AddressSpec(
            default="https://api.semanticscholar.org", about="Another address for Semantic Scholar's API."
        ),
        filters=("dates", "pages"),
        rate=RateSpec(per_second=1, seen="2026-11-23", source=_SCHOLAR, basis="reported"),
        # All clients without a key share one quota; what one of them may take of it is assumed.
        keyless_rate=RateSpec(per_second=1, per_minute=20, seen="2026-11-23", source=_SCHOLAR, basis="assumed"),
        data=True,
        subjects=("doi", "arxiv", "pubmed"),
    ),
    EngineSpec(
        name="arxiv",
        title="arXiv",
        adapter="search.data_sources.arxiv:ArXiv",
        address=AddressSpec(default="https://export.arxiv.org", about="Another address for arXiv's API."),
        filters=("domains", "dates", "pages"),
        at_once=1,
        rate=RateSpec(
            per_second=1 / 3, per_minute=20, seen="2026-11-23", source="https://info.arxiv.org/help/api/tou.html"
        ),
        data=True,
        subjects=("arxiv",),
    ),
    EngineSpec(
        name="openalex",
        title="OpenAlex",
        adapter="search.data_sources.openalex:OpenAlex",
        key=KeySpec(title="OpenAlex key", variables=("OPENALEX_API_KEY",), optional=True),
        address=AddressSpec(default="https://api.openalex.org", about="Another address for OpenAlex's API."),
        filters=("dates", "pages"),
        # What is free in a day: 1 USD of searches at 0.001 USD with a key, a tenth of it without one.
        rate=RateSpec(per_second=100, per_day=1_000, seen="2026-11-23", source=_OPENALEX),
        keyless_rate=RateSpec(per_second=100, per_day=100, seen="2026-11-23", source=_OPENALEX),
        data=True,
        subjects=("doi", "arxiv", "pubmed"),
    ),
    EngineSpec(
        name="crossref",
        title="Crossref",
        adapter="search.data_sources.crossref:Crossref",
        address=AddressSpec(default="https://api.crossref.org", about="Another address for Crossref's API."),
        filters=("dates", "pages"),
        # It changed its limits in December 2025, to figures that could not be read. It allowed 50 requests a second.
        at_once=1,
        rate=RateSpec(
            per_second=1,
            seen="2026-11-23",
            source="https://www.crossref.org/documentation/retrieve-metadata/rest-api/access-and-authentication/",
            basis="assumed",
        ),
        data=True,
        subjects=("doi",),
    ),
    EngineSpec(
        name="pubmed",
        title="PubMed",
        adapter="search.data_sources.pubmed:PubMed",
        key=KeySpec(title="NCBI key for PubMed", variables=("NCBI_API_KEY",), optional=True),
        address=AddressSpec(default="https://eutils.ncbi.nlm.nih.gov", about="Another address for NCBI's E-utilities."),
        filters=("domains", "dates", "pages"),
        # 10 requests a second with a key, 3 without; a query takes two.
        rate=RateSpec(per_second=5, seen="2026-11-23", source=_NCBI),
        keyless_rate=RateSpec(per_second=1.5, seen="2026-11-23", source=_NCBI),
        data=True,
        subjects=("pubmed", "doi"),
    ),
    EngineSpec(
        name="europe_pmc",
        title="Europe PMC",
        adapter="search.data_sources.europe_pmc:EuropePMC",
        address=AddressSpec(default="https://www.ebi.ac.uk", about="Another address for Europe PMC's API."),
        filters=("dates", "pages"),
        # It states no rate.
        at_once=4,
        data=True,
        subjects=("pubmed", "doi"),
    ),
    EngineSpec(
        name="hacker_news",
        title="Hacker News",
        adapter="search.data_sources.hacker_news:HackerNews",
        address=AddressSpec(default="https://hn.algolia.com", about="Another address for the search of Hacker News."),
        filters=("domains", "dates", "pages"),
        # Said to be 10,000 requests an hour.
        rate=RateSpec(per_minute=166, seen="2026-11-23", source="https://v50.ai/skills/hacker-news", basis="reported"),
        data=True,
    ),
    EngineSpec(
        name="stack_exchange",
        title="Stack Exchange",
        adapter="search.data_sources.stack_exchange:StackExchange",
        key=KeySpec(
            title="Stack Exchange key", variables=("STACKEXCHANGE_KEY", "STACK_EXCHANGE_API_KEY"), optional=True
        ),
        address=AddressSpec(default="https://api.stackexchange.com", about="Another address for Stack Exchange's API."),
        # Besides, four languages have a Stack Overflow of their own.
        filters=("domains", "dates", "pages"),
        rate=RateSpec(per_second=30, per_day=10_000, seen="2026-11-23", source=_STACK),
        keyless_rate=RateSpec(
            per_second=30,
            per_day=300,
            seen="2026-11-23",
            source="https://meta.stackexchange.com/posts/164900/revisions",
            basis="reported",
        ),
        data=True,
        subjects=("code",),
    ),
)
"""Papers, encyclopaedias, questions and answers."""

REGISTERS: Final = (
    EngineSpec(
        name="github",
        title="GitHub",
        adapter="search.data_sources.github:GitHub",
        key=KeySpec(title="GitHub token", variables=("GITHUB_TOKEN", "GH_TOKEN"), optional=True),
        address=AddressSpec(default="https://api.github.com", about="Another address for GitHub's API."),
        filters=("domains", "dates", "pages"),
        # Searches a minute: 30 with a token, of code 9 or 10, 10 without a token; a query may be put twice.
        rate=RateSpec(per_minute=9, seen="2026-11-23", source=_GITHUB_RATES),
        keyless_rate=RateSpec(per_minute=5, seen="2026-11-23", source=_GITHUB_RATES),
        data=True,
        subjects=("repository", "code"),
    ),
    EngineSpec(
        name="pypi",
        title="PyPI",
        adapter="search.data_sources.pypi:PyPI",
        address=AddressSpec(about="Another address for PyPI: a package index with its JSON API."),
        # It states no limit, and asks not to be sent thousands of requests within minutes.
        rate=RateSpec(
            per_second=1.0, seen="2026-11-23", source="https://warehouse.pypa.io/api-reference/", basis="assumed"
        ),
        data=True,
        subjects=("package",),
    ),
    EngineSpec(
        name="npm",
        title="npm",
        adapter="search.data_sources.npm:Npm",
        address=AddressSpec(about="Another address for the npm registry."),
        filters=("pages",),
        # It states no limit but that five million requests a month are too many.
        rate=RateSpec(
            per_second=1.0,
            seen="2026-11-23",
            source="https://docs.npmjs.com/policies/open-source-terms",
            basis="assumed",
        ),
        data=True,
        subjects=("package",),
    ),
    EngineSpec(
        name="fred",
        title="FRED",
        adapter="search.data_sources.fred:Fred",
        key=KeySpec(title="FRED key", variables=("FRED_API_KEY",)),
        address=AddressSpec(default="https://api.stlouisfed.org", about="Another address for FRED's API."),
        filters=("domains", "pages"),
        # Said to be 120 requests; a query may be put twice.
        rate=RateSpec(
            per_minute=60,
            seen="2026-11-23",
            source=f"{_COPIES}/fred/refs/heads/main/rate-limits/fred-rate-limits.yml",
            basis="reported",
        ),
        data=True,
        subjects=("series",),
    ),
    EngineSpec(
        name="worldbank",
        title="World Bank",
        adapter="search.data_sources.world_bank:WorldBank",
        address=AddressSpec(default="https://api.worldbank.org", about="Another address for the World Bank's API."),
        filters=("domains",),
        # It states no rate.
        rate=RateSpec(per_second=5.0, basis="assumed"),
        data=True,
        subjects=("series",),
    ),
    EngineSpec(
        name="edgar",
        title="SEC EDGAR",
        adapter="search.data_sources.edgar:Edgar",
        address=AddressSpec(default="https://www.sec.gov", about="Another address for all of EDGAR's services."),
        filters=("domains", "dates", "pages"),
        # The SEC allows ten requests a second. A query makes them one after the other: three as a rule, at most 15.
        at_once=2,
        rate=RateSpec(
            per_second=1.0,
            seen="2026-11-23",
            source="https://dev.to/odeeb/sec-edgar-rate-limit-and-user-agent-fair-access-rules-nki",
            basis="reported",
        ),
        contact=True,
        data=True,
        subjects=("ticker", "filing"),
    ),
    EngineSpec(
        name="courtlistener",
        title="CourtListener",
        adapter="search.data_sources.court_listener:CourtListener",
        key=KeySpec(title="CourtListener token", variables=("COURTLISTENER_TOKEN",), optional=True),
        address=AddressSpec(default="https://www.courtlistener.com", about="Another address for CourtListener."),
        filters=("domains", "dates"),
        # No figure of its limits could be read; they differ by membership, and a query may be put twice.
        rate=RateSpec(per_minute=2, per_day=60, basis="assumed"),
        keyless_rate=RateSpec(per_minute=2, per_day=40, basis="assumed"),
        data=True,
        subjects=("case",),
    ),
    EngineSpec(
        name="congress",
        title="Congress.gov",
        adapter="search.data_sources.congress:Congress",
        key=KeySpec(title="Congress.gov key", variables=("CONGRESS_API_KEY",)),
        address=AddressSpec(
            default="https://api.congress.gov", about="Another address for the APIs of Congress.gov and GovInfo."
        ),
        filters=("domains", "dates", "pages"),
        # 5,000 requests an hour; one query needs up to three.
        rate=RateSpec(
            per_minute=25, seen="2026-11-23", source="https://github.com/LibraryOfCongress/api.congress.gov#rate-limit"
        ),
        data=True,
        subjects=("bill",),
    ),
    EngineSpec(
        name="gdelt",
        title="GDELT",
        adapter="search.data_sources.gdelt:Gdelt",
        address=AddressSpec(default="https://api.gdeltproject.org", about="Another address for GDELT's API."),
        filters=("domains", "dates", "language", "region", "pages"),
        at_once=1,
        # Its refusals ask for one request in five seconds, says another client of it; a query may be put twice.
        rate=RateSpec(
            per_minute=10,
            seen="2026-11-23",
            source="https://docs.rs/crate/finance-query/3.0.0/source/src/adapters/gdelt/client.rs",
            basis="reported",
        ),
        data=True,
        subjects=("event",),
    ),
)
"""Registers of software, companies, figures, courts and news."""
