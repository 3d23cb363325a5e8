"""`/library`: collections, search in stored texts, and documents that are added by text or address."""

from starlette.responses import Response

from deepresearch_mcp.exceptions import DeepResearchError, InvalidRequest
from deepresearch_mcp.http_app.pages.visit import Page, Visit, to
from deepresearch_mcp.http_app.problems import status_of
from deepresearch_mcp.http_app.rest.shelving import LONGEST_TEXT, added, found_passages, order_of

_SHOWN = 15


async def library(visit: Visit) -> Response:
    """Collections; with `query` what was found, with `collection` its documents."""
    return await _page(visit)


async def change(visit: Visit) -> Response:
    """Add a document, or remove one or a whole collection."""
    form, runtime = await visit.form(), (await visit.jobs()).runtime
    name, collections = form.text("collection"), runtime.store.collections.of(visit.caller)
    match form.text("action"):
        case "add":
            texts = {key: form.text(key) for key in ("text", "url", "path")}
            try:
                await added(runtime, visit.caller, name, order_of(texts))
            except DeepResearchError as error:
                problem = f"{error.message} {error.action}"
                return await _page(visit, {"collection": name, **texts}, problem, status_of(error))
            return to("/library", told="added", collection=name)
        case "remove":
            await collections.check([name])
            await collections.drop(name, [form.text("path")])
            return to("/library", told="removed", collection=name)
        case "remove_all":
            await collections.check([name])
            await collections.remove(name)
            return to("/library", told="removed")
        case _:
            raise InvalidRequest("The form says not what to do.", "Use the buttons of the page.")


async def _page(visit: Visit, given: dict[str, str] | None = None, problem: str = "", status: int = 200) -> Response:
    runtime = (await visit.jobs()).runtime
    query, chosen = visit.asked("query"), visit.asked("collection")
    collections = runtime.store.collections.of(visit.caller)
    await collections.check([chosen] if chosen else [])
    found = None
    if query:
        within = (chosen,) if chosen else ()
        found = await found_passages(runtime, query, within, visit.caller, _SHOWN)
    rows = await collections.all()
    return await visit.show(
        "library.html",
        status,
        collections=rows,
        changeable=all(row.own for row in rows if row.name == chosen),
        chosen=chosen,
        documents=sorted(await collections.stamps(chosen)) if chosen else [],
        query=query,
        found=found,
        given=given or {},
        problem=problem,
        longest=LONGEST_TEXT,
    )


PAGES = (Page("GET", "/library", library), Page("POST", "/library", change, "library:write"))
