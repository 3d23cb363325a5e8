"""Papers from Semantic Scholar, from its Academic Graph API."""

from typing import Self

import httpx2
from pydantic import BaseModel, Field, SecretStr, TypeAdapter
from typing_extensions import override

from deepresearch_mcp.exceptions import ProviderError
from deepresearch_mcp.ports.search import SearchEngine
from deepresearch_mcp.records.request import Filters
from deepresearch_mcp.records.sources import Hit, Query
from deepresearch_mcp.search.errors import provider_errors
from deepresearch_mcp.search.limits import first_words
from deepresearch_mcp.search.papers import Paper, paper_hits
from deepresearch_mcp.search.parts import EngineParts
from deepresearch_mcp.search.rows import Words, parse_date, read_rows
from deepresearch_mcp.search.wire import ask, key_text
from deepresearch_mcp.text.identifiers import Identifiers, identifiers_in, without_version

_LONGEST = 300
_FIELDS = "title,abstract,publicationDate,externalIds,openAccessPdf,url"
_FURTHEST = 1_000
"""The service refuses an offset and a limit beyond this sum."""


class _Ids(BaseModel):
    doi: Words = Field(default="", alias="DOI")
    arxiv: Words = Field(default="", alias="ArXiv")
    pubmed: Words = Field(default="", alias="PubMed")
    pmc: Words = Field(default="", alias="PubMedCentral")


class _Copy(BaseModel):
    url: Words = ""


class _Row(BaseModel):
    id: str = Field(alias="paperId", min_length=1)
    title: Words = ""
    abstract: Words = ""
    published: Words = Field(default="", alias="publicationDate")
    ids: _Ids | None = Field(default=None, alias="externalIds")
    copy_: _Copy | None = Field(default=None, alias="openAccessPdf")
    url: Words = ""

    def paper(self) -> Paper:
        ids = self.ids or _Ids()
        return Paper(
            title=self.title,
            abstract=self.abstract,
            published=parse_date(self.published),
            doi=ids.doi,
            arxiv=ids.arxiv,
            pubmed=ids.pubmed,
            pmc=ids.pmc,
            open_copy=(self.copy_ or _Copy()).url,
            landing="" if ids.doi else self.url,
        )


class _Answer(BaseModel):
    total: int
    data: list[object] = []
    """Missing if nothing was found."""


_Papers = TypeAdapter(list[object])


class _NoneKnown(ProviderError):
    """None of the identifiers is known: an answer, though it has status 400."""


class SemanticScholar(SearchEngine):
    """Semantic Scholar. A query that holds identifiers asks for these papers only."""

    def __init__(self, http: httpx2.AsyncClient, key: SecretStr | None = None, *, base_url: str) -> None:
        self._http = http
        self._key = key
        self._url = f"{base_url.rstrip('/')}/graph/v1/paper"

    @classmethod
    def from_parts(cls, parts: EngineParts) -> Self:
        """Make the engine from the registry's parts."""
        return cls(parts.http, parts.key, base_url=parts.base_url)

    @property
    @override
    def name(self) -> str:
        return "semantic_scholar"

    @override
    async def search(self, query: Query, *, needs: tuple[str, ...] = ()) -> list[Hit]:
        """Return at most 100 papers, of the first thousand."""
        del needs
        found = identifiers_in(query.text)
        if any(found):
            rows = await self._known(found) if query.page == 1 else []
        else:
            rows = await self._found(query)
        return paper_hits(self.name, [row.paper() for row in rows], query.limit)

    async def _known(self, found: Identifiers) -> list[_Row]:
        wanted = [
            *(f"DOI:{doi}" for doi in found.doi),
            *(f"ARXIV:{without_version(number)}" for number in found.arxiv),
            *(f"PMID:{number}" for number in found.pubmed),
            *(f"PMCID:{number.removeprefix('PMC')}" for number in found.pmc),
        ]
        try:
            body = await ask(
                self._http,
                self.name,
                "POST",
                f"{self._url}/batch",
                params={"fields": _FIELDS},
                json={"ids": wanted},
                headers=self._headers(),
                explain=_none_known,
            )
        except _NoneKnown:
            return []
        with provider_errors(self.name):
            # Unknown ones are null.
            return read_rows(self.name, _Row, [one for one in _Papers.validate_json(body) if one is not None])

    async def _found(self, query: Query) -> list[_Row]:
        size = max(1, min(100, query.limit))
        offset = (query.page - 1) * size
        if offset + size > _FURTHEST:
            return []
        params: dict[str, str | int] = {
            # A hyphen between words finds nothing: the service reads it as an operator.
            "query": first_words(query.text.replace("-", " "), _LONGEST),
            "limit": size,
            "offset": offset,
            "fields": _FIELDS,
        }
        if dates := _dates(query.filters):
            params["publicationDateOrYear"] = dates
        body = await ask(self._http, self.name, "GET", f"{self._url}/search", params=params, headers=self._headers())
        with provider_errors(self.name):
            return read_rows(self.name, _Row, _Answer.model_validate_json(body).data)

    def _headers(self) -> dict[str, str]:
        return {} if self._key is None else {"x-api-key": key_text(self.name, self._key)}


def _dates(filters: Filters) -> str:
    after = filters.published_after.isoformat() if filters.published_after else ""
    before = filters.published_before.isoformat() if filters.published_before else ""
    return f"{after}:{before}" if after or before else ""


def _none_known(status: int, body: bytes) -> ProviderError | None:
    known = status in {400, 404} and b"no valid paper ids" in body.lower()
    return _NoneKnown("semantic_scholar", "it knows none of the papers") if known else None
