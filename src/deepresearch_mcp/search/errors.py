"""Translates failures of search services into our own errors."""

import json
from collections.abc import Generator
from contextlib import contextmanager

import httpx2
from pydantic import ValidationError

from deepresearch_mcp.breaker import CircuitOpen
from deepresearch_mcp.exceptions import (
    UNREACHABLE,
    DeepResearchError,
    KeyRefused,
    ProviderError,
    RateLimited,
    UnreadableAnswer,
)
from deepresearch_mcp.retry_after import retry_after
from deepresearch_mcp.settings.services import VENDOR_NAMES

# 402 is "Payment Required"; 432 and 433 are Tavily's own, for the limits of a plan and of pay-as-you-go.
_SPENT = frozenset({402, 432, 433})


class NothingSent(Exception):
    """The cause of an error that was raised before anything could be sent."""


_UNASKED = (
    NothingSent,
    httpx2.ConnectError,
    httpx2.ConnectTimeout,
    httpx2.PoolTimeout,
    httpx2.UnsupportedProtocol,
    httpx2.LocalProtocolError,
    httpx2.InvalidURL,
    CircuitOpen,
)


@contextmanager
def provider_errors(provider: str) -> Generator[None]:
    """Translate a service's failure into an error that a stage can act on.

    Messages hold the provider's name, a status and our own words, never a key, an
    address or anything that the service wrote.

    Raises:
        KeyRefused: 401, 403 or a spent quota, from a service that takes a key.
        RateLimited: 429.
        UnreadableAnswer: The body cannot be decoded, is not JSON or has an unexpected shape.
        ProviderError: Anything else; retryable for 408, 425, 5xx, broken connections and time-outs.
    """
    try:
        yield
    except httpx2.HTTPStatusError as error:
        raise _refusal(provider, error.response) from error
    except httpx2.DecodingError as error:
        raise UnreadableAnswer(provider, "its answer could not be decompressed") from error
    except httpx2.TimeoutException as error:
        raise ProviderError(provider, "no answer in time", retryable=True) from error
    except (httpx2.InvalidURL, httpx2.UnsupportedProtocol, httpx2.LocalProtocolError) as error:
        raise ProviderError(
            provider, "the query cannot be sent.", action="Check the address and the key in its settings."
        ) from error
    except httpx2.ConnectError as error:
        raise ProviderError(provider, UNREACHABLE, retryable=True) from error
    except httpx2.HTTPError as error:
        raise ProviderError(provider, "the connection broke", retryable=True) from error
    except ValidationError as error:
        raise UnreadableAnswer(provider, "its answer has an unexpected shape") from error
    except (json.JSONDecodeError, UnicodeDecodeError) as error:
        raise UnreadableAnswer(provider, "its answer is not JSON") from error


def engine_key_refused(provider: str, reason: str, *, spent: bool = False) -> KeyRefused:
    """Return an error that names the environment variable to set, if the provider takes a key."""
    variable = key_variable(provider)
    way = "another key, or raise its quota" if spent else "a key that works"
    return KeyRefused(provider, f"{reason}.", action=f"Set {variable} to {way}." if variable else "")


def key_variable(provider: str) -> str:
    """Return the vendor's usual environment variable for its key; "" for a service without keys."""
    return VENDOR_NAMES.get(f"search.{provider}_key", ("",))[0]


def was_sent(error: DeepResearchError) -> bool:
    """Return whether the service may have received the failed query, and may bill it.

    False only if it is certain that nothing was sent: there was no connection, or we refused the query ourselves.
    """
    if not isinstance(error, ProviderError) or isinstance(error.__cause__, _UNASKED):
        return False
    return not isinstance(error, KeyRefused) or error.__cause__ is not None


def _refusal(provider: str, response: httpx2.Response) -> ProviderError:
    status = response.status_code
    if status == 429:
        return RateLimited(provider, "HTTP 429: too many queries for now", retry_after=retry_after(response.headers))
    if status in {401, 403} and key_variable(provider):
        return engine_key_refused(provider, f"HTTP {status}: the key is missing or wrong")
    if status in _SPENT and key_variable(provider):
        return engine_key_refused(provider, f"HTTP {status}: the key's quota is used up", spent=True)
    if status in {408, 425} or status >= 500:
        return ProviderError(provider, f"HTTP {status}", retryable=True, retry_after=retry_after(response.headers))
    if 300 <= status < 400:
        return ProviderError(
            provider, f"HTTP {status}: its address has changed.", action="Check the address in its settings."
        )
    return ProviderError(provider, f"HTTP {status}: it refuses the query")
