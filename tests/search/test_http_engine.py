from typing import Any, ClassVar

import pytest
from tests.search.opened_engines import SPECS, given
from typing_extensions import override

from deepresearch_mcp.exceptions import KeyRefused, ProviderError, SettingsError
from deepresearch_mcp.records.sources import Hit, Query
from deepresearch_mcp.search.http_engine import ApiRequest, HttpEngine, Refusal
from deepresearch_mcp.search.parts import EngineParts
from deepresearch_mcp.search.rows import hit


class Records(HttpEngine):
    """A service that knows records by their names."""

    home: ClassVar = "https://records.test/"
    refusals: ClassVar = (Refusal(400, b"bad key", "key"), Refusal(422, b"unknown", "nothing"))

    @override
    async def search(self, query: Query, *, needs: tuple[str, ...] = ()) -> list[Hit]:
        body = await self._record(ApiRequest(f"/{query.text}", "GET"))
        return [] if body is None else [hit(self.name, "https://a.test/", body.decode(), "")]


def engine(spec: str, service: Any, clock: Any, **more: Any) -> Records:
    return Records.from_parts(EngineParts(SPECS[spec], given(spec, **more), service.http, service, clock))


async def test_its_name_is_the_specs_and_its_address_the_users_else_the_specs_else_its_own(
    service: Any, clock: Any
) -> None:
    service.says(b"ice")
    engines = [
        engine("exa", service, clock, exa_base_url="https://mine.test/"),
        engine("exa", service, clock),
        engine("npm", service, clock),
    ]

    hits = [found for one in engines for found in await one.search(Query("snow"))]

    assert [one.engines for one in hits] == [("exa",), ("exa",), ("npm",)]
    asked = [str(request.url) for request in service.requests]
    assert asked == ["https://mine.test/snow", "https://api.exa.ai/snow", "https://records.test/snow"]


@pytest.mark.parametrize(("status", "body"), [(404, b""), (410, b"gone"), (422, b"Unknown name")])
async def test_a_record_that_is_not_there_is_nothing_found(service: Any, clock: Any, status: int, body: bytes) -> None:
    service.says(body, status=status)

    assert await engine("npm", service, clock).search(Query("ice")) == []


@pytest.mark.parametrize(
    ("status", "body", "kind", "told"),
    [
        (400, b"Bad Key", KeyRefused, "Set EXA_API_KEY to a key that works"),
        (422, b"odd", ProviderError, "HTTP 422"),
        (500, b"unknown", ProviderError, "HTTP 500"),
    ],
)
async def test_any_other_refusal_is_an_error(
    service: Any, clock: Any, status: int, body: bytes, kind: type[ProviderError], told: str
) -> None:
    service.says(body, status=status)

    with pytest.raises(kind, match=told):
        await engine("exa", service, clock).search(Query("ice"))


def test_without_the_key_or_the_address_that_it_needs_it_does_not_open(service: Any, clock: Any) -> None:
    with pytest.raises(SettingsError, match="Set EXA_API_KEY"):
        engine("exa", service, clock, exa_key=None)
    with pytest.raises(SettingsError, match="Set SEARXNG_URL"):
        engine("searxng", service, clock)
    assert engine("tavily", service, clock, tavily_key=None).name == "tavily"
