import json

import httpx2
import pytest
from pydantic import BaseModel

from deepresearch_mcp.exceptions import (
    BudgetExceeded,
    KeyRefused,
    ProviderError,
    RateLimited,
    UnreadableAnswer,
)
from deepresearch_mcp.search.errors import engine_key_refused, provider_errors, was_sent

SECRET = "tvly-do-not-show"


def refused(provider: str, status: int, headers: dict[str, str] | None = None) -> ProviderError:
    request = httpx2.Request("GET", f"http://10.0.0.9/search?key={SECRET}")
    with pytest.raises(ProviderError) as caught, provider_errors(provider):
        httpx2.Response(status, headers=headers, request=request, text=f"no: {SECRET}").raise_for_status()
    return caught.value


def failed(error: Exception) -> ProviderError:
    with pytest.raises(ProviderError) as caught, provider_errors("searxng"):
        raise error
    return caught.value


class TestARefusal:
    @pytest.mark.parametrize(
        ("status", "kind", "retryable"),
        [
            (401, KeyRefused, False),
            (403, KeyRefused, False),
            (402, KeyRefused, False),
            (432, KeyRefused, False),
            (429, RateLimited, True),
            (500, ProviderError, True),
            (503, ProviderError, True),
            (408, ProviderError, True),
            (301, ProviderError, False),
            (400, ProviderError, False),
        ],
    )
    def test_says_by_its_kind_whether_asking_again_can_help(
        self, status: int, kind: type[ProviderError], retryable: bool
    ) -> None:
        error = refused("tavily", status)

        assert type(error) is kind
        assert error.retryable is retryable
        assert str(status) in str(error)

    @pytest.mark.parametrize(("provider", "variable"), [("tavily", "TAVILY_API_KEY"), ("brave", "BRAVE_API_KEY")])
    def test_of_a_key_names_the_variable_to_set(self, provider: str, variable: str) -> None:
        assert variable in str(refused(provider, 401))

    def test_by_a_service_without_keys_is_not_about_a_key(self) -> None:
        error = refused("wikipedia", 403)

        assert not isinstance(error, KeyRefused)
        assert "key" not in str(error)

    def test_never_repeats_what_the_service_wrote_nor_its_address(self) -> None:
        for status in (301, 401, 403, 418, 429, 432, 503):
            assert SECRET not in str(refused("tavily", status))
            assert "10.0.0.9" not in str(refused("tavily", status))

    def test_carries_the_wait_it_asks_for(self) -> None:
        assert refused("brave", 429, {"Retry-After": "7"}).retry_after == 7
        assert refused("brave", 503, {"Retry-After": "7"}).retry_after == 7
        assert refused("brave", 429).retry_after is None


class TestAFailure:
    @pytest.mark.parametrize(
        "error",
        [httpx2.ConnectError("x"), httpx2.ReadTimeout("x"), httpx2.RemoteProtocolError("x"), httpx2.ReadError("x")],
    )
    def test_of_the_connection_is_retryable(self, error: httpx2.HTTPError) -> None:
        assert failed(error).retryable

    @pytest.mark.parametrize(
        "error", [httpx2.InvalidURL("x"), httpx2.UnsupportedProtocol("x"), httpx2.LocalProtocolError(SECRET)]
    )
    def test_of_our_own_address_or_header_is_not_retryable(self, error: Exception) -> None:
        made = failed(error)

        assert not made.retryable
        assert SECRET not in str(made)

    def test_of_the_answers_shape_is_unreadable(self) -> None:
        class Shape(BaseModel):
            results: list[int]

        with pytest.raises(UnreadableAnswer), provider_errors("brave"):
            Shape.model_validate_json(b'{"results": 3}')
        with pytest.raises(UnreadableAnswer), provider_errors("brave"):
            json.loads("<html>")
        with pytest.raises(UnreadableAnswer), provider_errors("brave"):
            b"\xff".decode()
        with pytest.raises(UnreadableAnswer), provider_errors("brave"):
            raise httpx2.DecodingError("bad gzip")

    def test_that_is_no_ones_fault_outside_passes(self) -> None:
        with pytest.raises(BudgetExceeded), provider_errors("brave"):
            raise BudgetExceeded("max_searches", 8, 8)


class TestWasSent:
    def test_is_false_only_where_no_one_can_have_heard(self) -> None:
        assert not was_sent(failed(httpx2.ConnectError("x")))
        assert not was_sent(failed(httpx2.InvalidURL("x")))
        assert not was_sent(engine_key_refused("brave", "empty"))
        assert not was_sent(BudgetExceeded("max_searches", 8, 8))

    def test_is_true_where_someone_may_have(self) -> None:
        assert was_sent(failed(httpx2.ReadTimeout("x")))
        assert was_sent(refused("tavily", 401))
        assert was_sent(refused("tavily", 503))
        assert was_sent(ProviderError("brave", "no answer within 15 s", retryable=True))


def test_a_provider_without_a_key_has_no_variable_to_name() -> None:
    assert engine_key_refused("searxng", "no").action == ""
