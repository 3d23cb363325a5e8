"""News of the world, from the document search of the GDELT Project."""

import re
from typing import Final

from pydantic import BaseModel
from typing_extensions import override

from deepresearch_mcp.exceptions import ProviderError, RateLimited, UnreadableAnswer
from deepresearch_mcp.records.request import Filters
from deepresearch_mcp.records.sources import Hit, Query
from deepresearch_mcp.search.data_sources.lookups import in_few_words
from deepresearch_mcp.search.errors import provider_errors
from deepresearch_mcp.search.http_engine import ApiRequest, HttpEngine
from deepresearch_mcp.search.limits import MOST_SITES, country_code, language_code
from deepresearch_mcp.search.rows import Row, Words, hit, read_rows

HOME: Final = "https://api.gdeltproject.org"
_MOST = 250
_BETWEEN = re.compile(r"[-/&+#.]")
_FIRST_DAY = "20170101"
"""The archive begins there."""
_LANGUAGES = {
    "ar": "arabic", "bg": "bulgarian", "bn": "bengali", "ca": "catalan", "cs": "czech", "da": "danish", "de": "german",
    "el": "greek", "en": "english", "es": "spanish", "et": "estonian", "fa": "persian", "fi": "finnish", "fr": "french",
    "he": "hebrew", "hi": "hindi", "hr": "croatian", "hu": "hungarian", "id": "indonesian", "is": "icelandic",
    "it": "italian", "ja": "japanese", "ko": "korean", "lt": "lithuanian", "lv": "latvian", "nl": "dutch",
    "no": "norwegian", "pl": "polish", "pt": "portuguese", "ro": "romanian", "ru": "russian", "sk": "slovak",
    "sl": "slovenian", "sr": "serbian", "sv": "swedish", "ta": "tamil", "th": "thai", "tr": "turkish",
    "uk": "ukrainian", "ur": "urdu", "vi": "vietnamese", "zh": "chinese",
}  # fmt: skip
_COUNTRIES = {
    "at": "AU", "au": "AS", "be": "BE", "bg": "BU", "br": "BR", "ca": "CA", "ch": "SZ", "cl": "CI", "cn": "CH",
    "co": "CO", "cz": "EZ", "de": "GM", "dk": "DA", "ee": "EN", "eg": "EG", "es": "SP", "fi": "FI", "fr": "FR",
    "gb": "UK", "gr": "GR", "hr": "HR", "hu": "HU", "id": "ID", "ie": "EI", "il": "IS", "in": "IN", "is": "IC",
    "it": "IT", "jp": "JA", "ke": "KE", "kr": "KS", "lt": "LH", "lv": "LG", "mx": "MX", "ng": "NI", "nl": "NL",
    "no": "NO", "nz": "NZ", "pe": "PE", "ph": "RP", "pk": "PK", "pl": "PL", "pt": "PO", "ro": "RO", "rs": "RI",
    "ru": "RS", "sa": "SA", "se": "SW", "sg": "SN", "si": "SI", "sk": "LO", "th": "TH", "tr": "TU", "tw": "TW",
    "ua": "UP", "us": "US", "vn": "VM", "za": "SF",
}  # fmt: skip
"""ISO 3166 to FIPS 10-4, which GDELT uses. Austria is AU there, and Australia AS."""


class _Row(Row):
    seendate: Words = ""
    domain: Words = ""
    language: Words = ""
    sourcecountry: Words = ""


class _Answer(BaseModel):
    articles: list[object] = []
    """Missing if nothing was found."""


class Gdelt(HttpEngine):
    """Online news in 65 languages since 2017. A hit's date is the day on which GDELT first saw the article."""

    @override
    async def search(self, query: Query, *, needs: tuple[str, ...] = ()) -> list[Hit]:
        """Return hits; of all pages together, the first 250."""
        del needs
        wanted = min(_MOST, query.limit * query.page)
        params = self._params(query.filters) | {"maxrecords": wanted}
        operators = _operators(query.filters)

        async def search(words: str) -> list[_Row]:
            asked = params | {"query": f"{_long_enough(words)} {operators}".strip()}
            return self._read(await self._answer(ApiRequest("/api/v2/doc/doc", "GET", params=asked)))

        rows = await in_few_words(query.text, search)
        return [
            hit(self.name, row.url, row.title, f"{row.domain}, {row.sourcecountry}, {row.language}", _day(row.seendate))
            for row in rows[query.limit * (query.page - 1) : wanted]
        ]

    def _params(self, filters: Filters) -> dict[str, str | int]:
        params: dict[str, str | int] = {"mode": "artlist", "format": "json", "sort": "hybridrel"}
        if filters.published_after or filters.published_before:
            first, last = filters.published_after, filters.published_before or self._clock.today()
            params["startdatetime"] = f"{first.strftime('%Y%m%d') if first else _FIRST_DAY}000000"
            params["enddatetime"] = f"{last:%Y%m%d}235959"
        return params

    def _read(self, body: bytes) -> list[_Row]:
        text = body.strip()
        if text and not text.startswith(b"{"):
            raise self._explained(text[:300].lower())
        with provider_errors(self.name):
            return read_rows(self.name, _Row, _Answer.model_validate_json(body).articles)

    def _explained(self, said: bytes) -> ProviderError:
        """GDELT reports faults as plain text with HTTP 200."""
        if b"limit requests" in said:
            return RateLimited(self.name, "too many queries for now", retry_after=5.0)
        if any(words in said for words in (b"too short", b"too long", b"too common", b"query", b"invalid")):
            return ProviderError(self.name, "it refuses the query's words")
        return UnreadableAnswer(self.name, "its answer is not JSON")


def _long_enough(words: str) -> str:
    """Leave out words of one or two letters, with which GDELT refuses the whole query; without any other they stay."""
    parts = _BETWEEN.sub(" ", words).split()
    return " ".join(part for part in parts if len(part) > 2 or not part.isascii()) or words


def _operators(filters: Filters) -> str:
    parts: list[str] = []
    wanted, unwanted = filters.include_domains, filters.exclude_domains
    if 0 < len(wanted) <= MOST_SITES:
        sites = " OR ".join(f"domain:{domain}" for domain in wanted)
        parts.append(f"({sites})" if len(wanted) > 1 else sites)
    if len(unwanted) <= MOST_SITES:
        parts.extend(f"-domain:{domain}" for domain in unwanted)
    if language := _LANGUAGES.get(language_code(filters)):
        parts.append(f"sourcelang:{language}")
    if country := _COUNTRIES.get(country_code(filters)):
        parts.append(f"sourcecountry:{country}")
    return " ".join(parts)


def _day(seen: str) -> str:
    """Return the day of `20261120T120000Z` as ISO 8601."""
    return f"{seen[:4]}-{seen[4:6]}-{seen[6:8]}" if seen[:8].isdigit() else ""
