"""`deepresearch-mcp research`: from a question to a report whose every sentence can be checked."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import anyio
import typer

from deepresearch_mcp.cli import lazy
from deepresearch_mcp.cli.consent import with_user
from deepresearch_mcp.cli.costs import estimated, show_estimate
from deepresearch_mcp.cli.options import Json, Output, Quiet, Sets, at_terminal, settings_of
from deepresearch_mcp.cli.waiting import user_present

if TYPE_CHECKING:
    from deepresearch_mcp.records.run import Run

LIMITS = "Limits: what the research may use, at most"
WHERE = "Where to look"


def research(
    question: Annotated[str, typer.Argument(metavar="QUESTION", help="What to find out.", show_default=False)],
    *,
    effort: Annotated[
        Literal["quick", "standard", "deep", "exhaustive"],
        typer.Option(help="How broadly and deeply to search; sets all limits that are not given."),
    ] = "standard",
    breadth: Annotated[int | None, typer.Option(help="Search queries a round, 1 to 10.", show_default=False)] = None,
    depth: Annotated[int | None, typer.Option(help="Rounds, 0 to 5; 0 makes no web call.", show_default=False)] = None,
    mode: Annotated[Literal["report", "answer"], typer.Option(help="A report, or one line with sources.")] = "report",
    drafts: Annotated[int, typer.Option(help="Reports to choose the best of, 1 to 5.")] = 1,
    max_usd: Annotated[float | None, typer.Option(help="Dollars.", rich_help_panel=LIMITS, show_default=False)] = None,
    max_tokens: Annotated[
        int | None, typer.Option(help="Tokens, in and out.", rich_help_panel=LIMITS, show_default=False)
    ] = None,
    max_searches: Annotated[
        int | None, typer.Option(help="Queries put to engines.", rich_help_panel=LIMITS, show_default=False)
    ] = None,
    max_pages: Annotated[
        int | None, typer.Option(help="Pages read.", rich_help_panel=LIMITS, show_default=False)
    ] = None,
    max_minutes: Annotated[
        float | None, typer.Option(help="Minutes.", rich_help_panel=LIMITS, show_default=False)
    ] = None,
    include_domain: Annotated[
        list[str] | None, typer.Option(help="Only pages of this domain; repeat for more.", rich_help_panel=WHERE)
    ] = None,
    exclude_domain: Annotated[
        list[str] | None, typer.Option(help="No pages of this domain; repeat for more.", rich_help_panel=WHERE)
    ] = None,
    published_after: Annotated[
        str | None, typer.Option(metavar="YYYY-MM-DD", help="First day.", rich_help_panel=WHERE, show_default=False)
    ] = None,
    published_before: Annotated[
        str | None, typer.Option(metavar="YYYY-MM-DD", help="Last day.", rich_help_panel=WHERE, show_default=False)
    ] = None,
    language: Annotated[
        str | None, typer.Option(help="Of the report, as de; the question's if not given.", show_default=False)
    ] = None,
    region: Annotated[
        str | None, typer.Option(help="Country to search from, as de.", rich_help_panel=WHERE, show_default=False)
    ] = None,
    profile: Annotated[
        Literal["general", "academic", "technical", "news", "finance", "legal", "medical"],
        typer.Option(help="What kind of sources matter."),
    ] = "general",
    collection: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="Search this local collection too; repeat for more.", rich_help_panel=WHERE),
    ] = None,
    library: Annotated[
        list[Path] | None,
        typer.Option(metavar="PATH", help="Index this folder and search it too; repeat.", rich_help_panel=WHERE),
    ] = None,
    no_web: Annotated[
        bool, typer.Option("--no-web", help="Only local collections and folders.", rich_help_panel=WHERE)
    ] = False,
    model: Annotated[
        str, typer.Option(help="auto, extractive (no model at all), client (yours, by work packets) or PROVIDER:NAME.")
    ] = "auto",
    fresh: Annotated[bool, typer.Option("--fresh", help="Research again, even if there is a recent report.")] = False,
    follow_up_of: Annotated[
        str | None, typer.Option(metavar="RUN", help="An earlier run that this question builds on.", show_default=False)
    ] = None,
    approve_plan: Annotated[
        bool, typer.Option("--approve-plan", help="Show plan and estimate, and wait for your yes before anything else.")
    ] = False,
    clarify: Annotated[
        Literal["auto", "never"],
        typer.Option(help="Whether you may be asked what the question means; never without a terminal."),
    ] = "auto",
    output: Output = None,
    estimate: Annotated[
        bool, typer.Option("--estimate", help="Print what it is likely to use, stage by stage, and start nothing.")
    ] = False,
    json: Json = False,
    quiet: Quiet = False,
    sets: Sets = None,
) -> None:
    """Research QUESTION and print a report in which every factual sentence is cited.

    Exit codes: 0 completed, 1 failed, 2 bad input, 3 partial (a limit was met), 4 waiting for your answer, 130
    cancelled. Ctrl-C ends the research and writes up what was found; a second Ctrl-C leaves at once.
    """
    showing = lazy.running.Showing(as_json=json, quiet=quiet, output=lazy.report_files.checked_output(output))
    asking = user_present() and not json
    arguments = {
        "question": question,
        "effort": effort,
        "breadth": breadth,
        "depth": depth,
        "mode": mode,
        "drafts": drafts,
        "max_usd": max_usd,
        "max_tokens": max_tokens,
        "max_searches": max_searches,
        "max_pages": max_pages,
        "max_minutes": max_minutes,
        "include_domains": include_domain,
        "exclude_domains": exclude_domain,
        "published_after": published_after,
        "published_before": published_before,
        "language": language,
        "region": region,
        "profile": profile,
        "collections": collection,
        "web": not no_web,
        "model": model,
        "follow_up_of": follow_up_of,
        "approve_plan": approve_plan,
        "clarify": clarify if asking else "never",
    }

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
    anyio.run(lazy.running.conclude, found, showing, settings)
