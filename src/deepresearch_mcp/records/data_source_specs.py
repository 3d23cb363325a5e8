"""The data sources, as data. To add one: its adapter below `search/data_sources/`, its test, its entry here."""

from typing import Final

from deepresearch_mcp.records.spec_types import AddressSpec, EngineSpec, KeySpec, RateSpec

_GITHUB_RATES: Final = "https://docs.github.com/rest/search/search#rate-limit"
_COURT_RATES: Final = "https://www.courtlistener.com/help/api/rest/#rate-limits"

PAPERS: Final = (
    EngineSpec(
        name="wikipedia",
        title="Wikipedia",
        adapter="search.data_sources.wikipedia:Wikipedia",
        filters=("domains", "language"),
        data=True,
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
        # Searches a minute: 30 with a token, of code 10, 10 without a token; a query may be put twice.
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
        rate=RateSpec(
            per_second=1.0,
            seen="2026-11-23",
            source="https://warehouse.pypa.io/api-reference/",
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
        rate=RateSpec(per_second=1.0, seen="2026-11-23", source="https://docs.npmjs.com/policies/open-source-terms"),
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
        rate=RateSpec(
            per_minute=60, seen="2026-11-23", source="https://fred.stlouisfed.org/docs/api/terms_of_use.html"
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
        rate=RateSpec(per_second=5.0, seen="2026-11-23", source="https://datahelpdesk.worldbank.org/knowledgebase"),
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
        rate=RateSpec(per_second=1.0, seen="2026-11-23", source="https://www.sec.gov/os/accessing-edgar-data"),
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
        # Members are allowed more; these are the limits of a free account, halved for the second try of a query.
        rate=RateSpec(per_minute=2, per_day=60, seen="2026-11-23", source=_COURT_RATES),
        keyless_rate=RateSpec(per_minute=2, per_day=40, seen="2026-11-23", source=_COURT_RATES),
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
        rate=RateSpec(per_minute=25, seen="2026-11-23", source="https://api.congress.gov/"),
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
        rate=RateSpec(
            per_minute=10, seen="2026-11-23", source="https://blog.gdeltproject.org/gdelt-doc-2-0-api-debuts/"
        ),
        data=True,
        subjects=("event",),
    ),
)
"""Registers of software, companies, figures, courts and news."""
