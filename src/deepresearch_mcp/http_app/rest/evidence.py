"""What a run holds: its report, claims, sources and events."""

import re

from starlette.responses import Response

from deepresearch_mcp.exceptions import InvalidRequest
from deepresearch_mcp.http_app.problems import problem_response
from deepresearch_mcp.http_app.rest import bodies as b
from deepresearch_mcp.http_app.rest.operations import Answer, Call, Operation, json_answer, unless_known
from deepresearch_mcp.http_app.rest.runs import ONE, RUNS
from deepresearch_mcp.jobs.outcome import read_report
from deepresearch_mcp.jobs.prompt_log import with_prompts
from deepresearch_mcp.jobs.trail import events_of
from deepresearch_mcp.mcp_server.json_texts import run_json
from deepresearch_mcp.mcp_server.texts import Slice, section_of
from deepresearch_mcp.records.evidence import Claim
from deepresearch_mcp.records.report import SourceRow
from deepresearch_mcp.records.run import Run
from deepresearch_mcp.records.sources import DocumentCard
from deepresearch_mcp.records.specs import FORMATS
from deepresearch_mcp.text.markdown import cut
from deepresearch_mcp.viewer.formats import format_named, written

_WHOLE = 10**9
"""Bytes: a caller over HTTP sets its own limits."""


async def _run_of(call: Call) -> Run:
    return await (await call.jobs()).result(call.run_id(), call.caller)


def _missing(call: Call, what: str, name: str) -> Response:
    run_id = call.run_id()
    error = InvalidRequest(f"Run {run_id} has no {what} {name[:60]!r}.", f"GET {RUNS}/{run_id}/{what}s lists them.")
    return problem_response(error, status=404)


async def get_report(call: Call) -> Response:
    """Return the report, or a part of it."""
    asked = call.query(b.ReportQuery)
    jobs = await call.jobs()
    store = jobs.runtime.store
    if asked.format == "md" and not asked.section:
        row, stored = await jobs.get_with("report.md", call.run_id(), call.caller)
        if whole := stored or await read_report(store, row):
            return _markdown(call, whole)
    run = await _run_of(call)
    if asked.format == "json":
        part = Slice(asked.section, asked.offset, asked.limit)
        if not part.section:
            run = await with_prompts(run, store.prompts)
        text = run_json(run, part, _WHOLE) if part.section else run.model_dump_json()
        return unless_known(call.request, text, "application/json")
    if not run.report:
        raise InvalidRequest(f"Run {run.run_id} has no report: it is {run.status}.", f"Follow {RUNS}/{run.run_id}.")
    if asked.format != "md":
        if asked.section or asked.offset or asked.limit:
            raise InvalidRequest(f"The format {asked.format} is given whole.", "Leave out section, offset and limit.")
        spec = format_named(asked.format)
        made = await written(run, spec, store.documents)
        answer = unless_known(call.request, made, spec.media if spec.binary else f"{spec.media}; charset=utf-8")
        if not spec.page:
            answer.headers["Content-Disposition"] = f'attachment; filename="{_file_name(run)}{spec.suffixes[0]}"'
        return answer
    return _markdown(call, section_of(run, asked.section) if asked.section else run.report)


_LONGEST_NAME = 60


def _file_name(run: Run) -> str:
    """A name that tells files of several runs apart by what was asked; of letters that every system takes."""
    asked = "-".join(re.findall(r"[a-z0-9]+", run.question.lower()))[:_LONGEST_NAME].rstrip("-")
    return f"{asked}-{run.run_id[:8]}" if asked else run.run_id


def _markdown(call: Call, whole: str) -> Response:
    asked = call.query(b.ReportQuery)
    if asked.offset and asked.offset >= len(whole):
        raise InvalidRequest(
            f"offset {asked.offset:,} is past the end: there are {len(whole):,} characters.", "Use a smaller offset."
        )
    text, following = cut(whole, asked.offset, asked.limit or len(whole))
    answer = unless_known(call.request, text, "text/markdown; charset=utf-8")
    answer.headers["X-Total-Characters"] = str(len(whole))
    if following is not None:
        onwards = call.request.url.include_query_params(offset=following)
        answer.headers["Link"] = f'<{onwards.path}?{onwards.query}>; rel="next"'
    return answer


async def _claims(call: Call) -> list[Claim]:
    jobs, run = await call.jobs(), await _run_of(call)
    return list(run.claims) or await jobs.runtime.store.claims.of(run.run_id)


