"""Web results from Tavily, with a key or without one."""

from typing import Any

from pydantic import BaseModel
from typing_extensions import override

from deepresearch_mcp.records.request import Filters
from deepresearch_mcp.records.sources import Hit, Query
from deepresearch_mcp.search.api_engine import ApiEngine
from deepresearch_mcp.search.http_engine import ApiRequest
from deepresearch_mcp.search.limits import country_code, days_outside, domain_list, first_words
from deepresearch_mcp.search.rows import Row, Words, hit, read_rows

_LONGEST = 400
"""Most characters of a query that Tavily accepts."""
_MOST_INCLUDED, _MOST_EXCLUDED = 300, 150

_COUNTRIES = {
    "ar": "argentina", "at": "austria", "au": "australia", "be": "belgium", "bg": "bulgaria", "br": "brazil",
    "ca": "canada", "ch": "switzerland", "cl": "chile", "cn": "china", "co": "colombia", "cz": "czech republic",
    "de": "germany", "dk": "denmark", "ee": "estonia", "eg": "egypt", "es": "spain", "fi": "finland", "fr": "france",
    "gb": "united kingdom", "gr": "greece", "hr": "croatia", "hu": "hungary", "id": "indonesia", "ie": "ireland",
    "il": "israel", "in": "india", "is": "iceland", "it": "italy", "jp": "japan", "ke": "kenya", "kr": "south korea",
    "lt": "lithuania", "lu": "luxembourg", "lv": "latvia", "mx": "mexico", "my": "malaysia", "ng": "nigeria",
    "nl": "netherlands", "no": "norway", "nz": "new zealand", "pe": "peru", "ph": "philippines", "pk": "pakistan",
    "pl": "poland", "pt": "portugal", "ro": "romania", "rs": "serbia", "ru": "russia", "sa": "saudi arabia",
    "se": "sweden", "sg": "singapore", "si": "slovenia", "sk": "slovakia", "th": "thailand", "tr": "turkey",
    "tw": "taiwan", "ua": "ukraine", "us": "united states", "vn": "vietnam", "za": "south africa",
}  # fmt: skip
"""Country names that Tavily takes instead of codes. It refuses unknown names, so other countries are left out."""


class _Row(Row):
    content: Words = ""
    published_date: Words = ""


class _Answer(BaseModel):
    results: list[object]


class Tavily(ApiEngine):
    """The Tavily search API. Without a key it is used in keyless mode, which has a smaller quota."""

    @override
    def _request(self, query: Query) -> ApiRequest | None:
        headers = self._bearer if self._key else {"X-Tavily-Access-Mode": "keyless"}
        return ApiRequest("/search", json=_question(query), headers=headers)

    @override
    def _hits(self, query: Query, body: bytes) -> list[Hit]:
        rows = read_rows(self.name, _Row, _Answer.model_validate_json(body).results)
        return [hit(self.name, row.url, row.title, row.content, row.published_date) for row in rows]


def _question(query: Query) -> dict[str, Any]:
    filters = query.filters
    question: dict[str, Any] = {
        "query": first_words(query.text, _LONGEST),
        "max_results": max(1, min(20, query.limit)),
        "search_depth": "basic",
    }
    if included := domain_list(filters.include_domains, _MOST_INCLUDED):
        question["include_domains"] = included
    if excluded := domain_list(filters.exclude_domains, _MOST_EXCLUDED):
        question["exclude_domains"] = excluded
    if country := _COUNTRIES.get(country_code(filters)):
        question["country"] = country
    return question | _dates(filters)


def _dates(filters: Filters) -> dict[str, str]:
    # Tavily excludes both days and refuses equal ones; ours are inclusive. The stage filters again by day.
    after, before = days_outside(filters)
    dates = {"start_date": after, "end_date": before}
    return {name: day.isoformat() for name, day in dates.items() if day}
