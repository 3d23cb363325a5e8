"""What the models of a run used, by role and by model."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import cast

from deepresearch_mcp.budget import Amount
from deepresearch_mcp.ports.journal import StepRow, Used, sub_question_in
from deepresearch_mcp.ports.model import Role, Usage


@dataclass(slots=True)
class Use:
    """The use of one role or model, summed over its calls."""

    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0
    usd: float = 0.0
    usd_known: bool = True
    """False if the price of a call is unknown: `usd` is then a lower bound."""

    def add(self, usage: Usage, usd: float | None) -> None:
        """Count one call."""
        self.calls += 1
        self.input_tokens += usage.input_tokens
        self.output_tokens += usage.output_tokens
        self.cached_tokens += usage.cached_tokens
        self.usd += usd or 0.0
        self.usd_known = self.usd_known and usd is not None


@dataclass(slots=True)
class Tally:
    """The use of models in one run, over all its attempts."""

    total: Use = field(default_factory=Use)
    roles: dict[Role, Use] = field(default_factory=dict[Role, Use])
    models: dict[str, Use] = field(default_factory=dict[str, Use])
    played: dict[str, set[Role]] = field(default_factory=dict[str, set[Role]])
    """Model → the roles it answered in."""
    sub_questions: dict[str, int] = field(default_factory=dict[str, int])
    """Id of a sub-question → tokens, in and out, of the calls made for it alone."""
    in_doubt: int = 0
    """Calls that failed or were cancelled after they were sent, so that they may have been billed."""

    def add(self, role: Role, model: str, usage: Usage, usd: float | None, key: str = "") -> None:
        """Count one call: in the total, by role, by model, and for the sub-question that its step's key names."""
        if name := sub_question_in(key):
            tokens = usage.input_tokens + usage.output_tokens
            self.sub_questions[name] = self.sub_questions.get(name, 0) + tokens
        self.played.setdefault(model, set()).add(role)
        for use in (self.total, self.roles.setdefault(role, Use()), self.models.setdefault(model, Use())):
            use.add(usage, usd)


def tallied(rows: Sequence[StepRow]) -> Tally:
    """Sum the model use of a run's earlier attempts from its recorded steps."""
    tally = Tally()
    for row in rows:
        if row.kind != "model" or not (used := row.used):
            continue
        if row.status != "done":
            tally.in_doubt += 1
            continue
        usage = Usage(used.input_tokens, used.output_tokens, used.cached_tokens)
        tally.add(cast(Role, used.role), used.by, usage, used.usd, row.key)
    return tally


def amount_of(rows: Sequence[StepRow]) -> Amount:
    """Sum the steps as the ledger counts them: a call in doubt counts at its upper bound."""
    total = Amount()
    for row in rows:
        if row.used:
            total += whole_of(row.used)
        elif row.kind == "search":
            total += Amount(searches=1)
    return total


def whole_of(used: Used) -> Amount:
    """The use of a step in all its attempts."""
    usd = (used.usd or 0.0) + used.earlier_usd
    searches = used.searches + used.earlier_searches
    return Amount(
        usd,
        used.input_tokens + used.output_tokens + used.earlier_tokens,
        searches,
        used.pages,
        # A step belongs to a model or to an engine, never to both.
        usd if searches else 0.0,
    )
