"""Whatever a service sends, an engine answers with hits or raises a ProviderError."""

import json
from datetime import UTC, date, datetime
from typing import Any

import anyio
import httpx2
import pytest
from hypothesis import given
from hypothesis import strategies as st

from deepresearch_mcp.exceptions import ProviderError
from deepresearch_mcp.records.sources import Hit, Query
from deepresearch_mcp.records.specs import WEB_ENGINE_NAMES
from deepresearch_mcp.search.registry import open_engines
from deepresearch_mcp.settings.schema import SearchSettings


class Still:
    """A clock of which only the date is looked at."""

    def now(self) -> datetime:
        return datetime(2026, 11, 20, tzinfo=UTC)

    def today(self) -> date:
        return self.now().date()

    def monotonic(self) -> float:
        return 0.0

    async def sleep(self, seconds: float) -> None:
        raise AssertionError("nobody waits here")


WORDS = (
    "type search query web results url title description page_age content publishedDate published_date error code "
    "unresponsive_engines snippet snippets highlights link date name organic organic_results searchParameters "
    "search_metadata status items kind data time"
)
LEAVES = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8)
JSON = st.recursive(
    LEAVES | st.sampled_from(["search", "https://a.test/", "2026-02-12"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(WORDS.split()), inner, max_size=4),
    max_leaves=12,
)
ROW = st.dictionaries(st.sampled_from(WORDS.split()), JSON, max_size=5)
SHAPED = st.one_of(
    st.builds(lambda rows: {"type": "search", "web": {"results": rows}}, st.lists(ROW | JSON, max_size=3)),
    st.builds(
        lambda rows, name: {name: rows, "searchParameters": {}, "kind": "customsearch#search", "search_metadata": {}},
        st.lists(ROW | JSON, max_size=3),
        st.sampled_from(["results", "organic", "organic_results", "items", "data"]),
    ),
    st.builds(
        lambda rows, name, inner: {name: {inner: rows}},
        st.lists(ROW | JSON, max_size=3),
        st.sampled_from(["results", "data"]),
        st.sampled_from(["web", "search"]),
    ),
    st.builds(lambda rows: {"query": {"search": rows}}, st.lists(ROW | JSON, max_size=3)),
)
BODIES = st.binary(max_size=40) | (JSON | SHAPED).map(lambda value: json.dumps(value).encode())

GIVEN = SearchSettings.model_validate(
    {name: "https://searx.test" if name.endswith("_url") else "key" for name in SearchSettings.model_fields
     if name.endswith(("_key", "_url", "_engine_id")) and not name.endswith("_base_url")}
)  # fmt: skip
NO_COLLECTIONS: Any = None
"""None of them looks there."""
ASKED = [name for name in WEB_ENGINE_NAMES if name != "duckduckgo"]
"""ddgs asks the engines behind duckduckgo with a client of its own."""


@pytest.mark.parametrize("name", ASKED)
@given(body=BODIES, status=st.sampled_from([200, 200, 200, 204, 302, 401, 422, 429, 500]))
def test_junk_becomes_hits_or_a_provider_error(name: str, body: bytes, status: int) -> None:
    async def search() -> list[Hit]:
        transport = httpx2.MockTransport(lambda request: httpx2.Response(status, content=body))
        async with httpx2.AsyncClient(transport=transport) as http:
            [engine] = open_engines((name,), GIVEN, http, NO_COLLECTIONS, Still())
            return await engine.search(Query("ice"))

    try:
        hits: Any = anyio.run(search)
    except ProviderError:
        return
    assert all(isinstance(hit, Hit) and hit.url for hit in hits)
