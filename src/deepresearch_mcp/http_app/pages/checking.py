"""`/check`: hold a cited text to the pages that it cites; the findings are the report of a run."""

from starlette.responses import Response

from deepresearch_mcp.exceptions import InvalidRequest
from deepresearch_mcp.http_app.pages.visit import Page, Visit, to
from deepresearch_mcp.jobs.asking import check_of
from deepresearch_mcp.records.request import MAX_TEXT


async def form(visit: Visit) -> Response:
    """The form."""
    return await _page(visit)


async def check(visit: Visit) -> Response:
    """Start a check of the text of the form, or of a run."""
    given = await visit.form()
    text, run_id = given.text("text"), given.text("run_id")
    jobs = await visit.jobs()
    arguments: dict[str, object] = {"web": given.has("web"), "max_usd": given.number("max_usd")}
    try:
        if run_id:
            await jobs.get(run_id, visit.caller)
        request = check_of({**arguments, **({"run_id": run_id} if run_id else {"text": text})})
        row = await jobs.start_or_join(request, visit.caller)
    except InvalidRequest as error:
        return await _page(visit, text, f"{error.message} {error.action}", 422)
    visit.context.server.watch(jobs, row.run_id, visit.caller)
    return to(f"/runs/{row.run_id}")


async def _page(visit: Visit, text: str = "", problem: str = "", status: int = 200) -> Response:
    return await visit.show("check.html", status, text=text, problem=problem, longest=MAX_TEXT)


PAGES = (Page("GET", "/check", form), Page("POST", "/check", check, "runs:write"))
