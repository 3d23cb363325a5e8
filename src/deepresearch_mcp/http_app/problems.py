"""Errors as `application/problem+json` (RFC 9457): one shape for all that the HTTP service refuses.

`type`, `title`, `status` and `detail` are the RFC's; `code`, `name` and `action` are those of every error of this
package, as in docs/error-codes.md. `errors` names each wrong field of a request. There is never a stack trace.
"""

import logging
import math
import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import wraps
from http import HTTPStatus
from types import MappingProxyType
from typing import cast

from pydantic import BaseModel, ValidationError
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ExceptionHandler

from deepresearch_mcp import exceptions as e
from deepresearch_mcp.jobs.asking import wrong_argument
from deepresearch_mcp.pipeline.signal import leaf

_log = logging.getLogger(__name__)

MEDIA_TYPE = "application/problem+json"

STATUSES: Mapping[type[e.DeepResearchError], int] = MappingProxyType(
    {
        e.DeepResearchError: 500,
        e.InvalidRequest: 422,
        e.SettingsError: 422,
        e.UnknownRun: 404,
        e.UnknownCollection: 404,
        e.NotAuthenticated: 401,
        e.NotAuthorized: 403,
        e.ProviderError: 502,
        e.RateLimited: 503,
        e.EnginesDead: 502,
        e.ModelUnusable: 502,
        # No 502: a load balancer would take this server for dead, and ask the next one.
        e.FetchFailed: 424,
        e.FetchRefused: 422,
        e.BudgetExceeded: 409,
        e.DayCeilingMet: 429,
        e.TooManyWaiting: 429,
        e.StoreError: 503,
        e.ServersDied: 500,
        e.JournalError: 409,
    }
)
"""The status of each kind of error; that of its nearest ancestor where it has none of its own."""


class FieldProblem(BaseModel):
    """One wrong value of a request."""

    field: str
    """Its path, such as `config.limits.maxIterations`; empty for the whole."""
    message: str


class Problem(BaseModel):
    """The body of every error."""

    type: str
    """Path that says more about this kind of error; `about:blank` for one that is HTTP's alone."""
    title: str
    status: int
    detail: str
    code: str
    name: str
    action: str = ""
    """What the caller can do."""
    errors: list[FieldProblem] = []


def status_of(error: e.DeepResearchError) -> int:
    """The HTTP status of an error of ours."""
    return next(STATUSES[kind] for kind in type(error).__mro__ if kind in STATUSES)


def problem_of(
    error: e.DeepResearchError, *, status: int | None = None, errors: Sequence[FieldProblem] = ()
) -> Problem:
    """Describe an error of ours. `status` replaces that of its kind, where a route knows better."""
    return Problem(
        type=f"/problems/{error.code}",
        title=error.name.replace("_", " ").capitalize(),
        status=status or status_of(error),
        detail=error.message,
        code=error.code,
        name=error.name,
        action=_over_http(error.action),
        errors=list(errors),
    )


def _over_http(action: str) -> str:
    """A remedy in the words of this surface: the layers below name the tools of MCP."""
    return _TOOL.sub(lambda match: f"`{_OPERATIONS[match[0]]}`", action)


_OPERATIONS = {
    "list_runs": "GET /research/runs",
    "get_report": "GET /research/runs/RUN",
    "continue_research": "POST /research/runs/RUN/answer",
    "deep_research": "POST /research/runs",
    "cancel_run": "POST /research/runs/RUN/cancel",
    "check_citations": "POST /research/checks",
}
_TOOL = re.compile(rf"\b(?:{'|'.join(_OPERATIONS)})\b")


def problem_response(
    error: e.DeepResearchError,
    *,
    status: int | None = None,
    errors: Sequence[FieldProblem] = (),
    headers: Mapping[str, str] | None = None,
) -> Response:
    """Answer with an error of ours; `Retry-After` and `WWW-Authenticate` are set where its kind has them."""
    return response_of(problem_of(error, status=status, errors=errors), {**_headers(error), **(headers or {})})


def response_of(problem: Problem, headers: Mapping[str, str] | None = None) -> Response:
    """Answer with a problem; `errors` is left out where there is none."""
    body = problem.model_dump_json(exclude=None if problem.errors else {"errors"})
    return Response(body.encode("utf-8", "replace"), problem.status, headers, MEDIA_TYPE)


