"""A run: its states, and the one object that every surface shows of it."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from deepresearch_mcp.records.assessment import RunAssessment
from deepresearch_mcp.records.checks import AnyRequest, CheckedClaim, Stretch
from deepresearch_mcp.records.consent import InputRequest
from deepresearch_mcp.records.evidence import Claim
from deepresearch_mcp.records.report import Citation, ClaimCount, Removed, Section, SourceRow
from deepresearch_mcp.records.sources import EngineFailure, Searched, Unread

RunStatus = Literal["queued", "running", "input_required", "interrupted", "completed", "partial", "failed", "cancelled"]
Stage = Literal["created", "planning", "researching", "reflecting", "synthesizing", "ended"]

NOTHING_FOUND = "nothing_found"
BY_RULE = "by_rule"
"""Why a run is partial that met no ceiling."""
ENDED: frozenset[RunStatus] = frozenset({"completed", "partial", "failed", "cancelled"})
"""Nothing follows these."""


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
"""What may follow each stage beside its end; a stage is never left backwards, but for the next round."""


def may_follow(now: tuple[RunStatus, Stage], then: tuple[RunStatus, Stage]) -> bool:
    """Whether a run may go from one status and stage to another within one attempt.

    An ended run goes nowhere; only a new attempt (`Queue.revive`, `Queue.adopt`) sets it back to its beginning.
    """
    (status, stage), (new_status, new_stage) = now, then
    if status in ENDED or new_status == "interrupted":
        return False
    if new_status in ENDED:
        return new_stage == "ended"
    return status in _OPEN | {"interrupted"} and (new_stage == stage or new_stage in _STAGES[stage])


class RunRow(BaseModel):
    """What the store keeps of a run, beside its steps and evidence."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    run_id: str
    """26 characters of lower-case base 32: 128 random bits."""
    caller: str
    request: AnyRequest
    fingerprint: str
    """Hash of caller and canonical request: equal for requests that may join."""
    status: RunStatus
    stage: Stage = "created"
    owner: str | None = None
    """The server process that runs it."""
    fence: int = 0
    """Counts owners; a writer with a lower one has lost the run."""
    cancel: bool = False
    created: float
    """Seconds since the epoch, as all times here."""
    updated: float
    ended: float | None = None
    error: dict[str, str] | None = None
    """`{code, name, message, action}` of a failed run."""
    progress: dict[str, Any] | None = None
    """The last `events.Progress`, dumped."""
    setup: str = ""
    """Hash of the configuration it was begun with: only a process with an equal one adopts it."""
    origin: str = ""
    """The run it is a fork of."""
    deaths: int = 0
    """Consecutive servers that died while working on it without finishing a step."""
    dying: float | None = None
    """When the first of them was found dead."""
    handed: bool = False
    """Its server shut down cleanly and left it to the next one: that was no death."""


class QuoteCount(BaseModel):
    """How many cited quotes stand in their snapshots at their offsets."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    located: int = 0
    total: int = 0


class Metrics(BaseModel):
    """What a run used and found."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    usd: float = 0.0
    usd_known: bool = True
    """False where a model's price is unknown; `usd` is then what is known."""
    search_usd: float = 0.0
    """Of `usd`: what queries to paid engines cost."""
    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0
    model_calls: int = 0
    searches: int = 0
    pages: int = 0
    """Documents really read."""
    seconds: float = 0.0
    rounds: int = 0
    counts: ClaimCount = ClaimCount()
    engines: dict[str, dict[str, int]] = {}
    """Engine → `{asked, answered}`."""
    tokens_by_role: dict[str, int] = {}


class Provenance(BaseModel):
    """How the report came about."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    version: str
    """Of this package."""
    thinker: str
    """`extractive`, or the models' names."""
    models: tuple[str, ...] = ()
    engines: tuple[str, ...] = ()
    today: str = ""
    started: str = ""
    """ISO 8601, UTC."""
    ended: str = ""
    request: dict[str, Any] = {}
    plan: dict[str, Any] = {}
    failures: tuple[EngineFailure, ...] = ()
    searched: tuple[Searched, ...] = ()
    """Queries that engines answered, with how many hits."""
    removed: tuple[Removed, ...] = ()
    journal: dict[str, int] = {}
    """Steps by kind."""


class Run(BaseModel):
    """The run object: the same in `report.json`, `--json`, `format=json` and the SDK."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    run_id: str
    status: RunStatus
    stage: Stage
    question: str
    answer: str = ""
    """The direct answer: "In short" without marks, or the answer of `mode=answer`."""
    report: str = ""
    """Markdown."""
    sections: tuple[Section, ...] = ()
    citations: tuple[Citation, ...] = ()
    claims: tuple[Claim, ...] = ()
    sources: tuple[SourceRow, ...] = ()
    unread: tuple[Unread, ...] = ()
    warnings: tuple[str, ...] = ()
    checks: tuple[CheckedClaim, ...] = ()
    """Of a check of citations, as the four lists below."""
    dead: tuple[Unread, ...] = ()
    """Cited addresses at which there is nothing."""
    dangling: tuple[Stretch, ...] = ()
    """Marks that no reference has."""
    unused: tuple[Stretch, ...] = ()
    """References that nothing cites."""
    uncited: tuple[Stretch, ...] = ()
    """Statements without a citation."""
    quotes: QuoteCount = QuoteCount()
    assessment: RunAssessment | None = None
    metrics: Metrics = Metrics()
    provenance: Provenance | None = None
    waiting: InputRequest | None = None
    """What it asks of its user, while it is `input_required`."""
    path: str = ""
    """The folder of `report.md` and `report.json`."""
    error: dict[str, str] | None = None
