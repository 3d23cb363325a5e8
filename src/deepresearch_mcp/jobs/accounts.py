"""Sums what the steps of a run used, by stage, role, model and engine."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from deepresearch_mcp.pipeline import steps
from deepresearch_mcp.ports.journal import StepRow, Used, sub_question_in
from deepresearch_mcp.tally import whole_of


@dataclass(slots=True)
class Sum:
    """What some steps used together."""

    calls: int = 0
    """Answered model calls."""
    usd: float = 0.0
    """Includes `doubt_usd`."""
    usd_known: bool = True
    """False if a call had no known price; `usd` is then a lower bound."""
    input_tokens: int = 0
    """Input tokens of answered calls; the next two also count answered calls only."""
    output_tokens: int = 0
    cached_tokens: int = 0
    searches: int = 0
    pages: int = 0
    """Pages that arrived, readable or not."""
    in_doubt: int = 0
    """Calls that began but returned no answer."""
    doubt_usd: float = 0.0
    """The most that calls in doubt may have cost."""
    doubt_tokens: int = 0
    seconds: float = 0.0
    """Time of these steps together; many run at the same time."""
    began: float | None = None
    """When the first of them began, in seconds since the epoch; replayed steps keep the time of their first attempt."""
    ended: float | None = None

    def add(self, row: StepRow, used: Used) -> None:
        """Add one step with all its attempts."""
        self.began = row.started if self.began is None else min(self.began, row.started)
        if row.ended is not None:
            self.ended = row.ended if self.ended is None else max(self.ended, row.ended)
            self.seconds += max(0.0, row.ended - row.started)
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
    """What a run used: in total, and by stage, role, model, engine and sub-question."""

    total: Sum
    stages: dict[str, Sum] = field(default_factory=dict[str, Sum])
    roles: dict[str, Sum] = field(default_factory=dict[str, Sum])
    models: dict[str, Sum] = field(default_factory=dict[str, Sum])
    engines: dict[str, Sum] = field(default_factory=dict[str, Sum])
    sub_questions: dict[str, Sum] = field(default_factory=dict[str, Sum])
    """By id; `shared` for what serves several or the report. A query counts for the first that took pages of it."""


def accounts_of(rows: Sequence[StepRow]) -> Accounts:
    """Sum what all steps of a run used. Steps that a fork shares cost it nothing and are left out."""
    asked_for = _asked_for(rows)
    told = [(row, used) for row in rows if (used := _used(row)) and used != Used(by=used.by, role=used.role)]
    models = [(row, used) for row, used in told if row.kind == "model"]
    searches = [(row, used) for row, used in told if row.kind == "search"]
    return Accounts(
        total=_summed(told, lambda _row, _used: "").get("", Sum()),
        stages=_summed(told, lambda row, _: stage_or_other(row.key)),
        roles=_summed(models, lambda _, used: used.role),
        models=_summed(models, lambda _, used: used.by),
        engines=_summed(searches, lambda row, used: used.by or steps.engine_of(row.key)),
        sub_questions=dict(sorted(_summed(told, lambda row, _: asked_for(row)).items(), key=_by_id)),
    )


SHARED = "shared"


def _by_id(item: tuple[str, Sum]) -> tuple[bool, int, str]:
    return item[0] == SHARED, len(item[0]), item[0]


def _asked_for(rows: Sequence[StepRow]) -> Callable[[StepRow], str]:
    """Which sub-question a step was made for: by its key, or by who took the hits of the query behind it."""
    by_query: dict[str, str] = {}
    for row in rows:
        name = steps.admitted_for(row.key)
        for need in row.needs if name else ():
            by_query.setdefault(need, name)

    def asked_for(row: StepRow) -> str:
        known = sub_question_in(row.key) or by_query.get(row.key, "")
        return known or next((by_query[need] for need in row.needs if need in by_query), SHARED)

    return asked_for


def stage_or_other(key: str) -> str:
    """Return the stage of a step; `other` if it belongs to none."""
    return steps.stage_of(key) or "other"


def _used(row: StepRow) -> Used | None:
    # Older steps did not record what they used: count such a query as the ledger does.
    return row.used or (Used(searches=1) if row.kind == "search" and row.status != "done" else None)


def _summed(told: Iterable[tuple[StepRow, Used]], name: Callable[[StepRow, Used], str]) -> dict[str, Sum]:
    sums: dict[str, Sum] = {}
    for row, used in told:
        sums.setdefault(name(row, used), Sum()).add(row, used)
    return dict(sorted(sums.items(), key=lambda item: (-item[1].usd, item[0])))
