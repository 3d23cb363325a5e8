"""Turns the errors of a server back into those of this package."""

from collections.abc import Iterator
from typing import Any

import httpx2

from deepresearch_mcp.exceptions import BudgetExceeded, DeepResearchError, FetchFailed, ProviderError

_LONGEST = 2_000


def error_of(answer: httpx2.Response, path: str) -> DeepResearchError:
    """Return the error that a problem+json (RFC 9457) tells, by its `code`.

    An answer of another shape, as that of a proxy, becomes a `ProviderError`. Attributes that are not sent have their
    empty value; `run_id` is that of the path.
    """
    try:
        problem: Any = answer.json()
        code, detail = str(problem["code"]), str(problem["detail"])[:_LONGEST]
        action = str(problem.get("action", ""))[:_LONGEST]
    except (ValueError, KeyError, TypeError, AttributeError):
        retryable = answer.status_code in {429, 502, 503, 504}
        return ProviderError(str(answer.url.host), f"it answered HTTP {answer.status_code}", retryable=retryable)
    kind = next((one for one in _kinds(DeepResearchError) if one.code == code), DeepResearchError)
    # Their own constructors word a message; the server has done so already.
    error = kind.__new__(kind)
    DeepResearchError.__init__(error, detail, action)
    wait = answer.headers.get("retry-after", "")
    known: dict[str, Any] = {"run_id": path.split("/")[3] if path.startswith("/research/runs/") else "", "scope": ""}
    if isinstance(error, ProviderError):
        known = {"provider": "", "reason": detail, "retryable": answer.status_code in {429, 503}, "tried": ()}
        known["retry_after"] = float(wait) if wait.isascii() and wait.isdecimal() else None
    elif isinstance(error, FetchFailed):
        known = {"url": "", "reason": "unreachable"}
    elif isinstance(error, BudgetExceeded):
        known = {"kind": "", "spent": 0.0, "ceiling": 0.0}
    for name, value in known.items():
        setattr(error, name, value)
    return error


def _kinds(kind: type[DeepResearchError]) -> Iterator[type[DeepResearchError]]:
    yield kind
    for child in kind.__subclasses__():
        yield from _kinds(child)
