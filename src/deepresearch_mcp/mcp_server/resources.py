"""The resources: every run with its report, its evidence and its audit trail, below `research://runs`."""

import json
from collections.abc import Awaitable, Callable
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import parse_qs, unquote, urlsplit

import anyio.to_thread
from mcp import types
from mcp.server.lowlevel.helper_types import ReadResourceContents

from deepresearch_mcp.exceptions import InvalidRequest
from deepresearch_mcp.mcp_server import lazy
from deepresearch_mcp.mcp_server.outcomes import asked_of
from deepresearch_mcp.mcp_server.pointers import moment
from deepresearch_mcp.mcp_server.server_context import ServerContext

if TYPE_CHECKING:
    from collections.abc import Sequence

    from deepresearch_mcp.jobs.jobs import Jobs
    from deepresearch_mcp.records.evidence import Claim
    from deepresearch_mcp.records.run import Run, RunRow
    from deepresearch_mcp.records.sources import DocumentCard

SCHEME = "research://"
RUNS = "research://runs"

MARKDOWN, JSON = "text/markdown", "application/json"

_PAGE = 50
"""Runs in one page of a list."""

_EVENTS = 1000
"""Events in one reading of the audit trail."""


class _Kind(NamedTuple):
    name: str
    title: str
    about: str
    mime: str


_KINDS = {
    "": _Kind("run", "State of a run", "Status, stage, question and progress.", JSON),
    "/report": _Kind("report.md", "Report", "The report with its citations.", MARKDOWN),
    "/report.json": _Kind(
        "report.json", "Run object", "Report, claims, citations, sources, metrics, provenance.", JSON
    ),
    "/report.html": _Kind("report.html", "Report as a page", "The report as one HTML page.", "text/html"),
    "/plan": _Kind("plan", "Plan", "Sub-questions and queries.", JSON),
    "/claims": _Kind("claims", "Claims", "Every claim with its verdict.", JSON),
    "/claims/{claim_id}": _Kind("claim", "Claim", "Its quotes with offsets, snapshot hash and verdict.", JSON),
    "/sources": _Kind("sources", "Sources", "Every document that was read.", JSON),
    "/sources/{source_id}{?claim}": _Kind(
        "source",
        "Source text",
        "The text as read; offsets of quotes count in it. With a claim: its quotes marked.",
        MARKDOWN,
    ),
    "/events{?after}": _Kind(
        "events", "Audit trail", f"What happened, {_EVENTS:,} events from number `after` on.", JSON
    ),
}
"""What there is of each run, by the rest of its address."""


def templates() -> list[types.ResourceTemplate]:
    """All addresses that can be read beside `research://runs`."""
    return [
        types.ResourceTemplate(
            uri_template=f"{RUNS}/{{run_id}}{rest}",
            name=kind.name,
            title=kind.title,
            description=kind.about,
            mime_type=kind.mime,
        )
        for rest, kind in _KINDS.items()
    ]


async def resource_at(desk: ServerContext, uri: str, caller: str) -> ReadResourceContents:
    """The content at an address below `research://`, if it is this caller's.

    Raises:
        DeepResearchError: There is no such run or part of one, or not yet.
    """
    try:
        parts = urlsplit(uri)
    except ValueError:
        raise _nothing(uri) from None
    path = [unquote(part) for part in f"{parts.netloc}{parts.path}".split("/")]
    jobs = await desk.jobs()
    if path == ["runs"]:
        return _json(await _runs(jobs, caller))
    if path[0] != "runs" or len(path) not in {2, 3, 4}:
        raise _nothing(uri)
    run_id, what, *of = path[1:] if len(path) > 2 else [*path[1:], ""]
    row = await jobs.get(run_id, caller)
    if of:
        reader = {"claims": _claim, "sources": _source}.get(what)
        if reader is None:
            raise _nothing(uri)
        found = await reader(jobs, row, of[0])
        claim_id = parse_qs(parts.query).get("claim", [""])[0]
        return await _marked(jobs, row, of[0], claim_id, found) if claim_id and what == "sources" else found
    if what == "events":
        return await _events(jobs, row, parse_qs(parts.query).get("after", ["0"])[0])
    if (whole := _WHOLE.get(what)) is None:
        raise _nothing(uri)
    return await whole(jobs, row)


def _nothing(uri: str) -> InvalidRequest:
    return InvalidRequest(f"There is no resource {uri[:200]}.", "resources/templates/list names those there are.")


def _json(value: object) -> ReadResourceContents:
    return ReadResourceContents(json.dumps(value, ensure_ascii=False, indent=1), JSON)


async def _runs(jobs: "Jobs", caller: str) -> dict[str, Any]:
    rows = await jobs.find(caller, limit=_PAGE)
    return {"runs": [await _state_of(jobs, row) for row in rows]}


async def _state_of(jobs: "Jobs", row: "RunRow") -> dict[str, Any]:
    progress = await jobs.progress(row)
    return {
        "run_id": row.run_id,
        "status": row.status,
        "stage": progress.stage,
        "question": row.request.question,
        "created": moment(row.created),
        "updated": moment(row.updated),
        "progress": progress.line(),
        "error": row.error,
        "uri": f"{RUNS}/{row.run_id}",
    }


async def _state(jobs: "Jobs", row: "RunRow") -> ReadResourceContents:

    state = await _state_of(jobs, row)
    figures = asdict(await jobs.progress(row))
    state |= await asked_of(jobs, row)
    parts = [rest.removeprefix("/").split("{")[0] for rest in _KINDS if rest and "_id}" not in rest]
    return _json({**state, "figures": figures, "parts": [f"{state['uri']}/{part}" for part in parts]})


