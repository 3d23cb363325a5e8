"""Translates failures of model services into our own errors."""

import json
import re
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import httpx2

from deepresearch_mcp.breaker import CircuitOpen
from deepresearch_mcp.exceptions import (
    UNREACHABLE,
    BudgetExceeded,
    ContextOverflow,
    DeepResearchError,
    KeyRefused,
    ProviderError,
    RateLimited,
    UnreadableAnswer,
)
from deepresearch_mcp.retry_after import retry_after

_UNSENT = (
    httpx2.ConnectError,
    httpx2.ConnectTimeout,
    httpx2.PoolTimeout,
    httpx2.UnsupportedProtocol,
    httpx2.LocalProtocolError,
    httpx2.InvalidURL,
    ImportError,
    CircuitOpen,
)
_TOO_LONG = re.compile(
    r"prompt is too long|context[ _-]?(?:length|window|size|limit)|maximum context|too many (?:input )?tokens"
    r"|input (?:token count|is too long|tokens exceed)|request_too_large",
    re.IGNORECASE,
)
_SPENT = re.compile(r"insufficient_quota|credit balance", re.IGNORECASE)
_NO_MODEL = re.compile(r"model_not_found|model_not_exist", re.IGNORECASE)
# Gemini reports a wrong key with a 400.
_WRONG_KEY = re.compile(r"API_KEY_INVALID|api key not valid|invalid (?:x-)?api[- _]key", re.IGNORECASE)
_SMALLER = "Use a model with a larger context, or lower research.batch_chars."
# 529 is Anthropic's own: its total load exceeds its capacity.
_BUSY = {429: "too many requests for now", 529: "it is overloaded"}
_IDENTIFIER = re.compile(r"[a-z][a-z_.]{2,50}")


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A model's service, and what the user can configure about it."""

    name: str
    """`PROVIDER:NAME`, for messages."""
    key_variable: str = ""
    """The environment variable that holds the key; empty if the service takes none."""
    address_variable: str = ""
    """The environment variable that sets the address; empty if it is fixed."""
    own_address: bool = True
    """Whether the user set the address or it is our default for this machine; False for a vendor's address."""


@contextmanager
def http_errors(endpoint: Endpoint) -> Generator[None]:
    """Translate errors of plain httpx2, and an answer that is not JSON.

    Raises:
        ProviderError: See `error_of_status` and `unreachable`.
        UnreadableAnswer: The body is not JSON.
    """
    try:
        yield
    except httpx2.HTTPStatusError as error:
        raise error_of_status(endpoint, error.response) from error
    except (httpx2.HTTPError, httpx2.InvalidURL) as error:
        raise unreachable(endpoint, timed_out=isinstance(error, httpx2.TimeoutException)) from error
    except (json.JSONDecodeError, UnicodeDecodeError) as error:
        raise UnreadableAnswer(endpoint.name, "its answer is not JSON") from error


@contextmanager
def sdk_errors(endpoint: Endpoint, sdk: ModuleType) -> Generator[None]:
    """Translate errors of either vendor's SDK. Both SDKs use the same exception names.

    Messages hold our own words, a status and the service's identifiers, never a key, an
    address or a sentence that the service wrote.

    Raises:
        KeyRefused: 401, 402, 403, or a spent quota.
        RateLimited: 429 or 529.
        ContextOverflow: 413, or 400 or 422 about the prompt's length; nothing was billed.
        UnreadableAnswer: The body is not JSON or has an unexpected shape.
        ProviderError: Anything else; retryable for 408, 409, 425, 5xx, time-outs and broken connections.
    """
    try:
        with http_errors(endpoint):
            yield
    except sdk.APIStatusError as error:
        raise error_of_status(endpoint, error.response) from error
    except sdk.APIResponseValidationError as error:
        raise UnreadableAnswer(endpoint.name, "its answer has an unexpected shape") from error
    except sdk.APIConnectionError as error:
        raise unreachable(endpoint, timed_out=isinstance(error, sdk.APITimeoutError)) from error


