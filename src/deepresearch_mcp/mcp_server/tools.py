"""The tools: they read arguments, ask the jobs, and return what a client can read. No research happens here."""

import secrets
from typing import TYPE_CHECKING, Literal

from mcp import types
from mcp.server.mcpserver import Context

from deepresearch_mcp.exceptions import InvalidRequest
from deepresearch_mcp.mcp_server import arguments as a
from deepresearch_mcp.mcp_server import lazy, texts
from deepresearch_mcp.mcp_server.attaching import attach, begin, context_of, followed, run_of_round
from deepresearch_mcp.mcp_server.callers import gives_name, most_bytes
from deepresearch_mcp.mcp_server.checked import check_result
from deepresearch_mcp.mcp_server.continuing import continue_run
from deepresearch_mcp.mcp_server.forms import shows_forms
from deepresearch_mcp.mcp_server.json_texts import run_json
from deepresearch_mcp.mcp_server.outcomes import as_text, describe_run
from deepresearch_mcp.mcp_server.packets import samples
from deepresearch_mcp.mcp_server.pointers import moment, read_cursor, write_cursor
from deepresearch_mcp.mcp_server.principals import caller_of
from deepresearch_mcp.mcp_server.results import (
    ASKED,
    CheckResult,
    RunLine,
    RunList,
    SearchResult,
    fitting_rows,
    search_result,
    searched,
)
from deepresearch_mcp.mcp_server.server_context import ServerContext
from deepresearch_mcp.mcp_server.tasks import MODERN
from deepresearch_mcp.mcp_server.timeouts import next_wait
from deepresearch_mcp.text.utf8 import shortened_to_bytes, size

if TYPE_CHECKING:
    from deepresearch_mcp.jobs.jobs import Jobs
    from deepresearch_mcp.records.run import RunRow

_WHOLE = texts.Slice()


async def deep_research(
    question: a.Question,
    ctx: Context[ServerContext],
    mode: a.ReportMode = "report",
    effort: a.HowMuch = None,
    breadth: a.Breadth = None,
    depth: a.Depth = None,
    drafts: a.Drafts = 1,
    max_usd: a.MaxUsd = None,
    max_tokens: a.MaxTokens = None,
    max_searches: a.MaxSearches = None,
    max_pages: a.MaxPages = None,
    max_minutes: a.MaxMinutes = None,
    include_domains: a.Only = None,
    exclude_domains: a.Never = None,
    prefer_domains: a.Prefer = None,
    published_after: a.After = None,
    published_before: a.Before = None,
    language: a.ReportLanguage = None,
    region: a.Region = None,
    source_languages: a.SourceLanguages = None,
    profile: a.SourceKind = None,
    length: a.ReportLength = None,
    template: a.Form = None,
    collections: a.Collections = None,
    where: a.Where = None,
    urls: a.Urls = None,
    web: a.Web = True,
    clarify: a.Clarify = "auto",
    approve_plan: a.ApprovePlan = False,
    follow_up_of: a.FollowUp = None,
    model: a.ModelChoice = "auto",
    fresh: a.Fresh = False,
    wait_seconds: a.Wait = None,
) -> types.CallToolResult | types.InputRequiredResult:
    """Research a question on the web and in local collections, with every sentence of the report checked.

    Each cites words really found in a source. Takes minutes: the result is the report, or how far it is and the exact
    next call. Asking the same question again joins the running research.
    """
    given = {name: value for name, value in locals().items() if name not in {"ctx", "fresh", "wait_seconds"}}
    asks, defaults = shows_forms(ctx.request_context), context_of(ctx).settings.defaults
    request = lazy.asking.checked_request(given, asks=asks, defaults=defaults)
    jobs, run_id = await begin(ctx, request, wait_seconds, fresh=fresh)
    at = await attach(ctx, jobs, run_id, wait_seconds)
    return at.more or await _told(ctx, jobs, at.row)


