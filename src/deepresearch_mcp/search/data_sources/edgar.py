"""Filings and figures of companies, from EDGAR at the United States Securities and Exchange Commission."""

import re
from typing import Final, NamedTuple

from pydantic import BaseModel, Field, TypeAdapter
from typing_extensions import override

from deepresearch_mcp.exceptions import ProviderError
from deepresearch_mcp.records.request import Filters
from deepresearch_mcp.records.sources import Hit, Query
from deepresearch_mcp.search.data_sources.companies import Companies, Company
from deepresearch_mcp.search.data_sources.lookups import FEW, each_once, few_words
from deepresearch_mcp.search.data_sources.xbrl_concepts import named_concepts
from deepresearch_mcp.search.errors import provider_errors
from deepresearch_mcp.search.http_engine import ApiRequest, HttpEngine
from deepresearch_mcp.search.limits import leaves_out, shifted
from deepresearch_mcp.search.parts import EngineParts
from deepresearch_mcp.search.rows import Words, hit, parse_date, read_rows

HOME: Final = "https://www.sec.gov"
_SEARCH: Final = "https://efts.sec.gov"
_DATA: Final = "https://data.sec.gov"
_FORM = re.compile(
    r"\b(10-?K|10-?Q|8-?K|20-?F|6-?K|40-?F|S-1|S-4|DEF ?14A|13F-HR|SC 13[DG]|424B\d?)(?:/A)?\b", re.IGNORECASE
)
_FORMS = {"10K": "10-K", "10Q": "10-Q", "8K": "8-K", "20F": "20-F", "6K": "6-K", "40F": "40-F", "DEF14A": "DEF 14A"}
_SPOKEN = (
    (re.compile(r"\bannual (?:report|filing)s?\b", re.IGNORECASE), "10-K"),
    (re.compile(r"\bquarterly (?:report|filing)s?\b", re.IGNORECASE), "10-Q"),
    (re.compile(r"\bproxy statements?\b", re.IGNORECASE), "DEF 14A"),
)
_YEAR = re.compile(r"\b(?:19|20)\d{2}\b")
_LATEST_FILINGS = 3
_RECENT = 500
"""Days after which a figure without a later one belongs to a concept that the company has left."""
_FIRST_DAY = "2001-01-01"
"""The full-text search begins there."""
_DOCUMENT = re.compile(r"\d{10}-\d{2}-\d{6}:[\w.-]+")


class _Listed(BaseModel):
    cik: int = Field(alias="cik_str", gt=0)
    ticker: str = Field(min_length=1)
    title: str = Field(min_length=1)


_LISTED: Final = TypeAdapter(dict[str, object])


class _Source(BaseModel):
    ciks: list[str] = Field(min_length=1)
    names: list[Words] = Field(default=[], alias="display_names")
    form: Words = ""
    kind: Words = Field(default="", alias="file_type")
    filed: Words = Field(default="", alias="file_date")
    period: Words = Field(default="", alias="period_ending")
    about: Words = Field(default="", alias="file_description")


class _Row(BaseModel):
    id: str = Field(alias="_id", pattern=_DOCUMENT)
    source: _Source = Field(alias="_source")


class _Rows(BaseModel):
    hits: list[object]


class _Found(BaseModel):
    hits: _Rows


class _Fact(BaseModel):
    end: Words = ""
    start: Words = ""
    val: float
    form: Words = ""
    filed: Words = ""


class _Concept(BaseModel):
    label: Words = ""
    entity: Words = Field(default="", alias="entityName")
    units: dict[str, list[_Fact]]


class _Reported(NamedTuple):
    """A concept's page, with one of its figures."""

    url: str
    label: str
    who: str
    last: _Fact
    unit: str


class _Recent(BaseModel):
    accession: list[Words] = Field(alias="accessionNumber")
    filed: list[Words] = Field(alias="filingDate")
    period: list[Words] = Field(alias="reportDate")
    form: list[Words]
    document: list[Words] = Field(alias="primaryDocument")


class _Filings(BaseModel):
    recent: _Recent


class _Submissions(BaseModel):
    name: Words = ""
    filings: _Filings


