"""Entries of Wikidata, found by the names in a query."""

import re

from pydantic import BaseModel, Field
from typing_extensions import override

from deepresearch_mcp.records.sources import Hit, Query
from deepresearch_mcp.search.data_sources.wikipedia import Fault, fault_of
from deepresearch_mcp.search.errors import provider_errors
from deepresearch_mcp.search.http_engine import ApiRequest, HttpEngine
from deepresearch_mcp.search.limits import first_words, language_code, leaves_out
from deepresearch_mcp.search.rows import Words, hit, read_rows
from deepresearch_mcp.text.names import name_runs

_LONGEST = 250
_MOST_NAMES = 3
"""Names of one query that are looked up, each by a request."""


class _Row(BaseModel):
    id: str = Field(pattern=r"^Q\d{1,12}$")
    label: Words = ""
    description: Words = ""


class _Answer(BaseModel):
    search: list[object] | None = None
    error: Fault | None = None


class Wikidata(HttpEngine):
    """Wikidata. It knows things by their names, so the names in a query are looked up, or its words if it has none."""

    @override
    async def search(self, query: Query, *, needs: tuple[str, ...] = ()) -> list[Hit]:
        """Return at most 50 entries, the best of each name first. Entries have no publication date."""
        del needs
        if leaves_out("https://www.wikidata.org", query.filters):
            return []
        names = _names(query.text)
        size = max(1, min(50, -(-query.limit // max(1, len(names)))))
        answers = [await self._look_up(name, query, size) for name in names]
        ranked = [row for rank in range(size) for rows in answers for row in rows[rank : rank + 1]]
        unique = {row.id: row for row in reversed(ranked)}
        return [
            hit(self.name, f"https://www.wikidata.org/wiki/{row.id}", row.label, row.description)
            for row in reversed(unique.values())
        ][: query.limit]

    async def _look_up(self, name: str, query: Query, size: int) -> list[_Row]:
        language = language_code(query.filters) or "en"
        params: dict[str, str | int] = {
            "action": "wbsearchentities",
            "search": name,
            "language": language,
            "uselang": language,
            "type": "item",
            "limit": size,
            "continue": (query.page - 1) * size,
            "format": "json",
            "formatversion": 2,
        }
        body = await self._answer(ApiRequest("/w/api.php", "GET", params=params))
        with provider_errors(self.name):
            answer = _Answer.model_validate_json(body)
            if answer.error or answer.search is None:
                raise fault_of(self.name, answer.error)
            return read_rows(self.name, _Row, answer.search)


def _names(text: str) -> list[str]:
    """Return the names to look up, as the text has them; those of several words first."""
    if numbered := re.findall(r"\bQ\d{1,12}\b", text):
        return list(dict.fromkeys(numbered))[:_MOST_NAMES]
    runs = sorted(dict.fromkeys(name_runs(text)), key=lambda run: len(run) == 1)
    return [first_words(" ".join(run), _LONGEST) for run in runs][:_MOST_NAMES] or [first_words(text, _LONGEST)]
