import httpx2
import pytest

from deepresearch_mcp.exceptions import (
    BudgetExceeded,
    ContextOverflow,
    DeepResearchError,
    KeyRefused,
    ProviderError,
    RateLimited,
    StoreError,
    UnreadableAnswer,
)
from deepresearch_mcp.llm.failures import (
    Endpoint,
    error_of_status,
    http_errors,
    model_key_refused,
    surely_unpaid,
    unreachable,
)
from deepresearch_mcp.llm.sdk import load_package

HERE = Endpoint("openai:m", "OPENAI_API_KEY", "OPENAI_BASE_URL")
REQUEST = httpx2.Request("POST", "https://api.example.test/v1")


def response(status: int, body: str = "", **headers: str) -> httpx2.Response:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return httpx2.Response(status, text=body, headers=named, request=REQUEST)


@pytest.mark.parametrize("body", ["", "[]", '{"error": "text"}', '{"error": {"code": "Two words", "type": 3}}', "{"])
def test_free_text_of_a_service_is_never_repeated(body: str) -> None:
    assert str(error_of_status(HERE, response(400, body))) == "openai:m: HTTP 400: it refuses the request"


def test_identifiers_of_a_service_are_repeated() -> None:
    error = error_of_status(HERE, response(400, '{"error": {"code": "unsupported_value", "param": "text.format"}}'))

    assert error.reason == "HTTP 400: it refuses the request (unsupported_value, text.format)"


def test_an_address_that_can_be_set_is_named_when_nothing_answers_there() -> None:
    assert "OPENAI_BASE_URL" in str(unreachable(HERE, timed_out=False))
    assert "See that its server runs" in str(unreachable(HERE, timed_out=False))
    vendor = Endpoint("openai:m", "OPENAI_API_KEY", "OPENAI_BASE_URL", own_address=False)
    assert "Check the network" in str(unreachable(vendor, timed_out=False))
    assert "OPENAI_BASE_URL sets another address" in str(unreachable(vendor, timed_out=False))
    assert str(unreachable(Endpoint("gemini:m"), timed_out=False)) == (
        "gemini:m: it cannot be reached Check the network; behind a proxy, set web.proxy."
    )
    assert "DEEPRESEARCH_MODEL__TIMEOUT" in str(unreachable(HERE, timed_out=True))


@pytest.mark.parametrize(("status", "code"), [(404, "not_found_error"), (404, ""), (400, "model_not_found")])
def test_a_model_that_there_is_not_is_told_with_what_to_check(status: int, code: str) -> None:
    error = error_of_status(HERE, response(status, f'{{"error": {{"code": "{code}"}}}}'))

    assert error.reason == f"HTTP {status}: there is no such model"
    assert error.action == "Check the model's name, and the address that OPENAI_BASE_URL sets."
    assert error_of_status(Endpoint("gemini:m"), response(404, "")).action == "Check the model's name."


def test_a_service_without_keys_is_told_without_a_variable() -> None:
    assert str(model_key_refused(Endpoint("ollama:m"), "HTTP 401")) == "ollama:m: HTTP 401."


def caused(error: DeepResearchError, cause: BaseException) -> DeepResearchError:
    error.__cause__ = cause
    return error


@pytest.mark.parametrize(
    ("error", "unpaid"),
    [
        (KeyRefused("p", "no"), True),
        (RateLimited("p", "wait"), True),
        (ContextOverflow("p", "long"), True),
        (BudgetExceeded("max_usd", 1, 1), True),
        (StoreError("no"), False),
        (ProviderError("p", "?", retryable=True), False),
        (ProviderError("p", "?"), False),
        (UnreadableAnswer("p", "?"), False),
        (caused(ProviderError("p", "?"), httpx2.ConnectError("refused")), True),
        (caused(ProviderError("p", "?"), caused(StoreError("x"), httpx2.ConnectTimeout(""))), True),
        (caused(ProviderError("p", "?"), httpx2.ReadTimeout("")), False),
        (caused(ProviderError("p", "?"), httpx2.HTTPStatusError("", request=REQUEST, response=response(404))), True),
        (caused(ProviderError("p", "?"), httpx2.HTTPStatusError("", request=REQUEST, response=response(408))), False),
        (caused(ProviderError("p", "?"), httpx2.HTTPStatusError("", request=REQUEST, response=response(502))), False),
    ],
)
def test_only_what_was_turned_away_at_the_door_is_surely_unpaid(error: DeepResearchError, unpaid: bool) -> None:
    assert surely_unpaid(error) is unpaid


@pytest.mark.parametrize(
    ("raised", "kind"),
    [
        (httpx2.HTTPStatusError("", request=REQUEST, response=response(401)), KeyRefused),
        (httpx2.InvalidURL("no"), ProviderError),
        (httpx2.ReadTimeout(""), ProviderError),
        (UnicodeDecodeError("utf-8", b"\xff", 0, 1, ""), UnreadableAnswer),
    ],
)
def test_what_http_raises_becomes_our_own(raised: Exception, kind: type[ProviderError]) -> None:
    with pytest.raises(ProviderError) as caught, http_errors(HERE):
        raise raised

    assert type(caught.value) is kind


def test_an_answer_that_the_sdk_refuses_to_read_is_unreadable() -> None:
    from deepresearch_mcp.llm.failures import sdk_errors

    package = load_package("openai")

    with pytest.raises(UnreadableAnswer), sdk_errors(HERE, package):
        raise package.APIResponseValidationError(response(200), None)
