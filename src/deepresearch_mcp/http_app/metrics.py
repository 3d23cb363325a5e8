"""`/metrics`, for Prometheus."""

from typing import TYPE_CHECKING

from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from deepresearch_mcp.http_app.context import HttpContext, principal_of
from deepresearch_mcp.telemetry.metrics_page import CONTENT_TYPE, RUN_SECONDS, metrics_page

if TYPE_CHECKING:
    from starlette.requests import Request

    from deepresearch_mcp.runtime import Runtime

PATH = "/metrics"


def routes(context: HttpContext) -> list[BaseRoute]:
    """The route of metrics: for the scope `admin`, or with `telemetry.metrics_open` for everybody."""

    async def metrics(request: "Request") -> Response:
        if not context.settings.telemetry.metrics_open:
            principal_of(request, "admin")
        return await metrics_response((await context.server.jobs()).runtime)

    return [Route(PATH, metrics, methods=["GET"])]


async def metrics_response(runtime: "Runtime") -> Response:
    """The figures of all processes, from the store, and those of this one."""
    totals = await runtime.store.figures.totals(RUN_SECONDS)
    return Response(metrics_page(totals, runtime.figures), media_type=CONTENT_TYPE)