async def get_report(
    run_id: a.RunId,
    ctx: Context[ServerContext],
    format: Literal["markdown", "json"] = "markdown",  # noqa: A002 - the contract's name
    section: a.Section = None,
    offset: a.Offset = 0,
    limit: a.Most = None,
    wait_seconds: a.Wait = None,
) -> types.CallToolResult:
    """Return the report of a run, or part of it; while the run lasts, wait for it and say how far it is."""
    desk = context_of(ctx)
    jobs, row = await followed(ctx, run_id, wait_seconds)
    part = texts.Slice(section or "", offset, limit)
    if format == "json":
        run = await jobs.result(row.run_id, row.caller)
        return as_text(run_json(run, part, most_bytes(ctx.request_context, desk.settings)))
    return await _told(ctx, jobs, row, part)


async def continue_research(
    run_id: a.RunId,
    ctx: Context[ServerContext],
    approve: a.Approve = None,
    note: a.PlanNote = None,
    sub_questions: a.SubQuestions = None,
    answers: a.Answers = None,
    work: a.Work = None,
    max_usd: a.MaxUsd = None,
    max_tokens: a.MaxTokens = None,
    max_pages: a.MaxPages = None,
    max_minutes: a.MaxMinutes = None,
    wait_seconds: a.Wait = None,
) -> types.CallToolResult | types.InputRequiredResult:
    """Answer what a run waits for: its user's decision on a plan or a question, or your work with model=client.

    With the id of a digest alone, you write its full report: this returns the first work and the new run's id.
    """
    given = {name: value for name, value in locals().items() if name not in {"ctx", "run_id", "work", "wait_seconds"}}
    jobs = await context_of(ctx).jobs()
    named = run_id.strip()
    # A further round of this call has said it already.
    followed = run_of_round(ctx)
    if followed is None:
        longest = most_bytes(ctx.request_context, context_of(ctx).settings)
        caller = caller_of(ctx.request_context)
        followed, faulty = await continue_run(context_of(ctx), jobs, named, work, given, longest, caller)
        if faulty:
            return as_text(faulty)
    at = await attach(ctx, jobs, followed, wait_seconds)
    return at.more or await _told(ctx, jobs, at.row, digest=named if followed != named else "")


async def _told(
    ctx: Context[ServerContext],
    jobs: "Jobs",
    row: "RunRow",
    part: texts.Slice | None = None,
    *,
    digest: str = "",
) -> types.CallToolResult:
    desk = context_of(ctx)
    wait = next_wait(ctx.request_context, desk.settings, desk.timeouts, row.run_id, texts.NEXT_WAIT)
    # In the older protocol only those come here whose user did not allow it: they are given the work itself.
    sampled = samples(ctx.request_context) and ctx.request_context.protocol_version == MODERN
    longest, linked = most_bytes(ctx.request_context, desk.settings), gives_name(ctx.session)
    opening = texts.from_digest(row.run_id, digest) if digest else ""
    told = await describe_run(
        desk, jobs, row, part or texts.Slice(), wait, longest=longest - size(opening), linked=linked, sampled=sampled
    )
    if opening and isinstance(told.content[0], types.TextContent):
        told.content[0].text = opening + told.content[0].text
    return told


async def check_citations(
    ctx: Context[ServerContext],
    text: a.CitedText = None,
    run_id: a.OldRun = None,
    model: a.Judge = "auto",
    max_usd: a.MaxUsd = None,
    max_tokens: a.MaxTokens = None,
    max_pages: a.MaxPages = None,
    max_minutes: a.MaxMinutes = None,
    fresh: a.Fresh = False,
    wait_seconds: a.Wait = None,
) -> CheckResult | types.InputRequiredResult:
    """Check any cited text, or an earlier run: whether the cited pages say what each statement says.

    Each gets a verdict with the deciding words (without a model: whether similar words stand there); dead links,
    dangling marks and uncited statements are listed.
    """
    given = {name: value for name, value in locals().items() if name not in {"ctx", "fresh", "wait_seconds"}}
    desk = context_of(ctx)
    request = lazy.asking.check_of(given)
    jobs, named = await begin(ctx, request, wait_seconds, fresh=fresh)
    row, more = await attach(ctx, jobs, named, wait_seconds)
    if more:
        return more
    seconds = next_wait(ctx.request_context, desk.settings, desk.timeouts, row.run_id, texts.NEXT_WAIT)
    run, progress = await jobs.result(row.run_id, row.caller), await jobs.progress(row)
    return check_result(run, progress, most_bytes(ctx.request_context, desk.settings), seconds)


