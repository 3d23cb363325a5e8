"""One research, or one check, with everything that was opened for it, and what it comes to in figures."""

from dataclasses import dataclass, field

from deepresearch_mcp.budget import Ledger
from deepresearch_mcp.events import Progress
from deepresearch_mcp.llm.metering import Tally
from deepresearch_mcp.pipeline.checking import Checking
from deepresearch_mcp.pipeline.run import Research
from deepresearch_mcp.ports.clock import Clock
from deepresearch_mcp.ports.journal import Journal
from deepresearch_mcp.ports.store import Store
from deepresearch_mcp.records.checks import AnyRequest
from deepresearch_mcp.records.run import Metrics, Provenance
from deepresearch_mcp.version import __version__


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
    summary_tokens: int = 0
    """Length of the summary of a source; 0: none is made."""

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
        """How the report came about."""
        kinds: dict[str, int] = {}
        for row in await self.journal.rows():
            kinds[row.kind] = kinds.get(row.kind, 0) + 1
        return Provenance(
            version=__version__,
            thinker=self.thinker,
            models=tuple(self.tally.models),
            engines=self.engines,
            today=self.research.findings.brief.today.isoformat(),
            started=self.started,
            ended=self.clock.now().isoformat(timespec="milliseconds"),
            request=self.request.model_dump(mode="json"),
            journal=kinds,
        )
