"""The record of a run's steps, so that nothing paid for is lost or paid twice."""

import json
import re
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal, Protocol, TypeVar

T = TypeVar("T")

StepKind = Literal["model", "search", "fetch", "decision"]
StepStatus = Literal["started", "done", "error"]
"""A step that stays `started` is in doubt: it may have been paid for."""


FORKED = "forked"
"""A fork records under this key which steps it repeats: a list of key prefixes."""


@dataclass(frozen=True, slots=True)
class Step:
    """A step's place in the run: its name and the steps it depends on."""

    key: str
    """Names the subject, such as `read/q1/3f9c…`; never a position."""
    depends_on: tuple[str, ...] = ()
    """Keys of the steps whose results it uses."""

    def part(self, word: str) -> "Step":
        """Return a step below this one with the same dependencies: a further attempt, or a part of the work."""
        return replace(self, key=part_of(self.key, word))


def part_of(key: str, word: str) -> str:
    """Return the key of a step below another one."""
    return f"{key}/{word}"


def kind_named(key: str) -> str:
    """Return the first part of a key, which names the kind of step; `pipeline.steps` lists them."""
    return key.partition("/")[0]


def sub_question_in(key: str) -> str:
    """Return the sub-question that a step was made for alone, as `q2`; "" if its key names none."""
    subject = key.partition("/")[2].partition("/")[0]
    return subject if _SUB_QUESTION.fullmatch(subject) else ""


_SUB_QUESTION = re.compile(r"q\d{1,3}")


@dataclass(frozen=True, slots=True)
class Used:
    """What a step used; while it runs, or after it failed, the most it may have used."""

    by: str = ""
    """`PROVIDER:NAME` of a model, the name of an engine, the host of a page."""
    role: str = ""
    """The model's role; "" for other steps."""
    usd: float | None = 0.0
    """USD; None if the price is unknown."""
    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0
    searches: int = 0
    pages: int = 0
    earlier_usd: float = 0.0
    """The possible cost of calls in earlier attempts that brought no result, in USD."""
    earlier_tokens: int = 0
    earlier_searches: int = 0

    def after(self, earlier: "Used | None") -> "Used":
        """Return this use plus that of an earlier attempt without a result."""
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
    """A hash of the request."""
    result: str | None
    """JSON."""
    error: str | None
    cost: float | None
    """USD."""
    started: float
    """Seconds since the epoch."""
    ended: float | None
    used: Used | None = None
    """None for a step that reported no use."""


class Journal(Protocol):
    """The steps of one run that this process owns."""

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
        """Run `fn` once for the whole run, all attempts included, and return its result.

        It writes `started`, awaits `fn`, then writes `done` with the result as JSON. That last write is shielded, so a
        cancellation after payment does not lose the record. If the key is done and the hash of `request` is equal, it
        returns the recorded value without calling `fn`; with another hash it runs the step again.

        `stands` is an alternative request: a result recorded for it is accepted too.

        `result` is the type that the recorded JSON is parsed as (anything that a pydantic TypeAdapter accepts). `hold`
        is awaited before `started` is written, but not for a replayed step. It returns the most that the step may use;
        if the process dies during the step, the next attempt counts that. `lost` returns the use of a step that raised.

        Raises:
            DuplicateStep: This attempt at the run already used the key.
            OwnershipLost: Another process took the run over.
        """
        ...

    def left(self, key: str) -> StepStatus | None:
        """Return the status in which an earlier attempt left a step; None if it never began it.

        `started`: the attempt died during the step, which may already have been paid for.
        """
        ...

    def recorded(self, key: str) -> str | None:
        """Return the result, as JSON, of a step done by an earlier attempt or by the run that this one forked.

        None if there is none, or after `step` was called for the key.
        """
        ...

    async def rows(self) -> Sequence[StepRow]:
        """Return all steps of the run, oldest first."""
        ...


def redone(journal: Journal) -> tuple[str, ...] | None:
    """Return the kinds of steps that a fork does anew; None for a run that is no fork."""
    forked = journal.recorded(FORKED)
    return None if forked is None else tuple(json.loads(forked))
