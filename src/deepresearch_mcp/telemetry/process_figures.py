"""Counts and times of the steps that this process carried out, in plain numbers until they are asked for."""

from bisect import bisect_left
from dataclasses import dataclass, field

from typing_extensions import override

from deepresearch_mcp.events import Event
from deepresearch_mcp.telemetry.observing import Observer, SeenStep

BOUNDS_MS: tuple[float, ...] = (10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 30_000, 60_000, 120_000)
"""Upper bounds of step times in milliseconds: from a page of the cache to a model's time limit."""
_MOST_NAMES = 100
"""Names of models or engines that are told apart; further ones are `other`, so that the page stays bounded."""


@dataclass(slots=True)
class Times:
    """A histogram of milliseconds."""

    counts: list[int] = field(default_factory=lambda: [0] * (len(BOUNDS_MS) + 1))
    """Per bound, not summed up; the last counts what is beyond all bounds."""
    total: float = 0.0

    def add(self, milliseconds: float) -> None:
        """Count one time."""
        self.counts[bisect_left(BOUNDS_MS, milliseconds)] += 1
        self.total += milliseconds


@dataclass(slots=True)
class ProcessFigures(Observer):
    """What this process did since it started. Labels are words of ours, roles, and names of models and engines."""

    active: set[str] = field(default_factory=set[str])
    """Runs that this process works on."""
    steps: dict[tuple[str, str, str], int] = field(default_factory=dict[tuple[str, str, str], int])
    """Kind, stage and `done` or `error` → steps."""
    durations: dict[str, Times] = field(default_factory=dict[str, Times])
    """Kind of step → times."""
    model_times: dict[tuple[str, str], Times] = field(default_factory=dict[tuple[str, str], Times])
    """Model and role → times of calls."""
    tool_times: dict[str, Times] = field(default_factory=dict[str, Times])
    """Search engine, or `fetch` → times of calls."""
    errors: dict[str, int] = field(default_factory=dict[str, int])
    """Error class → steps that it ended."""
    _names: set[str] = field(default_factory=set[str])

    @override
    def began(self, run_id: str) -> None:
        self.active.add(run_id)

    @override
    def happened(self, run_id: str, event: Event) -> None:
        """Steps say all that is counted here."""

    @override
    def step_began(self, step: SeenStep) -> None:
        """A step is counted at its end."""

    @override
    def step_ended(self, step: SeenStep) -> None:
        milliseconds = 1_000 * step.seconds
        counted = (step.kind, step.stage, "error" if step.error else "done")
        self.steps[counted] = self.steps.get(counted, 0) + 1
        self.durations.setdefault(step.kind, Times()).add(milliseconds)
        if step.error:
            self.errors[step.error] = self.errors.get(step.error, 0) + 1
        if step.kind == "model":
            self.model_times.setdefault((self._known(step), step.used.role if step.used else ""), Times()).add(
                milliseconds
            )
        elif step.kind == "search":
            self.tool_times.setdefault(self._known(step), Times()).add(milliseconds)
        elif step.kind == "fetch":
            # Never the host of a page: there is no end of them, and they say what was researched.
            self.tool_times.setdefault("fetch", Times()).add(milliseconds)

    @override
    def ended(self, run_id: str) -> None:
        self.active.discard(run_id)

    def _known(self, step: SeenStep) -> str:
        name = step.used.by if step.used and step.used.by else "unknown"
        # A search engine of a user's own is named after its address or command, which may hold a key.
        if name.startswith("mcp:"):
            return "mcp"
        if name not in self._names and len(self._names) >= _MOST_NAMES:
            return "other"
        self._names.add(name)
        return name
