"""What a run could not do as planned, for its report: each degradation once, with its count and reasons."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from deepresearch_mcp.events import Degraded
from deepresearch_mcp.records.ceilings import limit_in

_NAMED = 5
"""The most lost items that a sentence names."""
_REASONS = 3
"""The most reasons in one sentence; the most frequent come first."""
_BESIDE = frozenset({"plan", "assess"})
"""Steps that decide where to look and when to stop; none of their words reach the report."""


@dataclass(slots=True)
class _Degradation:
    """Everything that one component failed to do and that had the same fallback."""

    who: str
    then: str
    failed: Counter[str] = field(default_factory=Counter[str])
    why: Counter[str] = field(default_factory=Counter[str])
    about: dict[str, None] = field(default_factory=dict[str, None])

    def count(self, event: Degraded) -> None:
        """Add another event of the same kind."""
        self.failed[event.failed] += 1
        if event.why:
            self.why[event.why] += 1
        if event.about:
            self.about[event.about] = None

    @property
    def steps(self) -> str:
        """The failed steps, each with its count."""
        return _joined([f"{what}{_times(number)}" for what, number in self.failed.items()])

    @property
    def reasons(self) -> str:
        """The most frequent reasons."""
        return "; ".join(f"{why.rstrip('.')}{_times(number)}" for why, number in self.why.most_common(_REASONS))

    @property
    def because(self) -> str:
        """The reasons as the end of a sentence: in brackets, or after a colon if they contain brackets."""
        reasons = "; ".join(
            why.rstrip(".") + (f", {_often(number)}" if number > 1 else "")
            for why, number in self.why.most_common(_REASONS)
        )
        if not reasons:
            return ""
        return f": {reasons}" if "(" in reasons else f" ({reasons})"

    @property
    def plainly(self) -> str:
        """The reasons as a clause: limits first, then what else was said, and what was done instead."""
        limits = dict.fromkeys(words for why in self.why if (words := limit_in(why)))
        others = [why.rstrip(".") for why, _ in self.why.most_common(_REASONS) if not limit_in(why)]
        reached = f", as {' and '.join(limits)} {'was' if len(limits) == 1 else 'were'} reached" if limits else ""
        said = f" ({'; '.join(others)})" if others else ""
        return f"{reached}; rules did it instead{said}"

    def sentence(self) -> str:
        """The whole degradation as text for the report's reader."""
        text = f"{self.who} could not {self.steps}; {self.then}."
        if self.reasons:
            text += f" Why: {self.reasons}."
        if lost := list(self.about):
            more = [f"{len(lost) - _NAMED} more"] if len(lost) > _NAMED else []
            text += f" Left out: {'; '.join([*lost[:_NAMED], *more])}."
        return text


class DegradationLog:
    """Collects the degradations of a run.

    `warnings` always holds one entry for each of them, after the entries that it was given with.
    """

    def __init__(self, warnings: list[str]) -> None:
        self.warnings = warnings
        self._places: dict[tuple[str, str], int] = {}
        self._known: dict[tuple[str, str], _Degradation] = {}
        self._without: dict[str, _Degradation] = {}
        self._ruled: dict[tuple[str, str], None] = {}
        self.by_rule: Counter[str] = Counter()
        """Steps that rules did in place of a model, with their counts."""

    @property
    def partial(self) -> bool:
        """Whether rules read, judged or wrote something that a model should have."""
        return any(step not in _BESIDE for step in self.by_rule)

    @property
    def without_model(self) -> str:
        """What rules did in place of a model, how often and why: one sentence for each model; "" if nothing."""
        return " ".join(
            f"{one.who} could not {one.steps}, so it was done by rules instead{one.because}."
            for one in self._without.values()
        )

    @property
    def by_rules(self) -> str:
        """`without_model` in a reader's words: a limit by its name, any other reason as it was given."""
        return " ".join(f"{one.who} could not {one.steps}{one.plainly}." for one in self._without.values())

    @property
    def replaced(self) -> tuple[str, ...]:
        """The warnings that `by_rules` tells in short."""
        return tuple(self.warnings[self._places[key]] for key in self._ruled)

    def add(self, event: Degraded) -> bool:
        """Count an event; return whether it is the first of its kind."""
        if not event.who:
            new = event.what not in self.warnings
            self.warnings += [event.what] if new else []
            return new
        if event.by_rule:
            self.by_rule[event.by_rule] += 1
            self._without.setdefault(event.who, _Degradation(event.who, event.then)).count(event)
            self._ruled[event.who, event.then] = None
        key = (event.who, event.then)
        if key not in self._known:
            self._known[key] = _Degradation(event.who, event.then)
            self._places[key] = len(self.warnings)
            self.warnings.append("")
        known = self._known[key]
        new = event.failed not in known.failed or event.why not in known.why or bool(event.about)
        known.count(event)
        self.warnings[self._places[key]] = known.sentence()
        return new


def _times(number: int) -> str:
    return f" ({_often(number)})" if number > 1 else ""


def _often(number: int) -> str:
    return "twice" if number == 2 else f"{number} times"


def _joined(parts: Sequence[str]) -> str:
    *head, last = parts
    return f"{', '.join(head)} and {last}" if head else last
