from typing import Any, ClassVar

import pytest
from tests.search.opened_engines import KEY, SPECS, given
from typing_extensions import override

from deepresearch_mcp.exceptions import KeyRefused, ProviderError
from deepresearch_mcp.records.sources import Hit, Query
from deepresearch_mcp.search.api_engine import ApiEngine
from deepresearch_mcp.search.errors import was_sent
from deepresearch_mcp.search.http_engine import ApiRequest, Refusal
from deepresearch_mcp.search.parts import EngineParts
from deepresearch_mcp.search.rows import hit


class Toy(ApiEngine):
    """A service that finds as many pages as it says, and has two pages of hits."""

    refusals: ClassVar = (
        Refusal(400, b"bad key", "key"),
        Refusal(429, b"no credit", "quota"),
        Refusal(404, b"no pages", "nothing"),
    )

    @override
    def _request(self, query: Query) -> ApiRequest | None:
        if query.page > 2:
            return None
        return ApiRequest("/find", json={"q": query.text, "safe": self._safe_search}, headers=self._bearer)

    @override
    def _hits(self, query: Query, body: bytes) -> list[Hit]:
        return [hit(self.name, f"https://a.test/{number}", "", "") for number in range(int(body))]


@pytest.fixture
def toy(service: Any, clock: Any) -> Toy:
    return Toy.from_parts(EngineParts(SPECS["exa"], given("exa", safe_search="strict"), service.http, service, clock))


async def test_a_request_goes_to_the_services_address_with_the_key(toy: Toy, service: Any) -> None:
    service.says(b"3")

    assert len(await toy.search(Query("ice", limit=2))) == 2
    [request] = service.requests
    assert str(request.url) == "https://api.exa.ai/find"
    assert request.headers["authorization"] == f"Bearer {KEY}"
    assert service.json == {"q": "ice", "safe": "strict"}


async def test_for_hits_that_the_service_never_gives_nothing_is_sent(toy: Toy, service: Any) -> None:
    assert await toy.search(Query("ice", page=3)) == []
    assert service.requests == []


@pytest.mark.parametrize(
    ("status", "body", "told"),
    [
        (400, b"Bad Key", "Set EXA_API_KEY to a key that works"),
        (429, b"No credit", "quota is used up"),
    ],
)
async def test_a_refusal_is_known_by_its_body(toy: Toy, service: Any, status: int, body: bytes, told: str) -> None:
    service.says(body, status=status)

    with pytest.raises(KeyRefused, match=told) as caught:
        await toy.search(Query("ice"))
    assert was_sent(caught.value)


async def test_nothing_found_may_come_as_an_error_status(toy: Toy, service: Any) -> None:
    service.says(b"no pages", status=404)
    assert await toy.search(Query("ice")) == []

    service.says(b"no such path", status=404)
    with pytest.raises(ProviderError, match="HTTP 404"):
        await toy.search(Query("ice"))
