"""A run: its states, its stored row, and the run object that every surface shows."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from deepresearch_mcp.records.assessment import RunAssessment
from deepresearch_mcp.records.checks import AnyRequest, CheckedClaim, Stretch
from deepresearch_mcp.records.consent import InputRequest
from deepresearch_mcp.records.evidence import Claim
from deepresearch_mcp.records.judging import RunJudgement
from deepresearch_mcp.records.plan import ChecklistItem
from deepresearch_mcp.records.report import Citation, ClaimCount, Removed, Section, SourceRow
from deepresearch_mcp.records.sources import EngineFailure, Searched, Unread

RunStatus = Literal["queued", "running", "input_required", "interrupted", "completed", "partial", "failed", "cancelled"]
Stage = Literal["created", "planning", "researching", "reflecting", "synthesizing", "ended"]

NOTHING_FOUND = "nothing_found"
HALF_FOUND = "half_found"
BY_RULE = "by_rule"
"""Why a run is partial although it met no ceiling."""
ENDED: frozenset[RunStatus] = frozenset({"completed", "partial", "failed", "cancelled"})
"""Final states: no other state follows within an attempt."""


_OPEN: frozenset[RunStatus] = frozenset({"queued", "running", "input_required"})
_AFTER_CREATED: frozenset[Stage] = frozenset({"planning", "researching", "reflecting", "synthesizing"})
_STAGES: Mapping[Stage, frozenset[Stage]] = MappingProxyType(
    {
        "created": _AFTER_CREATED,
        "planning": _AFTER_CREATED - {"planning"},
        "researching": frozenset({"reflecting", "synthesizing"}),
        "reflecting": frozenset({"researching", "synthesizing"}),
        "synthesizing": frozenset(),
        "ended": frozenset(),
    }
)
"""Stages that may follow each stage; `ended` may follow any. Only a new round of research goes backwards."""


def may_follow(now: tuple[RunStatus, Stage], then: tuple[RunStatus, Stage]) -> bool:
    """Whether a run may change from one status and stage to another within one attempt.

    An ended run never changes. Only a new attempt (`Queue.revive`, `Queue.adopt`) resets a run.
    """
    (status, stage), (new_status, new_stage) = now, then
    if status in ENDED or new_status == "interrupted":
        return False
    if new_status in ENDED:
        return new_stage == "ended"
    return status in _OPEN | {"interrupted"} and (new_stage == stage or new_stage in _STAGES[stage])


class RunRow(BaseModel):
    """The stored row of a run; its steps and evidence have tables of their own."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    run_id: str
    """26 characters of lower-case base 32: 128 random bits."""
    caller: str
    request: AnyRequest
    fingerprint: str
    """Hash of caller and canonical request; requests with equal fingerprints may share a run."""
    status: RunStatus
    stage: Stage = "created"
    owner: str | None = None
    """Id of the server process that runs it; None: none does."""
    fence: int = 0
    """Fencing token: rises with each owner. A writer with a lower one has lost the run."""
    cancel: bool = False
    """Cancellation was requested."""
    created: float
    """Seconds since the epoch, as all times here."""
    updated: float
    ended: float | None = None
    error: dict[str, str] | None = None
    """`{code, name, message, action}` of a failed run."""
    progress: dict[str, Any] | None = None
    """The last `progress.Progress`, as JSON data."""
    setup: str = ""
    """Hash of the configuration with which it started; only a process with an equal one may adopt it."""
    origin: str = ""
    """Id of the run from which it was forked; empty: not a fork."""
    deaths: int = 0
    """Number of consecutive servers that died while working on it without finishing a step."""
    dying: float | None = None
    """When the first of these deaths was noticed."""
    handed: bool = False
    """Its server shut down cleanly and left the run to the next one, which does not count as a death."""


class QuoteCount(BaseModel):
    """Check of cited quotes against their snapshots."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    located: int = 0
    """Cited quotes that stand in their snapshot at their offsets."""
    total: int = 0
    """All cited quotes."""


class Metrics(BaseModel):
    """What a run used and found."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    usd: float = 0.0
    usd_known: bool = True
    """False if a model's price is unknown; `usd` then holds only the known costs."""
    search_usd: float = 0.0
    """The part of `usd` spent on queries to paid engines."""
    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0
    model_calls: int = 0
    searches: int = 0
    pages: int = 0
    """Documents that were read."""
    seconds: float = 0.0
    rounds: int = 0
    counts: ClaimCount = ClaimCount()
    engines: dict[str, dict[str, int]] = {}
    """Engine → `{asked, answered}`, in queries."""
    tokens_by_role: dict[str, int] = {}


