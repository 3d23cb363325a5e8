"""The books of a run: what its steps used, by stage, role, model and engine."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from deepresearch_mcp.pipeline import steps
from deepresearch_mcp.ports.journal import StepRow, Used
from deepresearch_mcp.tally import whole_of


@dataclass(slots=True)
class Sum:
    """What some steps came to."""

    calls: int = 0
    """Of models, answered."""
    usd: float = 0.0
    """With what is in doubt."""
    usd_known: bool = True
    """False where a call had no known price: `usd` is then a lower bound."""
    input_tokens: int = 0
    """Of answered calls, as the next two."""
    output_tokens: int = 0
    cached_tokens: int = 0
    searches: int = 0
    pages: int = 0
    """That arrived, readable or not."""
    in_doubt: int = 0
    """Calls that were begun and brought no answer."""
    doubt_usd: float = 0.0
    """What they may have cost, at most."""
    doubt_tokens: int = 0

    def add(self, row: StepRow, used: Used) -> None:
        """Count one step, with all its attempts."""
        whole = whole_of(used)
        tokens = used.input_tokens + used.output_tokens
        self.usd += whole.usd
        self.searches += whole.searches
        self.pages += whole.pages
        if row.kind != "model":
            return
        self.usd_known = self.usd_known and used.usd is not None
        if row.status == "done":
            self.calls += 1
            self.input_tokens += used.input_tokens
            self.output_tokens += used.output_tokens
            self.cached_tokens += used.cached_tokens
            self.doubt_usd += used.earlier_usd
            self.doubt_tokens += used.earlier_tokens
            self.in_doubt += used.earlier_tokens > 0
        elif whole.tokens:
            self.in_doubt += 1 + (used.earlier_tokens > 0 and tokens > 0)
            self.doubt_usd += whole.usd
            self.doubt_tokens += whole.tokens


@dataclass(frozen=True, slots=True)
class Accounts:
    """A run's use, summed in five ways."""

    total: Sum
    stages: dict[str, Sum] = field(default_factory=dict[str, Sum])
    roles: dict[str, Sum] = field(default_factory=dict[str, Sum])
    models: dict[str, Sum] = field(default_factory=dict[str, Sum])
    engines: dict[str, Sum] = field(default_factory=dict[str, Sum])


def accounts_of(rows: Sequence[StepRow]) -> Accounts:
    """Sum what all steps of a run used; a fork's shared steps cost it nothing and are left out."""
    told = [(row, used) for row in rows if (used := _used(row)) and used != Used(by=used.by, role=used.role)]
    models = [(row, used) for row, used in told if row.kind == "model"]
    searches = [(row, used) for row, used in told if row.kind == "search"]
    return Accounts(
        total=_summed(told, lambda _row, _used: "").get("", Sum()),
        stages=_summed(told, lambda row, _: stage_of(row.key)),
        roles=_summed(models, lambda _, used: used.role),
        models=_summed(models, lambda _, used: used.by),
        engines=_summed(searches, lambda row, used: used.by or steps.engine_of(row.key)),
    )


def stage_of(key: str) -> str:
    """The stage that a step belongs to; `other` for what no stage does."""
    return steps.stage_of(key) or "other"


def _used(row: StepRow) -> Used | None:
    # A query that was begun before steps told what they used counts as the ledger counts it.
    return row.used or (Used(searches=1) if row.kind == "search" and row.status != "done" else None)


def _summed(told: Iterable[tuple[StepRow, Used]], name: Callable[[StepRow, Used], str]) -> dict[str, Sum]:
    sums: dict[str, Sum] = {}
    for row, used in told:
        sums.setdefault(name(row, used), Sum()).add(row, used)
    return dict(sorted(sums.items(), key=lambda item: (-item[1].usd, item[0])))