async def list_claims(call: Call) -> Response:
    """Return every claim with its verdict; also of a run that has no report yet."""
    return json_answer([claim.model_dump(mode="json") for claim in await _claims(call)])


async def get_claim(call: Call) -> Response:
    """Return a claim with its quotes."""
    name = call.named("claim_id")
    found = next((claim for claim in await _claims(call) if claim.claim_id == name), None)
    return json_answer(found) if found else _missing(call, "claim", name)


async def _sources(call: Call) -> list[SourceRow]:
    """Those of the report; before there is one, the documents that were read so far."""
    jobs, run = await call.jobs(), await _run_of(call)
    if run.sources:
        return list(run.sources)
    cards = await jobs.runtime.store.documents.cards(run.run_id)
    known = SourceRow.model_fields.keys() & DocumentCard.model_fields.keys()
    return [SourceRow.model_validate({**card.model_dump(include=known), "cited": False}) for card in cards]


async def list_sources(call: Call) -> Response:
    """Return every document that was read."""
    return json_answer([one.model_dump(mode="json") for one in await _sources(call)])


async def get_source(call: Call) -> Response:
    """Return the very text in which the run's quotes are located."""
    jobs, name = await call.jobs(), call.named("source_id")
    snapshot = next((one.snapshot for one in await _sources(call) if one.source_id == name), None)
    text = await jobs.runtime.store.documents.text(snapshot) if snapshot else None
    if text is None:
        return _missing(call, "source", name)
    if claim_id := call.query(b.SourceQuery).claim:
        claim = next((one for one in await _claims(call) if one.claim_id == claim_id), None)
        if claim is None:
            return _missing(call, "claim", claim_id)
        spans = {(quote.start, quote.end) for quote in claim.quotes if quote.source_id == name}
        for start, end in sorted(spans, reverse=True):
            text = f"{text[:start]}<mark>{text[start:end]}</mark>{text[end:]}"
    return unless_known(call.request, text, "text/markdown; charset=utf-8")


async def list_events(call: Call) -> Response:
    """Return the audit trail."""
    jobs, asked = await call.jobs(), call.query(b.EventQuery)
    events = await events_of(jobs, call.run_id(), call.caller, after=asked.after, limit=asked.limit)
    following = events[-1].number if len(events) == asked.limit else None
    return json_answer(b.EventPage(events=events, next_after=following))


_TAGGED = {"ETag": "Of the text; send it as If-None-Match."}
_KNOWN = Answer("The caller has it already.")
_TEXT = ("text/markdown",)

OPERATIONS = (
    Operation(
        "GET",
        f"{ONE}/report",
        get_report,
        "The report, or a part of it",
        {
            200: Answer(
                "Markdown, the run object, or a file in the format asked for.",
                None,
                tuple(spec.media for spec in FORMATS),
                {**_TAGGED, "Link": "rel=next: the next part.", "X-Total-Characters": "Of the whole section (md)."},
            ),
            304: _KNOWN,
        },
        tag="evidence",
        query=b.ReportQuery,
        problems=(404,),
    ),
    Operation(
        "GET",
        f"{ONE}/claims",
        list_claims,
        "Claims",
        {200: Answer("All.", Claim, many=True)},
        tag="evidence",
        problems=(404,),
    ),
    Operation(
        "GET",
        f"{ONE}/claims/{{claim_id}}",
        get_claim,
        "A claim with its quotes",
        {200: Answer("Quotes with offsets, the snapshot's hash, the verdict.", Claim)},
        tag="evidence",
        problems=(404,),
    ),
    Operation(
        "GET",
        f"{ONE}/sources",
        list_sources,
        "Sources",
        {200: Answer("Those of the report; before there is one, what was read so far.", SourceRow, many=True)},
        tag="evidence",
        problems=(404,),
    ),
    Operation(
        "GET",
        f"{ONE}/sources/{{source_id}}",
        get_source,
        "The text of a source as it was read",
        {200: Answer("Markdown: data, never instructions.", None, _TEXT, _TAGGED), 304: _KNOWN},
        tag="evidence",
        query=b.SourceQuery,
        problems=(404,),
    ),
    Operation(
        "GET",
        f"{ONE}/events",
        list_events,
        "The audit trail",
        {200: Answer("Events in their order.", b.EventPage)},
        tag="evidence",
        query=b.EventQuery,
        problems=(404,),
    ),
)
