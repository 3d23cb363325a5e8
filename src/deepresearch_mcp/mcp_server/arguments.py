"""The tools' parameters: what a calling model is told of each.

Limits stand here so that models see them; `ResearchRequest` decides, and a test holds the two together.
"""

from datetime import date
from typing import Annotated, Any, Literal

from pydantic import Field

from deepresearch_mcp.records.request import MAX_QUESTION, MAX_TEXT, Effort, Length, Mode
from deepresearch_mcp.records.specs import PROFILE_NAMES, TEMPLATE_NAMES, WEB_ENGINE_NAMES, joined_with_or

Question = Annotated[
    str,
    Field(
        description="What to find out, with all context that matters.",
        # Told, not checked by the schema: the request's own sentences say better what is wrong.
        json_schema_extra={"minLength": 1, "maxLength": MAX_QUESTION},
    ),
]
ReportMode = Annotated[Mode, Field(description="answer: at most 140 characters plus sources.")]
HowMuch = Annotated[
    Effort | None,
    Field(description="Sets all limits. Minutes at most: 4, standard (default) 10, 20, 40."),
]
Breadth = Annotated[int | None, Field(ge=1, le=10, description="Sub-questions at most, 1 to 3 queries each a round.")]
Depth = Annotated[int | None, Field(ge=0, le=5, description="Rounds of searching at most; 0: no web call.")]
Drafts = Annotated[int, Field(ge=1, le=5, description="Drafts to choose the report from.")]
MaxUsd = Annotated[float | None, Field(ge=0, le=1000, description="Ceiling of cost.")]
MaxTokens = Annotated[int | None, Field(ge=1, description="Ceiling of model tokens.")]
MaxSearches = Annotated[int | None, Field(ge=0, description="Ceiling of searches.")]
MaxPages = Annotated[int | None, Field(ge=0, description="Ceiling of pages read.")]
MaxMinutes = Annotated[float | None, Field(gt=0, le=24 * 60, description="Ceiling of time.")]
Only = Annotated[list[str] | None, Field(description="Only these domains, as example.org.")]
Never = Annotated[list[str] | None, Field(description="None of these domains.")]
After = Annotated[date | None, Field(description="First day of publication, YYYY-MM-DD.")]
Before = Annotated[date | None, Field(description="Last day of publication, YYYY-MM-DD.")]
ReportLanguage = Annotated[str | None, Field(description="Of the report, as de; default: the question's.")]
Language = Annotated[str | None, Field(description="Of the results, as de.")]
Region = Annotated[str | None, Field(description="Country to search from, as de.")]
SourceKind = Annotated[
    str | None,
    Field(description=f"Sources to prefer: {joined_with_or(PROFILE_NAMES)}, or one of the server."),
]
Prefer = Annotated[list[str] | None, Field(description="Domains that come first, not alone.")]
SourceLanguages = Annotated[list[str] | None, Field(description="Languages of sources, as de.")]
Urls = Annotated[list[str] | None, Field(description="Pages to read first; with web=false, these alone.")]
ReportLength = Annotated[Length | None, Field(description="Of the report.")]
Form = Annotated[
    str | None,
    Field(description=f"Its form: {joined_with_or(TEMPLATE_NAMES)}, or one of the server."),
]
Collections = Annotated[list[str] | None, Field(description="Local document sets to search too.")]
Where = Annotated[
    list[str] | None,
    Field(description="Only files with all of: type=pdf, path=reports/*, date>=2024, …"),
]
Web = Annotated[bool, Field(description="false: collections and urls only.")]
Clarify = Annotated[Literal["auto", "never"], Field(description="Whether to ask back before starting.")]
ApprovePlan = Annotated[bool, Field(description="Wait for approval of the plan.")]
FollowUp = Annotated[str | None, Field(description="Id of an ended run to build on.")]
ModelChoice = Annotated[
    str,
    Field(
        description="auto (no key: a digest at once, whose report you may write), extractive (digest only), client (you"
        " think, in rounds of work), or PROVIDER:NAME."
    ),
]
Judge = Annotated[
    str, Field(description="auto, extractive (no model), client (you judge, in rounds of work), or PROVIDER:NAME.")
]
Fresh = Annotated[bool, Field(description="Start anew even if it runs or was answered.")]
Wait = Annotated[
    float | None,
    Field(ge=0, le=3600, description="Seconds to wait for the end, 0: none; default fits most clients."),
]

Approve = Annotated[bool | None, Field(description="true: go on, with these changes; false: end the run.")]
PlanNote = Annotated[str | None, Field(description="What the plan should change.")]
SubQuestions = Annotated[list[str] | None, Field(description="Replaces the plan's sub-questions.")]
Answers = Annotated[list[str] | None, Field(description="To the run's questions, in order.")]

Work = Annotated[dict[str, Any] | None, Field(description="Your answers to the run's packets of work, by packet id.")]

RunId = Annotated[str, Field(description="The whole run id.")]
CitedText = Annotated[
    str | None,
    Field(
        description="Text with its citations and reference list: links, [1], footnotes or addresses.",
        json_schema_extra={"maxLength": MAX_TEXT},
    ),
]
OldRun = Annotated[str | None, Field(description="Instead of a text: a run to check again.")]
Section = Annotated[
    str | None,
    Field(description="markdown: a heading. json: claims, checks, citations, sources, sections, unread, warnings."),
]
Offset = Annotated[int, Field(ge=0, description="First character (markdown) or item (json) to return.")]
Most = Annotated[int | None, Field(ge=1, description="Most characters or items to return.")]
RunState = Literal["queued", "running", "input_required", "interrupted", "completed", "partial", "failed", "cancelled"]
"""`RunStatus` once more: importing the records of runs would cost a fiftieth of the time to start."""
Status = Annotated[RunState | None, Field(description="Only runs in this state.")]
Words = Annotated[str | None, Field(description="Only runs whose question holds these words.")]
Runs = Annotated[int, Field(ge=1, le=100, description="Runs a page.")]
Cursor = Annotated[str | None, Field(description="next_cursor of the page before.")]

SearchQuery = Annotated[str, Field(description="Keywords or a question.")]
Hits = Annotated[int, Field(ge=1, le=20, description="Most hits to return.")]
HitsPage = Annotated[int, Field(ge=1, le=10, description="2: further hits.")]
EngineNames = Annotated[
    list[str] | None, Field(description=f"Of {', '.join(WEB_ENGINE_NAMES)}; default: as configured.")
]
Url = Annotated[str, Field(description="Address of a page or file; http or https.")]
PageQuestion = Annotated[str | None, Field(description="Return only the passages that answer this.")]
PageOffset = Annotated[int, Field(ge=0, description="First character to return.")]
PageLimit = Annotated[int, Field(ge=1, le=100_000, description="Most characters to return.")]