class CallRecord(BaseModel):
    """One call of a model that was answered."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    step: str
    """Its key in the journal: what was done, and of what."""
    role: str
    model: str
    """`PROVIDER:NAME` of the one that answered."""
    request: str
    """A hash of all that was sent: the model's name, the prompt as it was filled, the schema and the limit."""
    started: str
    """ISO 8601, UTC."""
    ended: str = ""
    input_tokens: int = 0
    output_tokens: int = 0
    usd: float | None = None
    """None if its price is unknown."""


class Provenance(BaseModel):
    """How the report was made."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    version: str
    """Version of this package."""
    thinker: str
    """`extractive`, or the models' names."""
    models: tuple[str, ...] = ()
    roles: dict[str, tuple[str, ...]] = {}
    """Role → the models that answered in it."""
    engines: tuple[str, ...] = ()
    today: str = ""
    """The date that the prompts gave as today's."""
    started: str = ""
    """ISO 8601, UTC."""
    ended: str = ""
    request: dict[str, Any] = {}
    plan: dict[str, Any] = {}
    template: dict[str, Any] = {}
    """The report template as it was applied; empty without one."""
    prompts: dict[str, str] = {}
    """Prompt file of this version → the SHA-256 of its text; empty where no model was asked."""
    calls: tuple[CallRecord, ...] = ()
    """Every call of a model, oldest first. The texts that were read have their hashes in `sources[].snapshot`, the
    rounds with their queries and engines stand in `assessment.rounds`."""
    failures: tuple[EngineFailure, ...] = ()
    searched: tuple[Searched, ...] = ()
    """Queries that engines answered, with the number of hits."""
    removed: tuple[Removed, ...] = ()
    journal: dict[str, int] = {}
    """Number of steps by kind."""


class LoggedPrompt(BaseModel):
    """What a model was asked in one step, and what it answered."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    step: str
    at: str
    """ISO 8601, UTC."""
    model: str
    role: str
    system: str
    prompt: str
    answer: str | None = None
    """None: there was no answer."""


class Run(BaseModel):
    """The run object: the same in `report.json`, `--json`, `format=json` and the SDK."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    run_id: str
    status: RunStatus
    stage: Stage
    question: str
    answer: str = ""
    """The direct answer: the section "In short" without citation marks, or the answer of `mode=answer`."""
    report: str = ""
    """Markdown."""
    sections: tuple[Section, ...] = ()
    citations: tuple[Citation, ...] = ()
    claims: tuple[Claim, ...] = ()
    sources: tuple[SourceRow, ...] = ()
    unread: tuple[Unread, ...] = ()
    warnings: tuple[str, ...] = ()
    checks: tuple[CheckedClaim, ...] = ()
    """Statements of a checked text. This list and the four below are filled only by a check of citations."""
    dead: tuple[Unread, ...] = ()
    """Cited addresses that lead to no page."""
    dangling: tuple[Stretch, ...] = ()
    """Citation marks without a reference."""
    unused: tuple[Stretch, ...] = ()
    """References that no mark cites."""
    uncited: tuple[Stretch, ...] = ()
    """Statements without a citation."""
    quotes: QuoteCount = QuoteCount()
    checklist: tuple[ChecklistItem, ...] = ()
    """The plan's sub-questions with their status, also while the run works."""
    assessment: RunAssessment | None = None
    metrics: Metrics = Metrics()
    provenance: Provenance | None = None
    waiting: InputRequest | None = None
    """What the run asks its user while its status is `input_required`."""
    path: str = ""
    """The folder that holds `report.md` and `report.json`."""
    error: dict[str, str] | None = None
    judgement: RunJudgement | None = None
    """What a judge made of the run, where `judging.model` was set when it ended."""
    prompts: tuple[LoggedPrompt, ...] = ()
    """What models were asked, in exports alone, where `telemetry.log_prompts` was set while the run worked."""
