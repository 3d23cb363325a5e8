"""Whether this server lives, and whether it can work: for load balancers and supervisors."""

import anyio
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from deepresearch_mcp.exceptions import DeepResearchError
from deepresearch_mcp.http_app.context import HttpContext
from deepresearch_mcp.version import __version__

OPEN_PATHS = ("/healthz", "/readyz")
"""Answered without a token: they show only that a server is there."""

_PATIENCE = 5.0
"""Seconds in which the store must answer."""


def routes(context: HttpContext) -> list[BaseRoute]:
    """`/healthz` and `/readyz`."""

    async def healthz(_: Request) -> Response:
        return JSONResponse({"status": "ok", "version": __version__})

    async def readyz(_: Request) -> Response:
        try:
            with anyio.fail_after(_PATIENCE):
                jobs = await context.server.jobs()
                await jobs.runtime.store.runs.find(limit=1)
        except (DeepResearchError, TimeoutError):
            # Why not is no stranger's business: the log says it to the operator.
            answer = JSONResponse({"status": "unavailable"}, 503)
            answer.headers["retry-after"] = "5"
            return answer
        return JSONResponse({"status": "ok"})

    return [Route("/healthz", healthz, methods=["GET"]), Route("/readyz", readyz, methods=["GET"])]
