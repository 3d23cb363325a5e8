"""Papers from Semantic Scholar, from its Academic Graph API."""

from dataclasses import replace
from typing import ClassVar

from pydantic import BaseModel, Field, TypeAdapter
from typing_extensions import override

from deepresearch_mcp.records.request import Filters
from deepresearch_mcp.records.sources import Hit, Query
from deepresearch_mcp.search.errors import provider_errors
from deepresearch_mcp.search.http_engine import ApiRequest, HttpEngine, NothingFound, Refusal
from deepresearch_mcp.search.limits import first_words
from deepresearch_mcp.search.papers import Paper, paper_hits
from deepresearch_mcp.search.rows import Words, parse_date, read_rows
from deepresearch_mcp.text.identifiers import Identifiers, identifiers_in, without_version

_PAPERS = "/graph/v1/paper"
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


_Known = TypeAdapter(list[object])


class SemanticScholar(HttpEngine):
    """Semantic Scholar. A query that holds identifiers asks for these papers only."""

    refusals: ClassVar = (
        Refusal(400, b"no valid paper ids", "nothing"),
        Refusal(404, b"no valid paper ids", "nothing"),
    )

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
            body = await self._ask(ApiRequest(f"{_PAPERS}/batch", params={"fields": _FIELDS}, json={"ids": wanted}))
        except NothingFound:
            # None of the identifiers is known, which the service tells as a refusal.
            return []
        with provider_errors(self.name):
            # Unknown ones are null.
            return read_rows(self.name, _Row, [one for one in _Known.validate_json(body) if one is not None])

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
        body = await self._ask(ApiRequest(f"{_PAPERS}/search", "GET", params=params))
        with provider_errors(self.name):
            return read_rows(self.name, _Row, _Answer.model_validate_json(body).data)

    async def _ask(self, asked: ApiRequest) -> bytes:
        return await self._answer(replace(asked, headers={"x-api-key": self._secret} if self._key else {}))


def _dates(filters: Filters) -> str:
    after = filters.published_after.isoformat() if filters.published_after else ""
    before = filters.published_before.isoformat() if filters.published_before else ""
    return f"{after}:{before}" if after or before else ""
