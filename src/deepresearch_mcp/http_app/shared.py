"""`/shared/…`: the page and the report of one run, for who has its link. Nothing else is reached from there."""

import anyio.to_thread
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from deepresearch_mcp.http_app.caller_rates import CallerRates
from deepresearch_mcp.http_app.context import HttpContext
from deepresearch_mcp.http_app.problems import answering, http_response
from deepresearch_mcp.jobs.sharing import shared_run
from deepresearch_mcp.records.sharing import PATH
from deepresearch_mcp.viewer.html_report import page_of, texts_of

OPEN_PATHS = (PATH,)
"""What stands in the link opens it; no token is needed."""

_HEADERS = {
    # The address is a secret: no cache keeps it, no page that is linked to is told of it, no search engine lists it.
    "Cache-Control": "private, no-store",
    "Referrer-Policy": "no-referrer",
    "X-Robots-Tag": "noindex, nofollow",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}


def routes(context: HttpContext) -> list[BaseRoute]:
    """The page of a shared run, and its report as Markdown."""
    rates = CallerRates(context.settings.http.requests_a_minute, context.clock)

    async def shared(request: Request) -> Response:
        host = request.client.host if request.client else ""
        if seconds := rates.wait(f"address:{host}"):
            return http_response(429, "Too many requests a minute.", {"retry-after": str(int(seconds) + 1), **_HEADERS})
        jobs = await context.server.jobs()
        run = await shared_run(jobs, str(request.path_params["secret"]), context.clock.now().timestamp())
        if run is None:
            detail = "This link opens nothing: it is wrong, has expired, or was revoked. Ask for a new one."
            return http_response(404, detail, _HEADERS)
        if request.url.path.endswith("/report.md"):
            return Response(run.report.encode("utf-8", "replace"), 200, _HEADERS, "text/markdown; charset=utf-8")
        texts = await texts_of(run, jobs.runtime.store.documents)
        page = await anyio.to_thread.run_sync(page_of, run, texts, abandon_on_cancel=True)
        return Response(page.encode("utf-8", "replace"), 200, _HEADERS, "text/html; charset=utf-8")

    endpoint = answering(shared)
    return [Route(f"{PATH}{{secret}}{rest}", endpoint, methods=["GET"]) for rest in ("", "/report.md")]
