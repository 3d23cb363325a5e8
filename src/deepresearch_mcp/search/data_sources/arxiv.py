"""Preprints from arXiv, from its query API in Atom."""

import re
from typing import TYPE_CHECKING

from typing_extensions import override

from deepresearch_mcp.exceptions import ProviderError
from deepresearch_mcp.records.request import Filters
from deepresearch_mcp.records.sources import Hit, Query
from deepresearch_mcp.search.api_engine import ApiEngine
from deepresearch_mcp.search.http_engine import ApiRequest
from deepresearch_mcp.search.limits import leaves_out
from deepresearch_mcp.search.papers import Paper, paper_hits
from deepresearch_mcp.search.rows import parse_date
from deepresearch_mcp.search.xml_answers import all_text, read_xml
from deepresearch_mcp.text.identifiers import identifiers_in
from deepresearch_mcp.text.keywords import keywords

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

_ATOM = "{http://www.w3.org/2005/Atom}"
_MOST_TERMS = 8
_ALL_WANTED = 3
"""Up to so many terms must all occur; of more, any may, because few abstracts hold so many. The best come first."""


class ArXiv(ApiEngine):
    """arXiv, at most 50 preprints, dated by their first version.

    A query that holds arXiv numbers asks for these papers; one with other identifiers only is not sent.
    """

    @override
    def _request(self, query: Query) -> ApiRequest | None:
        if leaves_out("https://arxiv.org", query.filters) or (params := _params(query)) is None:
            return None
        return ApiRequest("/api/query", "GET", params=params, headers={"Accept": "application/atom+xml, */*"})

    @override
    def _hits(self, query: Query, body: bytes) -> list[Hit]:
        entries = read_xml(self.name, body, f"{_ATOM}feed").findall(f"{_ATOM}entry")
        return paper_hits(self.name, [self._paper(entry) for entry in entries], query.limit)

    def _paper(self, entry: "Element") -> Paper:
        address = entry.findtext(f"{_ATOM}id", "")
        if "/api/errors" in address:
            # arXiv reports faults as an entry, at times with HTTP 200.
            raise ProviderError(self.name, "it refuses the query")
        return Paper(
            title=all_text(entry.find(f"{_ATOM}title")),
            abstract=all_text(entry.find(f"{_ATOM}summary")),
            published=parse_date(entry.findtext(f"{_ATOM}published", "")),
            arxiv=next(iter(identifiers_in(address).arxiv), ""),
        )


def _params(query: Query) -> dict[str, str | int] | None:
    size = max(1, min(50, query.limit))
    found = identifiers_in(query.text)
    if any(found):
        if not found.arxiv or query.page > 1:
            return None
        return {"id_list": ",".join(found.arxiv[:size]), "max_results": size}
    terms = _terms(query.text)
    if not terms:
        return None
    return {
        "search_query": " AND ".join(filter(None, (terms, _dates(query.filters)))),
        "start": (query.page - 1) * size,
        "max_results": size,
        "sortBy": "relevance",
    }


def _terms(text: str) -> str:
    # A colon or a bracket in a term would be read as an operator.
    words = (" ".join(re.findall(r"\w[\w'’-]*", term)) for term in keywords(text, _MOST_TERMS))
    terms = [f'all:"{word}"' if " " in word else f"all:{word}" for word in words if word]
    return " AND ".join(terms) if len(terms) <= _ALL_WANTED else f"({' OR '.join(terms)})"


def _dates(filters: Filters) -> str:
    after, before = filters.published_after, filters.published_before
    if not after and not before:
        return ""
    first = f"{after:%Y%m%d}0000" if after else "199101010000"
    last = f"{before:%Y%m%d}2359" if before else "299912312359"
    return f"submittedDate:[{first} TO {last}]"