def _headers(error: e.DeepResearchError) -> dict[str, str]:
    if isinstance(error, e.NotAuthenticated):
        return {"WWW-Authenticate": "Bearer"}
    if isinstance(error, e.RateLimited) and error.retry_after is not None:
        return {"Retry-After": str(max(0, math.ceil(error.retry_after)))}
    if isinstance(error, e.DayCeilingMet):
        # A date, so that no clock is needed here.
        return {"Retry-After": error.free_again.strftime("%a, %d %b %Y %H:%M:%S GMT")}
    return {}


def fields_of(error: ValidationError) -> list[FieldProblem]:
    """Every wrong value, without the value itself: it may be a secret in the wrong place."""
    return [
        FieldProblem(field=".".join(map(str, one["loc"])), message=str(one["msg"]).removeprefix("Value error, "))
        for one in error.errors(include_url=False, include_context=False, include_input=False)
    ]


def invalid_response(error: ValidationError) -> Response:
    """Answer a request whose values are wrong: the first in a sentence, all of them in `errors`."""
    return problem_response(wrong_argument(error), errors=fields_of(error))


def http_response(status: int, detail: str = "", headers: Mapping[str, str] | None = None) -> Response:
    """Answer with an error that is HTTP's alone: no such path, a method that a path does not take, a body too large."""
    known = HTTPStatus(status) if status in _STANDARD else HTTPStatus.INTERNAL_SERVER_ERROR
    problem = Problem(
        type="about:blank",
        title=known.phrase,
        status=status,
        detail=detail or f"{known.phrase}.",
        code=e.InvalidRequest.code if status < _OURS else e.DeepResearchError.code,
        name=known.name,
        action=_ACTIONS.get(status, ""),
    )
    return response_of(problem, headers)


_ACTIONS: Mapping[int, str] = MappingProxyType(
    {
        400: "Send one JSON object, as /openapi.json describes it.",
        404: "/openapi.json lists what this server takes.",
        405: "/openapi.json lists what this server takes.",
        413: "Send less at once.",
        415: "Send JSON, with Content-Type: application/json.",
        429: "Wait as long as Retry-After says, and ask again.",
    }
)
"""By status, what the caller can do."""
_STANDARD = frozenset(int(one) for one in HTTPStatus)
_OURS = 500


def fault_response(error: BaseException, where: str) -> Response:
    """Answer any error; one that is not ours is told as a fault of this server, and its trace goes to the log alone."""
    if isinstance(error, BaseExceptionGroup):
        error = leaf(cast("BaseExceptionGroup[BaseException]", error))
    if isinstance(error, e.DeepResearchError):
        return problem_response(error)
    if isinstance(error, ValidationError):
        return invalid_response(error)
    if isinstance(error, HTTPException):
        return http_response(error.status_code, error.detail, error.headers)
    _log.error("%s failed unexpectedly", where, exc_info=error)
    unknown = e.DeepResearchError(
        "The request failed because of an error in this server; see its log.", "Runs continue. Try again."
    )
    return problem_response(unknown)


Endpoint = Callable[[Request], Awaitable[Response]]


def answering(endpoint: Endpoint) -> Endpoint:
    """Wrap an endpoint so that whatever it raises is answered as a problem. Being cancelled is no error."""

    @wraps(endpoint)
    async def answered(request: Request) -> Response:
        try:
            return await endpoint(request)
        except Exception as error:  # noqa: BLE001 - told as a problem, and logged if it is not ours
            return fault_response(error, f"{request.method} {_route_of(request)}")

    return answered


def _route_of(request: Request) -> str:
    """The path as the route writes it: ids stay out of the log."""
    route = request.scope.get("route")
    return str(getattr(route, "path", "")) or "a request"


async def _handled(request: Request, error: Exception) -> Response:
    return fault_response(error, f"{request.method} {_route_of(request)}")


def exception_handlers() -> dict[type[Exception], ExceptionHandler]:
    """Those of the whole app (`Starlette(exception_handlers=…)`): for what is raised beside `answering` endpoints."""
    handled = cast("ExceptionHandler", _handled)
    return dict.fromkeys((e.DeepResearchError, ValidationError, HTTPException, Exception), handled)


def _kinds(kind: type[e.DeepResearchError]) -> dict[str, type[e.DeepResearchError]]:
    found = {kind.code: kind}
    for child in kind.__subclasses__():
        found = _kinds(child) | found
    return found


KINDS: Mapping[str, type[e.DeepResearchError]] = MappingProxyType(_kinds(e.DeepResearchError))
"""Code → the error that it stands for."""
