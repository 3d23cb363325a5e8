"""Failures of a model service, translated into our own errors in one place."""

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
# Gemini says so with a 400.
_WRONG_KEY = re.compile(r"API_KEY_INVALID|api key not valid|invalid (?:x-)?api[- _]key", re.IGNORECASE)
# 529 is Anthropic's: its total load is above its capacity.
_SMALLER = "Use a model with a larger context, or lower research.batch_chars."
_BUSY = {429: "too many requests for now", 529: "it is overloaded"}
_IDENTIFIER = re.compile(r"[a-z][a-z_.]{2,50}")


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Whose service it is, and what the user can change about it."""

    name: str
    """`PROVIDER:NAME`, for messages."""
    key_variable: str = ""
    """The environment variable that holds the key; empty if the service takes none."""
    address_variable: str = ""
    """The environment variable that sets the address; empty if it is fixed."""
    own_address: bool = True
    """Whether the user's settings, or our defaults for this machine, give the address; else it is the vendor's."""


@contextmanager
def http_errors(endpoint: Endpoint) -> Generator[None]:
    """Translate what plain httpx2 raises, and an answer that is not JSON.

    Raises:
        ProviderError: As `error_of_status` and `unreachable` say.
        UnreadableAnswer: The body is not JSON.
    """
    try:
        yield
    except httpx2.HTTPStatusError as error:
        raise error_of_status(endpoint, error.response) from error
    except (httpx2.HTTPError, httpx2.InvalidURL) as error:
        raise unreachable(endpoint, timed_out=isinstance(error, httpx2.TimeoutException)) from error
    except (json.JSONDecodeError, UnicodeDecodeError) as error:
        raise UnreadableAnswer(endpoint.name, "its answer is no JSON") from error


@contextmanager
def sdk_errors(endpoint: Endpoint, sdk: ModuleType) -> Generator[None]:
    """Translate what the SDK of either vendor raises. Both use the same exception names.

    Messages hold our own words, a status and identifiers of the service: never a key, an
    address or a sentence that the service wrote.

    Raises:
        KeyRefused: 401, 402, 403, or a quota that is used up.
        RateLimited: 429, and 529.
        ContextOverflow: 413, or 400 about the prompt's length; nothing was paid.
        UnreadableAnswer: The body is not JSON, or has another shape.
        ProviderError: Anything else; retryable for 408, 409, 425, 5xx, time-outs and broken connections.
    """
    try:
        with http_errors(endpoint):
            yield
    except sdk.APIStatusError as error:
        raise error_of_status(endpoint, error.response) from error
    except sdk.APIResponseValidationError as error:
        raise UnreadableAnswer(endpoint.name, "its answer has another shape") from error
    except sdk.APIConnectionError as error:
        raise unreachable(endpoint, timed_out=isinstance(error, sdk.APITimeoutError)) from error


def error_of_status(endpoint: Endpoint, response: httpx2.Response) -> ProviderError:
    """Return the error for a status of 300 or more."""
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
    """Return the error for a failed connection; it is always retryable."""
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
    """Return the error that names the environment variable to set."""
    variable = endpoint.key_variable
    way = "another key, or raise its quota" if spent else "a key that works"
    return KeyRefused(endpoint.name, f"{reason}.", action=f"Set {variable} to {way}." if variable else "")


def is_too_long(status: int, said: str) -> bool:
    """Return whether a refusal is about the length of the prompt."""
    return status == 413 or (status in {400, 422} and bool(_TOO_LONG.search(said)))


def about_key(status: int, said: str) -> bool:
    """Return whether a refusal is about the key or its account's credit."""
    if status in {400, 429} and _SPENT.search(said):
        return True
    return status in {401, 402, 403} or (status == 400 and bool(_WRONG_KEY.search(said)))


def surely_unpaid(error: DeepResearchError) -> bool:
    """Return whether a failed call certainly cost nothing: it was never sent, or was refused unprocessed.

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
    """Return whether the service reported the failure with a status: then it wrote no output."""
    cause: BaseException | None = error
    while cause := cause.__cause__:
        response = getattr(cause, "response", None)
        if isinstance(response, httpx2.Response):
            return response.status_code >= 400
    return False


def _identifiers(said: str) -> str:
    # Words like `unsupported_parameter` say what is wrong; free text could hold anything.
    try:
        error: Any = json.loads(said)["error"]
        words = [error.get(field) for field in ("code", "type", "param")]
    except (ValueError, LookupError, TypeError, AttributeError):
        return ""
    kept = [word for word in words if isinstance(word, str) and _IDENTIFIER.fullmatch(word)]
    return f" ({', '.join(kept)})" if kept else ""
