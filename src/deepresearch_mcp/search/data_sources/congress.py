"""Bills, laws and reports of the United States Congress, from the APIs of Congress.gov and GovInfo."""

import re
from typing import Final, NamedTuple
from urllib.parse import quote

from pydantic import BaseModel, Field
from typing_extensions import override

from deepresearch_mcp.records.request import Filters
from deepresearch_mcp.records.sources import Hit, Query
from deepresearch_mcp.search.data_sources.lookups import in_few_words
from deepresearch_mcp.search.errors import provider_errors
from deepresearch_mcp.search.http_engine import ApiRequest, HttpEngine
from deepresearch_mcp.search.limits import leaves_out
from deepresearch_mcp.search.parts import EngineParts
from deepresearch_mcp.search.rows import Words, hit, read_rows

HOME: Final = "https://api.congress.gov"
_SEARCH: Final = "https://api.govinfo.gov"
_PAGES: Final = "https://www.govinfo.gov"
_MOST = 100
_FIRST_DAY = "1789-03-04"
_BILL = re.compile(
    r"\b(H\.?\s?J\.?\s?Res|S\.?\s?J\.?\s?Res|H\.?\s?Con\.?\s?Res|S\.?\s?Con\.?\s?Res|H\.?\s?Res|S\.?\s?Res|H\.?\s?R|S)"
    r"\.?\s?(\d{1,5})\b",
    re.IGNORECASE,
)
_CONGRESS = re.compile(r"\b(\d{2,3})(?:st|nd|rd|th)\s+congress\b", re.IGNORECASE)
_FINE_PRINT = "collection:(BILLS OR PLAW OR CRPT)"
"""Bills, public laws and committee reports."""


class _Action(BaseModel):
    day: Words = Field(default="", alias="actionDate")
    text: Words = ""


class _Bill(BaseModel):
    title: str = Field(min_length=1)
    latest: _Action | None = Field(default=None, alias="latestAction")


class _Record(BaseModel):
    bill: _Bill


class _Row(BaseModel):
    package: str = Field(min_length=1, alias="packageId")
    granule: Words = Field(default="", alias="granuleId")
    title: Words = ""
    issued: Words = Field(default="", alias="dateIssued")
    collection: Words = Field(default="", alias="collectionCode")


class _Answer(BaseModel):
    results: list[object]


class Bill(NamedTuple):
    """A bill as a query names it."""

    kind: str
    """As addresses have it: `hr`, `sjres`."""
    number: str
    congress: str
    """Empty if the query does not say."""


class Congress(HttpEngine):
    """Documents of Congress. A bill that is named with its Congress is looked up; its status comes first.

    One key of api.data.gov opens both services. Hits lead to GovInfo, because Congress.gov's pages refuse programs.
    """

    def __init__(self, parts: EngineParts) -> None:
        super().__init__(parts)
        usual = self._base == HOME
        self._search_base = _SEARCH if usual else self._base
        self._pages = _PAGES if usual else self._base

    @override
    async def search(self, query: Query, *, needs: tuple[str, ...] = ()) -> list[Hit]:
        """Return hits; of all pages together, the first 100.

        None, without a request, if the domain filters exclude GovInfo.
        """
        del needs
        if leaves_out(_PAGES, query.filters):
            return []
        bill = named_bill(query.text)
        found: list[Hit] = []
        if bill and bill.congress and query.page == 1:
            found.extend(await self._status(bill))
        wanted = min(_MOST, query.limit * query.page)

        async def search(words: str) -> list[_Row]:
            return await self._search(words, query.filters, wanted)

        if bill:
            congress = f" congress:{bill.congress}" if bill.congress else ""
            rows = await search(f"collection:(BILLS) billtype:{bill.kind} docnumber:{bill.number}{congress}")
        else:
            rows = await in_few_words(query.text, lambda words: search(f"{_FINE_PRINT} {words}"))
        found.extend(self._hit(row) for row in rows[query.limit * (query.page - 1) :])
        return found[: query.limit]

    async def _search(self, words: str, filters: Filters, wanted: int) -> list[_Row]:
        question = {
            "query": f"{words}{self._dates(filters)}",
            "pageSize": wanted,
            "offsetMark": "*",
            "sorts": [{"field": "score", "sortOrder": "DESC"}],
            "resultLevel": "default",
            "historical": True,
        }
        asked = ApiRequest(f"{self._search_base}/search", json=question, headers=self._headers())
        body = await self._answer(asked)
        with provider_errors(self.name):
            return read_rows(self.name, _Row, _Answer.model_validate_json(body).results)

    async def _status(self, bill: Bill) -> list[Hit]:
        path = f"/v3/bill/{bill.congress}/{bill.kind}/{bill.number}"
        body = await self._record(ApiRequest(path, "GET", params={"format": "json"}, headers=self._headers()))
        if body is None:
            return []
        with provider_errors(self.name):
            known = _Record.model_validate_json(body).bill
        latest = known.latest or _Action()
        name = f"{bill.congress}{bill.kind}{bill.number}"
        page = f"{self._pages}/bulkdata/BILLSTATUS/{bill.congress}/{bill.kind}/BILLSTATUS-{name}.xml"
        return [hit(self.name, page, f"{known.title}: status", f"{latest.day}: {latest.text}", latest.day)]

    def _dates(self, filters: Filters) -> str:
        after, before = filters.published_after, filters.published_before
        if not (after or before):
            return ""
        first = after.isoformat() if after else _FIRST_DAY
        return f" publishdate:range({first},{(before or self._clock.today()).isoformat()})"

    def _headers(self) -> dict[str, str]:
        return {"X-Api-Key": self._secret, "Accept": "application/json"}

    def _hit(self, row: _Row) -> Hit:
        package, document = quote(row.package, safe=""), quote(row.granule or row.package, safe="")
        page = f"{self._pages}/content/pkg/{package}/html/{document}.htm"
        return hit(self.name, page, row.title, f"{row.collection} {row.package}, issued {row.issued}", row.issued)


def named_bill(text: str) -> Bill | None:
    """Return the first bill that a query names, such as `H.R. 3684 (117th Congress)`; None if it names none."""
    match = _BILL.search(text)
    if match is None:
        return None
    congress = _CONGRESS.search(text)
    return Bill(re.sub(r"[^a-z]", "", match[1].lower()), match[2], congress[1] if congress else "")
