"""`deepresearch-server research`: researches a question and prints a report whose every sentence can be checked."""

from typing import TYPE_CHECKING

import anyio

from deepresearch_mcp.cli import lazy
from deepresearch_mcp.cli import research_options as o
from deepresearch_mcp.cli.consent import with_user
from deepresearch_mcp.cli.costs import estimated, show_estimate
from deepresearch_mcp.cli.options import Json, Output, Quiet, Sets, at_terminal, settings_of
from deepresearch_mcp.cli.waiting import user_present

if TYPE_CHECKING:
    from deepresearch_mcp.records.run import Run

_OWN = {"library", "no_web", "fresh", "output", "estimate", "json", "quiet", "sets"}
"""Options of the command itself. All others are arguments of a request under the same names."""


def research(
    question: o.Question,
    *,
    effort: o.HowMuch = None,
    breadth: o.Breadth = None,
    depth: o.Depth = None,
    mode: o.ReportMode = "report",
    drafts: o.Drafts = 1,
    max_usd: o.MaxUsd = None,
    max_tokens: o.MaxTokens = None,
    max_searches: o.MaxSearches = None,
    max_pages: o.MaxPages = None,
    max_minutes: o.MaxMinutes = None,
    include_domains: o.Only = None,
    exclude_domains: o.Never = None,
    prefer_domains: o.Prefer = None,
    published_after: o.After = None,
    published_before: o.Before = None,
    language: o.ReportLanguage = None,
    region: o.Region = None,
    source_languages: o.SourceLanguages = None,
    profile: o.SourceKind = None,
    length: o.ReportLength = None,
    template: o.Form = None,
    collections: o.Collections = None,
    where: o.Conditions = None,
    urls: o.Urls = None,
    library: o.Folders = None,
    no_web: o.NoWeb = False,
    model: o.ModelChoice = "auto",
    fresh: o.Fresh = False,
    follow_up_of: o.FollowUp = None,
    approve_plan: o.ApprovePlan = False,
    clarify: o.Clarify = "auto",
    output: Output = None,
    estimate: o.Estimate = False,
    json: Json = False,
    quiet: Quiet = False,
    sets: Sets = None,
) -> None:
    """Research QUESTION and print a report in which every factual sentence is cited.

    Exit codes: 0 completed, 1 failed, 2 bad input, 3 partial (a limit was met), 4 waiting for your answer, 130
    cancelled. Ctrl-C ends the research and writes up what was found; a second Ctrl-C leaves at once.
    """
    given = {name: value for name, value in locals().items() if name not in _OWN}
    showing = lazy.running.Showing(as_json=json, quiet=quiet, output=lazy.report_files.checked_output(output))
    asking = user_present() and not json
    arguments = {**given, "web": not no_web, "clarify": clarify if asking else "never"}
    settings = at_terminal(settings_of(sets), model)
    if estimate:
        show_estimate(anyio.run(estimated, arguments, library or [], settings), as_json=json)
        return

    async def run() -> "Run":
        return await lazy.running.research_to_the_end(
            arguments, library or [], settings, fresh=fresh, asks=asking, showing=showing
        )

    found = anyio.run(run)
    found = with_user(found, settings, showing) if asking else found
    anyio.run(lazy.running.show_result, found, showing, settings)
