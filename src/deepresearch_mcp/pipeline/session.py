"""One research, or one check, with everything that was opened for it, and what it comes to in figures."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from types import MappingProxyType
from typing import Any

from deepresearch_mcp.budget import Ledger
from deepresearch_mcp.degradations import DegradationLog
from deepresearch_mcp.pipeline.check.checking import Checking
from deepresearch_mcp.pipeline.run import Research
from deepresearch_mcp.ports.clock import Clock
from deepresearch_mcp.ports.journal import Journal, StepRow
from deepresearch_mcp.ports.model import Role
from deepresearch_mcp.ports.store import Store
from deepresearch_mcp.progress import Progress
from deepresearch_mcp.prompts.templates import hashes
from deepresearch_mcp.records.checks import AnyRequest
from deepresearch_mcp.records.run import CallRecord, Metrics, Provenance
from deepresearch_mcp.tally import Tally
from deepresearch_mcp.text.url_secrets import without_secrets
from deepresearch_mcp.thinkers.base import EXTRACTIVE
from deepresearch_mcp.version import __version__

_WORDS: Mapping[Role, str] = MappingProxyType(
    {
        "planner": "planning",
        "reader": "reading",
        "verifier": "checking",
        "analyst": "weighing",
        "writer": "writing",
        "critic": "reviewing",
    }
)
"""Role → the word for its work."""
_STEPS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "planning": ("plan",),
        "reading": ("read", "gap_check"),
        "checking": ("judge", "hold", "hold_judgements", "again", "consolidate"),
        "weighing": ("assess",),
        "writing": (
            "outline",
            "write",
            "conclude",
            "sketch",
            "section",
            "edit",
            "fill",
            "opening",
            "repair",
            "direct",
        ),
        "reviewing": ("critique", "revise", "review"),
    }
)
"""The steps behind these words, as they are named where rules do them."""


@dataclass(slots=True)
class Session:
    """One research, or one check, with everything that was opened for it."""

    research: Research | Checking
    store: Store
    ledger: Ledger
    tally: Tally
    journal: Journal
    thinker: str
    engines: tuple[str, ...]
    request: AnyRequest
    clock: Clock
    started: str
    warnings: list[str] = field(default_factory=list[str])
    degradations: DegradationLog = field(default_factory=lambda: DegradationLog([]))
    """What was done in another way than planned; `warnings` has the sentences."""
    summary_tokens: int = 0
    """Length of the summary of a source; 0: none is made."""

    @property
    def partial(self) -> bool:
        """Whether a ceiling cut it short, or rules did the work of a model."""
        return self.research.findings.cut_short or self.degradations.partial

    @property
    def thinking(self) -> str:
        """Each model that answered, and the engine of rules if it did something."""
        if self.thinker == EXTRACTIVE:
            return EXTRACTIVE
        did = {name: [_WORDS[role] for role in _WORDS if role in roles] for name, roles in self.tally.played.items()}
        by_rule = {*self.degradations.by_rule, *filter(None, (self.research.findings.by_rule,))}
        if by_rule:
            did[EXTRACTIVE] = [word for word, steps in _STEPS.items() if not by_rule.isdisjoint(steps)]
        if len(did) == 1:
            return next(iter(did))
        return ", ".join(f"{name} ({', '.join(words)})" for name, words in did.items()) or "none"

    def metrics(self, progress: Progress) -> Metrics:
        """What the run has used."""
        used, tally = self.ledger.used, self.tally
        return Metrics(
            usd=round(used.usd, 6),
            usd_known=tally.total.usd_known,
            search_usd=round(used.search_usd, 6),
            input_tokens=tally.total.input_tokens,
            output_tokens=tally.total.output_tokens,
            cached_tokens=tally.total.cached_tokens,
            model_calls=tally.total.calls,
            searches=used.searches,
            pages=progress.read,
            seconds=round(self.ledger.seconds, 2),
            tokens_by_role={role: use.input_tokens + use.output_tokens for role, use in tally.roles.items()},
        )

    async def provenance(self) -> Provenance:
        """How the report was made."""
        rows = await self.journal.rows()
        calls = calls_of(rows)
        template = self.research.findings.brief.template
        return Provenance(
            version=__version__,
            thinker=self.thinking,
            models=tuple(self.tally.models),
            roles={
                role: tuple(name for name, roles in self.tally.played.items() if role in roles)
                for role in self.tally.roles
            },
            engines=self.engines,
            today=self.research.findings.brief.today.isoformat(),
            started=self.started,
            ended=self.clock.now().isoformat(timespec="milliseconds"),
            request=_shown(self.request.model_dump(mode="json")),
            template=template.model_dump(mode="json") if template.name else {},
            prompts=dict(hashes()) if calls else {},
            calls=calls,
            journal=dict(Counter(row.kind for row in rows)),
        )


def calls_of(rows: Sequence[StepRow]) -> tuple[CallRecord, ...]:
    """The calls of models among the steps of a run, oldest first."""
    answered = [(row, row.used) for row in rows if row.kind == "model" and row.status == "done" and row.used]
    return tuple(
        CallRecord(
            step=row.key,
            role=used.role,
            model=used.by,
            request=row.request,
            started=_moment(row.started),
            ended=_moment(row.ended) if row.ended is not None else "",
            input_tokens=used.input_tokens,
            output_tokens=used.output_tokens,
            usd=used.usd,
        )
        for row, used in sorted(answered, key=lambda one: (one[0].started, one[0].key))
    )


def _moment(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds")


def _shown(request: dict[str, Any]) -> dict[str, Any]:
    """The arguments of a request as exports show them: addresses without their secrets."""
    urls = request.get("urls")
    return {**request, "urls": [without_secrets(str(url)) for url in urls]} if urls else request
