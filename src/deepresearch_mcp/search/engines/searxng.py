"""Results from a SearXNG instance of the user's choice."""

from collections.abc import Sequence
from typing import cast

from pydantic import BaseModel
from typing_extensions import override

from deepresearch_mcp.exceptions import ProviderError
from deepresearch_mcp.records.sources import Hit, Query
from deepresearch_mcp.search.api_engine import ApiEngine
from deepresearch_mcp.search.http_engine import ApiRequest
from deepresearch_mcp.search.limits import country_code, language_code, since, with_sites
from deepresearch_mcp.search.rows import Row, Words, hit, read_rows, visible_words

_SAFE_SEARCH = {"off": 0, "moderate": 1, "strict": 2}


class _Row(Row):
    content: Words = ""
    publishedDate: Words = ""  # noqa: N815 - SearXNG's name


class _Answer(BaseModel):
    results: list[object]
    unresponsive_engines: list[object] = []
    """Pairs of an upstream engine and its failure."""


class SearXNG(ApiEngine):
    """A metasearch engine. It takes domains as `site:` operators, `published_after` as `time_range`, no last date.

    The instance decides how many hits a page has; what it has beyond the hits wanted is on no later page.
    """

    @override
    def _request(self, query: Query) -> ApiRequest | None:
        params: dict[str, str | int] = {
            "q": with_sites(query.text, query.filters),
            "format": "json",
            "safesearch": _SAFE_SEARCH[self._safe_search],
        }
        if query.page > 1:
            params["pageno"] = query.page
        language, region = language_code(query.filters), country_code(query.filters)
        if language:
            params["language"] = f"{language}-{region.upper()}" if region else language
        if span := since(query.filters, self._clock.today()):
            params["time_range"] = span
        # People copy the address from the search page.
        return ApiRequest(f"{self._base.removesuffix('/search')}/search", "GET", params=params)

    @override
    def _hits(self, query: Query, body: bytes) -> list[Hit]:
        answer = _Answer.model_validate_json(body)
        rows = read_rows(self.name, _Row, answer.results)
        if not rows and answer.unresponsive_engines:
            # Not "nothing found": engines behind the instance failed.
            raise ProviderError(
                self.name,
                f"no result, and engines behind it did not answer: {_names(answer.unresponsive_engines)}",
                retryable=True,
            )
        return [hit(self.name, row.url, row.title, row.content, row.publishedDate) for row in rows]

    @override
    def _explain(self, status: int, body: bytes) -> ProviderError | None:
        if status == 403:
            return ProviderError(
                self.name,
                "HTTP 403: this instance has its JSON format switched off, or refuses us access.",
                action="In its settings.yml, add json under search: formats: and restart it, or use another instance.",
            )
        if status == 404:
            return ProviderError(
                self.name,
                "HTTP 404: there is no SearXNG at this address.",
                action="Set SEARXNG_URL to its base address.",
            )
        return None


def _names(engines: Sequence[object]) -> str:
    pairs = [cast("list[object]", item) for item in engines if isinstance(item, list)]
    named = sorted({visible_words(str(pair[0]))[:30] for pair in pairs if pair})
    return ", ".join(named[:3]) or f"{len(engines)} of them"