async def _written(jobs: "Jobs", row: "RunRow") -> "Run":
    run = await jobs.result(row.run_id, row.caller)
    if not run.report:
        raise InvalidRequest(
            f"Run {row.run_id} has no report: it is {row.status}.", f"{RUNS}/{row.run_id} says how far it is."
        )
    return run


async def _report(jobs: "Jobs", row: "RunRow") -> ReadResourceContents:
    return ReadResourceContents((await _written(jobs, row)).report, MARKDOWN)


async def _report_json(jobs: "Jobs", row: "RunRow") -> ReadResourceContents:
    return ReadResourceContents((await _written(jobs, row)).model_dump_json(indent=1), JSON)


async def _report_html(jobs: "Jobs", row: "RunRow") -> ReadResourceContents:

    run = await _written(jobs, row)
    # Imported in a thread as well: it takes some 40 ms.
    html_report = await anyio.to_thread.run_sync(lambda: lazy.html_report)
    texts = await html_report.texts_of(run, jobs.runtime.store.documents)
    return ReadResourceContents(
        await anyio.to_thread.run_sync(html_report.page_of, run, texts, abandon_on_cancel=True), "text/html"
    )


async def _plan(jobs: "Jobs", row: "RunRow") -> ReadResourceContents:
    run = await jobs.result(row.run_id, row.caller)
    if run.provenance and run.provenance.plan:
        return _json(run.provenance.plan)
    if run.waiting and run.waiting.plan:
        return _json(run.waiting.plan.model_dump(mode="json"))
    planned = [event for event in await jobs.runtime.store.events.of(row.run_id) if event.kind == "planned"]
    if planned:
        # The user may have changed it since the first.
        return _json(planned[-1].data)
    raise InvalidRequest(f"Run {row.run_id} has no plan yet: it is {row.status}.", "Look again in a few seconds.")


async def claims_of(jobs: "Jobs", row: "RunRow") -> "Sequence[Claim]":
    """The claims of a run, also of one that has no report yet."""
    run = await jobs.result(row.run_id, row.caller)
    return run.claims or await jobs.runtime.store.claims.of(row.run_id)


async def _claims(jobs: "Jobs", row: "RunRow") -> ReadResourceContents:
    return _json([claim.model_dump(mode="json") for claim in await claims_of(jobs, row)])


async def _claim(jobs: "Jobs", row: "RunRow", claim_id: str) -> ReadResourceContents:
    for claim in await claims_of(jobs, row):
        if claim.claim_id == claim_id:
            return _json(claim.model_dump(mode="json"))
    raise InvalidRequest(f"Run {row.run_id} has no claim {claim_id[:60]!r}.", f"{RUNS}/{row.run_id}/claims lists them.")


async def cards_of(jobs: "Jobs", row: "RunRow") -> "list[DocumentCard]":
    """The documents that a run has read."""
    return await jobs.runtime.store.documents.cards(row.run_id)


async def _sources(jobs: "Jobs", row: "RunRow") -> ReadResourceContents:
    run = await jobs.result(row.run_id, row.caller)
    if run.sources:
        return _json([source.model_dump(mode="json") for source in run.sources])
    return _json([card.model_dump(mode="json", exclude={"links"}) for card in await cards_of(jobs, row)])


async def _source(jobs: "Jobs", row: "RunRow", source_id: str) -> ReadResourceContents:
    """The very text that the run's quotes are located in, also when the page was read again since."""
    run = await jobs.result(row.run_id, row.caller)
    known = {source.source_id: source.snapshot for source in run.sources}
    known = known or {card.source_id: card.snapshot for card in await cards_of(jobs, row)}
    snapshot = known.get(source_id)
    text = await jobs.runtime.store.documents.text(snapshot) if snapshot else None
    if text is None:
        raise InvalidRequest(
            f"Run {row.run_id} has no source {source_id[:60]!r}.", f"{RUNS}/{row.run_id}/sources lists them."
        )
    return ReadResourceContents(text, MARKDOWN)


async def _marked(
    jobs: "Jobs", row: "RunRow", source_id: str, claim_id: str, found: ReadResourceContents
) -> ReadResourceContents:
    """The text of a source in which the quotes of one claim stand between `<mark>` and `</mark>`."""
    claims = [claim for claim in await claims_of(jobs, row) if claim.claim_id == claim_id]
    if not claims:
        raise InvalidRequest(
            f"Run {row.run_id} has no claim {claim_id[:60]!r}.", f"{RUNS}/{row.run_id}/claims lists them."
        )
    text = str(found.content)
    spans = {(quote.start, quote.end) for quote in claims[0].quotes if quote.source_id == source_id}
    for start, end in sorted(spans, reverse=True):
        text = f"{text[:start]}<mark>{text[start:end]}</mark>{text[end:]}"
    return ReadResourceContents(text, MARKDOWN)


async def _events(jobs: "Jobs", row: "RunRow", after: str) -> ReadResourceContents:
    if not after.isdecimal() or len(after) > 18:
        raise InvalidRequest(f"after is {after[:40]!r}, which is not an event number.", "Leave it out, or use one.")
    rows = await jobs.runtime.store.events.of(row.run_id, int(after), _EVENTS)
    events = [lazy.trail.shown(one).model_dump() for one in rows]
    return _json({"events": events, "next_after": rows[-1].number if len(rows) == _EVENTS else None})


_WHOLE: "dict[str, Callable[[Jobs, RunRow], Awaitable[ReadResourceContents]]]" = {
    "": _state,
    "report": _report,
    "report.json": _report_json,
    "report.html": _report_html,
    "plan": _plan,
    "claims": _claims,
    "sources": _sources,
}
