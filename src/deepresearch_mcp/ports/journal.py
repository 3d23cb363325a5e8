"""The record of a run's steps, so that nothing paid for is lost or paid twice."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal, Protocol, TypeVar

T = TypeVar("T")

StepKind = Literal["model", "search", "fetch", "decision"]
StepStatus = Literal["started", "done", "error"]
"""`started` with no end: in doubt."""


FORKED = "forked"
"""The key of the step in which a fork keeps what it makes anew: a list of what its keys begin with."""


@dataclass(frozen=True, slots=True)
class Step:
    """Where a step stands: its name and what it waited for."""

    key: str
    """Names the subject, as `read/q1/3f9c…`; never a position."""
    depends_on: tuple[str, ...] = ()
    """Keys of the steps whose results it uses."""

    def part(self, word: str) -> "Step":
        """A step below this one, as another attempt at it or a share of it, which depends on the same."""
        return replace(self, key=part_of(self.key, word))


def part_of(key: str, word: str) -> str:
    """The key of a step below another one."""
    return f"{key}/{word}"


def kind_named(key: str) -> str:
    """The name of a step's kind, which its key begins with; `pipeline.steps` has them all."""
    return key.partition("/")[0]


@dataclass(frozen=True, slots=True)
class Used:
    """What a step came to; of one that has not ended, or failed: what it may have come to, at most."""

    by: str = ""
    """`PROVIDER:NAME` of a model, the name of an engine, the host of a page."""
    role: str = ""
    """Of a model."""
    usd: float | None = 0.0
    """None: the price is not known."""
    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0
    searches: int = 0
    pages: int = 0
    earlier_usd: float = 0.0
    """What calls of earlier attempts that brought no result may have cost."""
    earlier_tokens: int = 0
    earlier_searches: int = 0

    def after(self, earlier: "Used | None") -> "Used":
        """The same, with what an attempt without result came to before."""
        if earlier is None:
            return self
        return replace(
            self,
            earlier_usd=self.earlier_usd + (earlier.usd or 0.0) + earlier.earlier_usd,
            earlier_tokens=self.earlier_tokens + earlier.input_tokens + earlier.output_tokens + earlier.earlier_tokens,
            earlier_searches=self.earlier_searches + earlier.searches + earlier.earlier_searches,
        )


@dataclass(frozen=True, slots=True)
class StepRow:
    """A recorded step."""

    key: str
    kind: StepKind
    status: StepStatus
    attempt: int
    needs: tuple[str, ...]
    request: str
    """Hash of what was asked."""
    result: str | None
    """JSON."""
    error: str | None
    cost: float | None
    """USD."""
    started: float
    """Seconds since the epoch."""
    ended: float | None
    used: Used | None = None
    """Where it told it."""


class Journal(Protocol):
    """Steps of one run, owned by this process."""

    async def step(
        self,
        step: Step,
        fn: Callable[[], Awaitable[T]],
        *,
        kind: StepKind,
        result: object,
        request: object = None,
        stands: object = None,
        used: Callable[[T], Used] | None = None,
        hold: Callable[[], Awaitable[Used]] | None = None,
        lost: Callable[[Exception], Used] | None = None,
    ) -> T:
        """Run `fn` once in the life of the run and return its result.

        Writes `started`, awaits `fn`, then writes `done` with the result as JSON,
        shielded: a cancellation that arrives after payment still records it. A key
        already done, with an equal hash of `request`, gives back the recorded value
        without calling `fn`; with another hash it is run again.

        `stands` is another request whose recorded result is as good.

        `result` is the type the recorded JSON is read back as (anything that a pydantic
        TypeAdapter takes). `hold` is awaited before `started` is written (never for what is
        replayed) and tells what the step may come to: should the process die under way, the
        next life counts that. `lost` tells what a step came to that raised.

        Raises:
            DuplicateStep: The key was already used in this life of the run.
            OwnershipLost: Another process took the run over.
        """
        ...

    def left(self, key: str) -> StepStatus | None:
        """How an earlier attempt at the run left a step; None: it never began it.

        `started`: it died in between, and what the step cost may have been paid already.
        """
        ...

    def recorded(self, key: str) -> str | None:
        """The result, as JSON, of a step that an earlier life of the run, or the run it is a fork of, has done.

        None where there is none, and once `step` was asked for it.
        """
        ...

    async def rows(self) -> Sequence[StepRow]:
        """All steps of the run, oldest first."""
        ...
