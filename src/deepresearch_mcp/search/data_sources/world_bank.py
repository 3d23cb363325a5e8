"""Indicators of countries, from the API of the World Bank."""

import re
from typing import Final, Literal, NamedTuple, TypeVar

import anyio
from pydantic import BaseModel, Field, TypeAdapter
from typing_extensions import override

from deepresearch_mcp.records.request import Filters
from deepresearch_mcp.records.sources import Hit, Query
from deepresearch_mcp.search.errors import provider_errors
from deepresearch_mcp.search.http_engine import ApiRequest, HttpEngine
from deepresearch_mcp.search.limits import country_code, leaves_out
from deepresearch_mcp.search.parts import EngineParts
from deepresearch_mcp.search.rows import Words, hit, read_rows
from deepresearch_mcp.text.keywords import content_words, stem, words
from deepresearch_mcp.text.stopwords import word_set

HOME: Final = "https://api.worldbank.org"
_INDICATORS = "source/2/indicator"
"""The World Development Indicators, about 1,500; the other sources of the API repeat or specialise them."""
_MOST_PAGES = 10
_MOST_COUNTRIES = 8
_LEAST = 0.2
"""Least share of a query's words that an indicator holds, minus a little for long names."""
_ALIASES = {
    "usa": "US", "america": "US", "uk": "GB", "britain": "GB", "england": "GB", "south korea": "KR", "korea": "KR",
    "north korea": "KP", "russia": "RU", "egypt": "EG", "iran": "IR", "turkey": "TR", "venezuela": "VE", "syria": "SY",
    "vietnam": "VN", "laos": "LA", "hong kong": "HK", "yemen": "YE", "slovakia": "SK", "ivory coast": "CI",
    "czech republic": "CZ", "european union": "EU", "eurozone": "XC", "euro area": "XC", "africa": "ZG", "china": "CN",
    "united states": "US", "congo": "CD", "gambia": "GM", "bahamas": "BS", "kyrgyzstan": "KG", "macau": "MO",
}  # fmt: skip
"""Usual names of countries and regions that the World Bank calls otherwise → their codes there."""
_SAME: Final = {"inflation": "inflation consumer", "life expectancy": "life expectancy birth total"}
"""Words that many indicators hold, with the ones of the indicator that is usually meant."""
_GENERIC = word_set(
    "rate country countries world compare trend data statistic figure number level value annual year much many "
    "high highest low lowest large largest between since change grow"
)


class _Meta(BaseModel):
    pages: int = Field(ge=0)


_ANSWER: Final = TypeAdapter(tuple[_Meta, list[object]])
"""A fault, which also comes with HTTP 200, is a list of one."""


class _Country(BaseModel):
    code: str = Field(alias="iso2Code", pattern=r"^\w{2}$")
    name: str = Field(min_length=2)


class _Row(BaseModel):
    id: str = Field(pattern=r"^[\w.]+$")
    name: str = Field(min_length=1)
    note: Words = Field(default="", alias="sourceNote")


_RowT = TypeVar("_RowT", bound=BaseModel)


class _Indicator(NamedTuple):
    row: _Row
    stems: frozenset[str]
    """Of the name."""
    noted: frozenset[str]
    """Of the note."""


class WorldBank(HttpEngine):
    """The World Development Indicators, by country and year. Their lists are loaded once, and searched here."""

    def __init__(self, parts: EngineParts) -> None:
        super().__init__(parts)
        self._loading = anyio.Lock()
        self._indicators: list[_Indicator] = []
        self._countries: dict[str, str] = {}

    @override
    async def search(self, query: Query, *, needs: tuple[str, ...] = ()) -> list[Hit]:
        """Return indicators for the countries that the query names; else for the region, else for all countries.

        None, without a request, if the domain filters exclude the World Bank.
        """
        del needs
        if leaves_out(HOME, query.filters):
            return []
        async with self._loading:
            if not self._indicators:
                await self._load()
        codes, rest = self._named(query.text, query.filters)
        start = (query.page - 1) * query.limit
        best = self._ranked(rest)[start : start + query.limit]
        return [self._hit(row, codes) for row in best]

    async def _load(self) -> None:
        countries = await self._listed("country", _Country)
        self._countries = {country.name.casefold(): country.code for country in countries} | _ALIASES
        self._indicators = [
            _Indicator(row, _stems(row.name), _stems(row.note[:600])) for row in await self._listed(_INDICATORS, _Row)
        ]

    async def _listed(self, path: Literal["country", "source/2/indicator"], shape: type[_RowT]) -> list[_RowT]:
        rows: list[_RowT] = []
        page, pages = 1, 1
        while page <= min(pages, _MOST_PAGES):
            params: dict[str, str | int] = {"format": "json", "per_page": 500, "page": page}
            body = await self._answer(ApiRequest(f"/v2/{path}", "GET", params=params))
            with provider_errors(self.name):
                meta, found = _ANSWER.validate_json(body)
                rows.extend(read_rows(self.name, shape, found))
            pages = meta.pages
            page += 1
        return rows

    def _named(self, text: str, filters: Filters) -> tuple[list[str], str]:
        """Return the codes of the countries that a query names, in its order, and the query without their names."""
        rest = f" {text[:1_000]} "
        found: list[tuple[int, str]] = []
        folded = rest.casefold()
        for name in sorted(self._countries, key=len, reverse=True):
            if name not in folded:
                continue
            match = re.search(rf"(?<!\w){re.escape(name)}(?!\w)", folded)
            if match:
                found.append((match.start(), self._countries[name]))
                folded = f"{folded[: match.start()]}{' ' * len(name)}{folded[match.end() :]}"
        codes = list(dict.fromkeys(code for _, code in sorted(found)))[:_MOST_COUNTRIES]
        if not codes and (region := country_code(filters)):
            codes = [region.upper()]
        return codes, folded

    def _ranked(self, text: str) -> list[_Row]:
        for said, meant in _SAME.items():
            if said in text:
                text = text.replace(said, meant)
        wanted = [term for term in _terms(content_words(text)) if term not in _GENERIC and not term.isdigit()]
        if not wanted:
            return []

        def score(one: _Indicator) -> float:
            named = sum(term in one.stems for term in wanted)
            noted = sum(term in one.noted for term in wanted)
            # Of names that hold the same words, the shorter one is the plain indicator.
            return (named + noted / 10) / len(wanted) - len(one.stems) / 200 if named else 0.0

        scored = sorted(((-score(one), one.row.id, one.row) for one in self._indicators), key=lambda row: row[:2])
        return [row for points, _, row in scored if points < -_LEAST]

    def _hit(self, row: _Row, codes: list[str]) -> Hit:
        if codes:
            where, chosen = ";".join(codes), "per_page=1000"
        else:
            # The latest figure of each country: a table of all years would be cut.
            where, chosen = "all", "per_page=400&mrnev=1"
        url = f"{self._base}/v2/country/{where}/indicator/{row.id}?format=json&{chosen}"
        return hit(self.name, url, f"{row.name} ({', '.join(codes) or 'all countries, latest'})", row.note)


def _stems(text: str) -> frozenset[str]:
    return frozenset(_terms(words(text)))


def _terms(found: list[str]) -> list[str]:
    return list(dict.fromkeys(stem(word) for word in found))
