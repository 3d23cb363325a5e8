"""The REST surface: all its operations, as routes and as an OpenAPI document."""

from functools import cache

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from deepresearch_mcp.http_app.context import HttpContext
from deepresearch_mcp.http_app.problems import KINDS, answering, http_response
from deepresearch_mcp.http_app.rest import evidence, library, lookups, openapi, runs, sessions, shares, webhooks
from deepresearch_mcp.http_app.rest.operations import Operation, json_answer, routes_of, unless_known

OPERATIONS: tuple[Operation, ...] = (
    *sessions.OPERATIONS,
    *runs.OPERATIONS,
    *shares.OPERATIONS,
    *webhooks.OPERATIONS,
    *evidence.OPERATIONS,
    *library.OPERATIONS,
    *lookups.OPERATIONS,
)

OPENAPI = "/openapi.json"
PROBLEMS = "/problems/"
"""Below it each kind of error is told."""


@cache
def document() -> str:
    """The OpenAPI document as JSON text."""
    return openapi.text_of(OPERATIONS)


async def _openapi(request: Request) -> Response:
    return unless_known(request, document(), "application/json")


async def _problem(request: Request) -> Response:
    """What a kind of error means."""
    code = str(request.path_params["code"])
    kind = KINDS.get(code)
    if kind is None:
        return http_response(404, "There is no error with this code.")
    about = " ".join((kind.__doc__ or "").split())
    return json_answer({"code": code, "name": kind.name, "about": about})


def routes(context: HttpContext) -> list[BaseRoute]:
    """Routes of all operations, of the OpenAPI document and of the pages about kinds of errors."""
    return [
        *routes_of(OPERATIONS, context),
        Route(OPENAPI, answering(_openapi), methods=["GET"]),
        Route(f"{PROBLEMS}{{code}}", answering(_problem), methods=["GET"]),
    ]
