"""The options of `research`, with their help.

`ResearchRequest` checks the limits and words the errors.
"""

from pathlib import Path
from typing import Annotated, Literal

import typer

from deepresearch_mcp.records.specs import PROFILE_NAMES, TEMPLATE_NAMES, joined_with_or

LIMITS = "Limits: what the research may use, at most"
WHERE = "Where to look"

Question = Annotated[str, typer.Argument(metavar="QUESTION", help="What to find out.", show_default=False)]
HowMuch = Annotated[
    Literal["quick", "standard", "deep", "exhaustive"] | None,
    typer.Option(
        help="How broadly and deeply to search; sets all limits that are not given. Default: standard.",
        show_default=False,
    ),
]
Breadth = Annotated[
    int | None,
    typer.Option(help="Sub-questions at most, 1 to 10, each with 1 to 3 queries a round.", show_default=False),
]
Depth = Annotated[int | None, typer.Option(help="Rounds at most, 0 to 5; 0 makes no web call.", show_default=False)]
ReportMode = Annotated[Literal["report", "answer"], typer.Option(help="A report, or one line with sources.")]
ReportLength = Annotated[
    Literal["brief", "standard", "long"] | None,
    typer.Option(help="How long the report is, beside what the question needs.", show_default=False),
]
Drafts = Annotated[int, typer.Option(help="Reports to choose the best of, 1 to 5.")]
MaxUsd = Annotated[float | None, typer.Option(help="Dollars.", rich_help_panel=LIMITS, show_default=False)]
MaxTokens = Annotated[int | None, typer.Option(help="Tokens, in and out.", rich_help_panel=LIMITS, show_default=False)]
MaxSearches = Annotated[
    int | None, typer.Option(help="Queries put to engines.", rich_help_panel=LIMITS, show_default=False)
]
MaxPages = Annotated[int | None, typer.Option(help="Pages read.", rich_help_panel=LIMITS, show_default=False)]
MaxMinutes = Annotated[float | None, typer.Option(help="Minutes.", rich_help_panel=LIMITS, show_default=False)]
Only = Annotated[
    list[str] | None,
    typer.Option("--include-domain", help="Only pages of this domain; repeat for more.", rich_help_panel=WHERE),
]
Never = Annotated[
    list[str] | None,
    typer.Option("--exclude-domain", help="No pages of this domain; repeat for more.", rich_help_panel=WHERE),
]
After = Annotated[
    str | None, typer.Option(metavar="YYYY-MM-DD", help="First day.", rich_help_panel=WHERE, show_default=False)
]
Before = Annotated[
    str | None, typer.Option(metavar="YYYY-MM-DD", help="Last day.", rich_help_panel=WHERE, show_default=False)
]
ReportLanguage = Annotated[
    str | None, typer.Option(help="Of the report, as de; the question's if not given.", show_default=False)
]
Region = Annotated[
    str | None, typer.Option(help="Country to search from, as de.", rich_help_panel=WHERE, show_default=False)
]
Form = Annotated[
    str | None,
    typer.Option(
        metavar="TEMPLATE",
        help=f"Form of the report: {joined_with_or(TEMPLATE_NAMES)}, or a template of your own.",
        show_default=False,
    ),
]
SourceKind = Annotated[
    str | None,
    typer.Option(
        metavar="PROFILE",
        help=f"What kind of sources matter: {joined_with_or(PROFILE_NAMES)}, or a profile of your own.",
        show_default=False,
        rich_help_panel=WHERE,
    ),
]
Prefer = Annotated[
    list[str] | None,
    typer.Option("--prefer-domain", help="Pages of this domain first; repeat for more.", rich_help_panel=WHERE),
]
SourceLanguages = Annotated[
    list[str] | None,
    typer.Option(
        "--source-language",
        metavar="CODE",
        help="Look for sources in this language, as de; repeat for more.",
        rich_help_panel=WHERE,
    ),
]
Urls = Annotated[
    list[str] | None,
    typer.Option("--url", help="Read this page first; with --no-web, these alone; repeat.", rich_help_panel=WHERE),
]
Collections = Annotated[
    list[str] | None,
    typer.Option(
        "--collection", metavar="NAME", help="Search this local collection too; repeat for more.", rich_help_panel=WHERE
    ),
]
Conditions = Annotated[
    list[str] | None,
    typer.Option(
        "--where",
        metavar="KEY=VALUE",
        help="Only documents of collections of which this holds, as type=pdf or date>=2024; repeat.",
        rich_help_panel=WHERE,
        show_default=False,
    ),
]
Folders = Annotated[
    list[Path] | None,
    typer.Option(metavar="PATH", help="Index this folder and search it too; repeat.", rich_help_panel=WHERE),
]
NoWeb = Annotated[
    bool,
    typer.Option("--no-web", help="Only collections, folders and pages given by --url.", rich_help_panel=WHERE),
]
ModelChoice = Annotated[
    str, typer.Option(help="auto, extractive (no model at all), client (yours, by work packets) or PROVIDER:NAME.")
]
Fresh = Annotated[bool, typer.Option("--fresh", help="Research again, even if there is a recent report.")]
FollowUp = Annotated[
    str | None, typer.Option(metavar="RUN", help="An earlier run that this question builds on.", show_default=False)
]
ApprovePlan = Annotated[
    bool, typer.Option("--approve-plan", help="Show plan and estimate, and wait for your yes before anything else.")
]
Clarify = Annotated[
    Literal["auto", "never"],
    typer.Option(help="Whether you may be asked what the question means; never without a terminal."),
]
Estimate = Annotated[
    bool, typer.Option("--estimate", help="Print what it is likely to use, stage by stage, and start nothing.")
]