class Edgar(HttpEngine):
    """EDGAR: for a company that the query names, its figures and latest filings; then filings that hold the words.

    The SEC refuses programs whose User-Agent names no contact.
    """

    def __init__(self, parts: EngineParts) -> None:
        super().__init__(parts)
        usual = self._base == HOME
        self._search_base = _SEARCH if usual else self._base
        self._data = _DATA if usual else self._base
        self._companies: Companies | None = None

    @override
    async def search(self, query: Query, *, needs: tuple[str, ...] = ()) -> list[Hit]:
        """Return at most 100 hits; none, without a request, if the domain filters exclude the SEC."""
        del needs
        if leaves_out(HOME, query.filters):
            return []
        company = await self._company(query.text)
        forms = named_forms(query.text)
        found: list[Hit] = []
        if company and query.page == 1:
            for concepts in named_concepts(query.text):
                found.extend(await self._facts(company, concepts, query.text))
            if forms:
                found.extend(await self._latest(company, forms, query.filters))
        if len(found) < query.limit:
            found.extend(await self._filings(query, company, forms))
        return each_once(found)[: query.limit]

    async def _company(self, text: str) -> Company | None:
        if self._companies is None:
            try:
                body = await self._answer(ApiRequest("/files/company_tickers.json", "GET"))
                with provider_errors(self.name):
                    rows = list(_LISTED.validate_json(body).values())
            except ProviderError:
                # The full-text search works without the list, and says what is wrong if it does not.
                return None
            self._companies = Companies(
                Company(row.cik, row.ticker, row.title) for row in read_rows(self.name, _Listed, rows)
            )
        return self._companies.named_in(text)

    async def _facts(self, company: Company, concepts: tuple[str, ...], text: str) -> list[Hit]:
        """Return the page of the first concept under which the company files for the time that the query names.

        Companies change the concepts that they use, so that one may hold the figures of some years only.
        """
        named = _YEAR.search(text)
        since = shifted(self._clock.today(), -_RECENT).isoformat()
        best: _Reported | None = None
        for concept in concepts:
            url = f"{self._data}/api/xbrl/companyconcept/CIK{company.padded}/{concept}.json"
            body = await self._record(ApiRequest(url, "GET"))
            if body is None:
                continue
            with provider_errors(self.name):
                filed = _Concept.model_validate_json(body)
            facts = [(fact, unit) for unit, values in filed.units.items() for fact in values]
            of_year = [pair for pair in facts if named and pair[0].end.startswith(named[0])]
            if not facts:
                continue
            if of_year:
                # The longest period is the whole year.
                last, unit = max(of_year, key=lambda pair: (_days(pair[0]), pair[0].end, pair[0].filed))
            else:
                last, unit = max(facts, key=lambda pair: (pair[0].end, pair[0].filed))
            if best is None or of_year or last.end > best.last.end:
                best = _Reported(url, filed.label or concept, filed.entity or company.title, last, unit)
            if of_year or (not named and last.end >= since):
                break
        return [self._reported(best)] if best else []

    def _reported(self, found: _Reported) -> Hit:
        last = found.last
        span = f"{last.start} to {last.end}" if last.start else last.end
        snippet = f"{last.val:,.15g} {found.unit} for {span} ({last.form}, filed {last.filed}), and all other periods."
        return hit(self.name, found.url, f"{found.label}, {found.who}: all reported figures", snippet, last.filed)

    async def _latest(self, company: Company, forms: list[str], filters: Filters) -> list[Hit]:
        body = await self._record(ApiRequest(f"{self._data}/submissions/CIK{company.padded}.json", "GET"))
        if body is None:
            return []
        with provider_errors(self.name):
            known = _Submissions.model_validate_json(body)
        recent, found = known.filings.recent, list[Hit]()
        columns = (recent.form, recent.accession, recent.document, recent.filed, recent.period)
        for form, accession, document, filed, period in zip(*columns, strict=False):
            if form not in forms or not document or not _within(filed, filters):
                continue
            url = self._document(str(company.cik), accession, document)
            about = f"{form} of {known.name or company.title}, period {period}, filed {filed}"
            found.append(hit(self.name, url, about, about, filed))
            if len(found) == _LATEST_FILINGS:
                break
        return found

    async def _filings(self, query: Query, company: Company | None, forms: list[str]) -> list[Hit]:
        params: dict[str, str | int] = {"from": (query.page - 1) * query.limit}
        if company:
            params["ciks"] = company.padded
        if forms:
            params["forms"] = ",".join(forms)
        after, before = query.filters.published_after, query.filters.published_before
        if after or before:
            params["dateRange"] = "custom"
            params["startdt"] = after.isoformat() if after else _FIRST_DAY
            params["enddt"] = (before or self._clock.today()).isoformat()
        asked = None
        for most in FEW:
            words = few_words(_FORM.sub(" ", query.text), most)
            if words == asked:
                break
            asked_for = params | {"q": words}
            body = await self._answer(ApiRequest(f"{self._search_base}/LATEST/search-index", "GET", params=asked_for))
            with provider_errors(self.name):
                rows = read_rows(self.name, _Row, _Found.model_validate_json(body).hits.hits)
            if rows:
                return [self._filing(row) for row in rows[: query.limit]]
            asked = words
        return []

    def _filing(self, row: _Row) -> Hit:
        accession, _, document = row.id.partition(":")
        source = row.source
        who = source.names[0] if source.names else ""
        title = f"{source.kind or source.form} of {who}, {source.filed}"
        about = f"{source.form}, {source.about or source.kind}, period {source.period}, filed {source.filed} by {who}"
        return hit(self.name, self._document(source.ciks[0], accession, document), title, about, source.filed)

    def _document(self, cik: str, accession: str, document: str) -> str:
        return f"{self._base}/Archives/edgar/data/{cik.lstrip('0') or '0'}/{accession.replace('-', '')}/{document}"

    @override
    def _explain(self, status: int, body: bytes) -> ProviderError | None:
        if status != 403:
            return None
        return ProviderError(
            self.name,
            "HTTP 403: the SEC refuses programs that name no contact, and those that ask too often.",
            action="Set web.contact (DEEPRESEARCH_WEB__CONTACT) to your mail address.",
        )


def named_forms(text: str) -> list[str]:
    """Return the SEC forms that a query names, by number or in words, each once."""
    found = [match[1].upper() for match in _FORM.finditer(text[:1_000])]
    forms = [_FORMS.get(form.replace(" ", "").replace("-", ""), form) for form in found]
    forms.extend(form for pattern, form in _SPOKEN if pattern.search(text))
    return list(dict.fromkeys(forms))


def _days(fact: _Fact) -> int:
    """Return the days that a figure covers; 0 for one at a date."""
    start, end = parse_date(fact.start), parse_date(fact.end)
    return (end - start).days if start and end else 0


def _within(filed: str, filters: Filters) -> bool:
    after, before = filters.published_after, filters.published_before
    return not (after and filed < after.isoformat()) and not (before and filed > before.isoformat())
