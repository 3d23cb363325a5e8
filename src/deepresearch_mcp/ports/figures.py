"""The port of figures: what ended runs came to, in numbers, and how their users rate them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol

Rated = Literal["up", "down"]


@dataclass(frozen=True, slots=True)
class RunFigures:
    """What one run came to. It holds no text and no caller, so it outlives the run."""

    status: str
    seconds: float = 0.0
    usd: float = 0.0
    input_tokens: int = 0
    output_tokens: int = 0
    searches: int = 0
    pages: int = 0
    rounds: int = 0
    sufficiency: int = 0
    """1 to 10; 0: not assessed."""
    quality: float | None = None
    """Mean grade of the cited sources, 0 to 1; None: no source was graded."""
    error: str = ""
    """Name of the error class of a failed run."""
    answer: float | None = None
    """The judge's mark of the answer, 0 to 10; None: the run was not judged."""
    process: float | None = None
    """Its mark of the process."""


@dataclass(frozen=True, slots=True)
class StatusFigures:
    """The sums over all runs that ended with one status."""

    status: str
    runs: int
    seconds: float
    usd: float
    input_tokens: int
    output_tokens: int
    searches: int
    pages: int
    rounds: int
    sufficiency: int
    assessed: int
    """Runs with a sufficiency."""
    quality: float
    graded: int
    """Runs with a mean grade."""
    within: tuple[int, ...]
    """Runs that took at most each of the bounds that were asked for."""
    judged: int = 0
    """Runs with marks of a judge."""
    answer: float = 0.0
    process: float = 0.0


@dataclass(frozen=True, slots=True)
class Totals:
    """The figures of all runs of a store."""

    ended: Sequence[StatusFigures] = ()
    open: Mapping[str, int] = field(default_factory=dict[str, int])
    """Status of runs that have not ended → their number. A run whose process died counts as running."""
    errors: Mapping[str, int] = field(default_factory=dict[str, int])
    """Error name → failed runs."""
    ratings: Mapping[str, int] = field(default_factory=dict[str, int])
    """`up` and `down` → runs."""


@dataclass(frozen=True, slots=True)
class Rating:
    """How its user rates a run."""

    rated: Rated
    note: str = ""
    at: float = 0.0
    """Seconds since the epoch."""


class Figures(Protocol):
    """Figures of runs that have ended, kept for the operator."""

    async def keep(self, run_id: str, figures: RunFigures, now: float) -> None:
        """Store the figures of a run that has ended; a later end of the same run replaces them."""
        ...

    async def close(self, run_id: str, figures: RunFigures, now: float) -> None:
        """Store how a run ended, and the other figures only if none are stored yet for it."""
        ...

    async def totals(self, bounds: Sequence[float]) -> Totals:
        """Sum all figures; `bounds` are seconds of a run, rising."""
        ...

    async def rate(self, run_id: str, rating: Rating) -> None:
        """Store or replace the rating of a run."""
        ...

    async def rating(self, run_id: str) -> Rating | None:
        """Return the rating of a run; None if it has none."""
        ...