async def list_runs(
    ctx: Context[ServerContext],
    status: a.Status = None,
    query: a.Words = None,
    limit: a.Runs = 20,
    cursor: a.Cursor = None,
) -> RunList:
    """List research runs, newest first, with their state."""
    jobs = await context_of(ctx).jobs()
    before = read_cursor(cursor) if cursor else None
    caller = caller_of(ctx.request_context)
    rows = await jobs.find(caller, status=status, text=query or "", limit=limit + 1, before=before)
    lines = [await _line(jobs, row) for row in rows[:limit]]
    shown = fitting_rows(lines, most_bytes(ctx.request_context, context_of(ctx).settings))
    return RunList(runs=lines[:shown], next_cursor=write_cursor(rows[shown - 1]) if len(rows) > shown > 0 else None)


async def _line(jobs: "Jobs", row: "RunRow") -> RunLine:
    progress = await jobs.progress(row)
    return RunLine(
        run_id=row.run_id,
        status=row.status,
        stage=progress.stage,
        question=shortened_to_bytes(row.request.question, ASKED),
        created=moment(row.created),
        updated=moment(row.updated),
        progress=progress.line(),
    )


async def cancel_run(run_id: a.RunId, ctx: Context[ServerContext]) -> types.CallToolResult:
    """End a run; what was gathered so far is written up and kept."""
    jobs = await context_of(ctx).jobs()
    before = await jobs.get(run_id, caller_of(ctx.request_context))
    after = await jobs.cancel(before.run_id, before.caller)
    return as_text(texts.cancelled(before, after, await jobs.result(before.run_id, before.caller)))


async def web_search(
    query: a.SearchQuery,
    ctx: Context[ServerContext],
    limit: a.Hits = 10,
    engines: a.EngineNames = None,
    include_domains: a.Only = None,
    exclude_domains: a.Never = None,
    published_after: a.After = None,
    published_before: a.Before = None,
    region: a.Region = None,
    language: a.Language = None,
    page: a.HitsPage = 1,
) -> SearchResult:
    """Search the web once, with several engines fused; no page is read. For one fact or a list of links."""
    jobs = await context_of(ctx).jobs()
    found = await lazy.lookups.search_web(
        jobs.runtime,
        query,
        limit=limit,
        page=page,
        engines=engines,
        caller=caller_of(ctx.request_context),
        include_domains=include_domains,
        exclude_domains=exclude_domains,
        published_after=published_after,
        published_before=published_before,
        region=region,
        language=language,
    )
    return searched(search_result(found), most_bytes(ctx.request_context, context_of(ctx).settings))


async def fetch_url(
    url: a.Url,
    ctx: Context[ServerContext],
    question: a.PageQuestion = None,
    offset: a.PageOffset = 0,
    limit: a.PageLimit = 10_000,
) -> types.CallToolResult:
    """Read one page, PDF or text file as Markdown, or only its passages that answer a question."""
    desk = context_of(ctx)
    jobs = await desk.jobs()
    if url.strip().lower().startswith("library:"):
        # A page could plant such an address: what is one's own is read only where its collection was asked for.
        raise InvalidRequest(
            "fetch_url reads web pages, not local collections.",
            "Ask deep_research with collections=[…]: the texts that it read are resources of its run.",
        )
    room = texts.room_for_page(url.strip(), most_bytes(ctx.request_context, desk.settings))
    found = await lazy.lookups.fetch_page(
        jobs.runtime, url, question=question or "", offset=offset, limit=limit, most=room
    )
    return as_text(texts.page(found, url.strip(), question or "", secrets.token_hex(8)))