def error_of_status(endpoint: Endpoint, response: httpx2.Response) -> ProviderError:
    """Return the error for a response with a status of 300 or more."""
    status, name, said = response.status_code, endpoint.name, response.text
    if about_key(status, said):
        spent = status == 402 or _SPENT.search(said)
        reason = "the key's quota is used up" if spent else "the key is missing, wrong or not allowed this"
        return model_key_refused(endpoint, f"HTTP {status}: {reason}", spent=bool(spent))
    if status in _BUSY:
        return RateLimited(name, f"HTTP {status}: {_BUSY[status]}", retry_after=retry_after(response.headers))
    if is_too_long(status, said):
        return ContextOverflow(name, "the prompt is longer than the model takes", action=_SMALLER)
    if status == 404 or (status == 400 and _NO_MODEL.search(said)):
        setting = f" that {endpoint.address_variable} sets" if endpoint.address_variable else ""
        action = f"Check the model's name, and the address{setting}." if setting else "Check the model's name."
        return ProviderError(name, f"HTTP {status}: there is no such model", action=action)
    if status in {408, 409, 425} or status >= 500:
        return ProviderError(name, f"HTTP {status}", retryable=True, retry_after=retry_after(response.headers))
    return ProviderError(name, f"HTTP {status}: it refuses the request{_identifiers(said)}")


def unreachable(endpoint: Endpoint, *, timed_out: bool) -> ProviderError:
    """Return the error for a failed connection or a time-out; it is always retryable."""
    if timed_out:
        action = "Raise DEEPRESEARCH_MODEL__TIMEOUT if it is always slow."
        return ProviderError(endpoint.name, "no answer in time", retryable=True, action=action)
    variable = endpoint.address_variable
    if variable and endpoint.own_address:
        action = f"See that its server runs and that {variable} is its address."
    else:
        action = "Check the network; behind a proxy, set web.proxy."
        action += f" {variable} sets another address." if variable else ""
    return ProviderError(endpoint.name, UNREACHABLE, retryable=True, action=action)


def model_key_refused(endpoint: Endpoint, reason: str, *, spent: bool = False) -> KeyRefused:
    """Return an error that names the environment variable to set."""
    variable = endpoint.key_variable
    way = "another key, or raise its quota" if spent else "a key that works"
    return KeyRefused(endpoint.name, f"{reason}.", action=f"Set {variable} to {way}." if variable else "")


def is_too_long(status: int, said: str) -> bool:
    """Return whether a refusal is about the length of the prompt."""
    return status == 413 or (status in {400, 422} and bool(_TOO_LONG.search(said)))


def about_key(status: int, said: str) -> bool:
    """Return whether a refusal is about the key or the credit of its account."""
    if status in {400, 429} and _SPENT.search(said):
        return True
    return status in {401, 402, 403} or (status == 400 and bool(_WRONG_KEY.search(said)))


def surely_unpaid(error: DeepResearchError) -> bool:
    """Return whether a failed call certainly cost nothing: it was never sent, or was refused before processing.

    After a time-out, a broken connection, a 5xx or an unreadable answer the cost is unknown.
    """
    if isinstance(error, KeyRefused | RateLimited | ContextOverflow | BudgetExceeded):
        return True
    if not isinstance(error, ProviderError):
        return False
    cause: BaseException | None = error
    while cause := cause.__cause__:
        if isinstance(cause, _UNSENT):
            return True
        response = getattr(cause, "response", None)
        if isinstance(response, httpx2.Response) and 300 <= response.status_code < 500:
            return response.status_code != 408
    return False


def turned_down(error: DeepResearchError) -> bool:
    """Return whether the service reported the failure with a status, and so wrote no output."""
    cause: BaseException | None = error
    while cause := cause.__cause__:
        response = getattr(cause, "response", None)
        if isinstance(response, httpx2.Response):
            return response.status_code >= 400
    return False


def _identifiers(said: str) -> str:
    # Identifiers such as `unsupported_parameter` are safe to show; free text could hold anything.
    try:
        error: Any = json.loads(said)["error"]
        words = [error.get(field) for field in ("code", "type", "param")]
    except (ValueError, LookupError, TypeError, AttributeError):
        return ""
    kept = [word for word in words if isinstance(word, str) and _IDENTIFIER.fullmatch(word)]
    return f" ({', '.join(kept)})" if kept else ""
