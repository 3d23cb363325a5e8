"""Web results from Google's Programmable Search, by its Custom Search JSON API."""

from typing import ClassVar

from pydantic import BaseModel, Field
from typing_extensions import override

from deepresearch_mcp.records.sources import Hit, Query
from deepresearch_mcp.search.api_engine import ApiEngine
from deepresearch_mcp.search.http_engine import ApiRequest, Refusal
from deepresearch_mcp.search.limits import country_code, day_range, language_code, with_sites
from deepresearch_mcp.search.parts import EngineParts
from deepresearch_mcp.search.rows import Words, hit, read_rows

_PER_PAGE, _LAST = 10, 100
"""Most hits of one query, and of all its pages."""
_LANGUAGES = frozenset(
    [
        "ar",
        "bg",
        "ca",
        "cs",
        "da",
        "de",
        "el",
        "en",
        "es",
        "et",
        "fi",
        "fr",
        "hr",
        "hu",
        "id",
        "is",
        "it",
        "iw",
        "ja",
        "ko",
        "lt",
        "lv",
        "nl",
        "no",
        "pl",
        "pt",
        "ro",
        "ru",
        "sk",
        "sl",
        "sr",
        "sv",
        "tr",
        "zh-CN",
    ]
)
"""Languages that `lr` knows; Google refuses others."""
_CODES = {"he": "iw", "nb": "no", "zh": "zh-CN"}


class _Row(BaseModel):
    link: str = Field(min_length=1)
    title: Words = ""
    snippet: Words = ""


class _Answer(BaseModel):
    kind: Words = Field(pattern="^customsearch#")
    """Required, because an error's JSON would otherwise read as "nothing found"."""
    items: list[object] = []
    """Missing if nothing was found."""


class Google(ApiEngine):
    """Google's Programmable Search, by the user's key and engine. It takes domains as `site:` operators."""

    refusals: ClassVar = (
        Refusal(400, b"api_key_invalid", "key"),
        Refusal(400, b"api key not valid", "key"),
        Refusal(403, b"dailylimitexceeded", "quota"),
        Refusal(429, b"per day", "quota"),
    )

    def __init__(self, parts: EngineParts) -> None:
        super().__init__(parts)
        self._engine_id = parts.required_engine_id()

    @override
    def _request(self, query: Query) -> ApiRequest | None:
        filters = query.filters
        count = max(1, min(_PER_PAGE, query.limit))
        start = (query.page - 1) * count + 1
        if start + count - 1 > _LAST:
            return None
        params: dict[str, str | int] = {
            "cx": self._engine_id,
            "q": with_sites(query.text, filters),
            "num": count,
            "start": start,
            # Google has no step between the two.
            "safe": "off" if self._safe_search == "off" else "active",
            "fields": "kind,items(link,title,snippet)",
        }
        if country := country_code(filters):
            params["gl"] = country
        language = _CODES.get(language_code(filters), language_code(filters))
        if language in _LANGUAGES:
            params["lr"] = f"lang_{language}"
        if days := day_range(filters, self._clock.today()):
            params["sort"] = f"date:r:{days[0]:%Y%m%d}:{days[1]:%Y%m%d}"
        return ApiRequest("/customsearch/v1", "GET", params=params, headers={"X-Goog-Api-Key": self._secret})

    @override
    def _hits(self, query: Query, body: bytes) -> list[Hit]:
        rows = read_rows(self.name, _Row, _Answer.model_validate_json(body).items)
        return [hit(self.name, row.link, row.title, row.snippet) for row in rows]
