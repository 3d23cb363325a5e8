"""The one port for thinking. A stage holds what must hold for every thinker; a thinker holds how to think."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import ClassVar, Concatenate, Generic, Never, ParamSpec, Protocol, Self, TypeVar, cast

from deepresearch_mcp.ports.journal import Step
from deepresearch_mcp.records.evidence import Claim
from deepresearch_mcp.records.plan import Brief, SubQuestion
from deepresearch_mcp.records.report import Sentence
from deepresearch_mcp.records.sources import Passage

P = ParamSpec("P")
R = TypeVar("R")
R_co = TypeVar("R_co", covariant=True)

EXTRACTIVE = "extractive"
"""The name of the thinker that follows rules and asks no model."""

Pair = tuple[Claim, Claim]
"""Two claims of different sources that may be about the same thing."""


@dataclass(frozen=True, slots=True)
class SubQuestionEvidence:
    """A sub-question and the verified claims that answer it so far."""

    sub_question: SubQuestion
    claims: tuple[Claim, ...]
    more: int = 0
    """Verified claims beyond these, left out for lack of room."""
    tried: tuple[str, ...] = ()
    """Queries that were sent for it."""
    leads: tuple[str, ...] = ()
    """Queries that pages pointed to and that were not followed yet."""


@dataclass(frozen=True, slots=True)
class Sweep:
    """What a reader of a finished sentence has to look at: words that may go beyond the claims behind it."""

    words: tuple[str, ...]
    """They exclude, generalise, rank or give a reason, and stand in no claim behind the sentence."""
    beside: tuple[Claim, ...] = ()
    """Other claims of the run that speak of the same thing, and may speak against it."""


@dataclass(frozen=True, slots=True)
class Doubt:
    """A sentence of the report that its claims do not carry, and what they lack."""

    sentence: Sentence
    problem: str
    place: str = ""
    """Where it stands, if not in running text: in which row and column of a table."""
    beside: tuple[str, ...] = ()
    """Ids of other claims that it may really rest on."""
    before: str = ""
    """The sentence before it in running text."""
    standing: str = ""
    """The last sentence before that one which no one doubts, if this one only leans on a doubted one."""
    words: tuple[str, ...] = ()
    """Words of it that may go beyond its claims."""


@dataclass(frozen=True, slots=True)
class HeldStatement:
    """A judgement of the report with its premises, or a sentence without any claim, put to a reader."""

    name: str
    text: str
    premises: tuple[Claim, ...] = ()
    before: str = ""
    """The sentence before it, if it leans on that one."""
    absence: bool = False
    """It says that the pages do not tell something; its premises are the passages that come nearest to it."""
    section: str = ""
    """The heading that it stands under; "" in the opening."""
    sweep: Sweep | None = None
    may_be_plain: bool = False
    """No word of it advises, values or infers."""


@dataclass(frozen=True, slots=True)
class AskedGap:
    """A gap, with the sentences of the report and the claims that come nearest to it."""

    missing: str
    beside: tuple[str, ...] = ()
    passages: tuple[str, ...] = ()
    """Words of the pages that were read which come nearest to it."""


@dataclass(frozen=True, slots=True)
class OpenSpot:
    """An empty cell, or words that say nothing was found, with what comes nearest to it."""

    place: str
    """Where it stands, in words, or the sentence itself."""
    claims: tuple[Claim, ...] = ()
    passages: tuple[Passage, ...] = ()
    """`passage_id` is `SOURCE_ID:START`."""
    is_cell: bool = True


@dataclass(frozen=True, slots=True)
class Handler(Generic[P]):
    """What a thinker does for one kind of task; made by `ThinkerTask.by`, which checks its types."""

    kind: type[object]
    handle: Callable[Concatenate[Never, P], Awaitable[object]]


@dataclass(frozen=True, slots=True)
class ThinkerTask(Generic[R_co]):
    """One thing that a thinker is asked, with all its material; the answer is an `R_co`.

    The class says what holds for every task of its kind.
    """

    brief: Brief

    name: ClassVar[str]
    """Names the kind in events and in the account of what rules did."""
    doing: ClassVar[str]
    """What is asked, as a report says it behind "could not"."""
    instead: ClassVar[str] = ""
    """What follows, in a report, where rules answered for a model; "": that their engine did it."""
    decides: ClassVar[bool] = False
    """Later steps depend on the answer, so a resumed run must get it from the same thinker."""
    stops_at_ceiling: ClassVar[bool] = False
    """A ceiling ends this work; elsewhere rules, which cost nothing, answer in its place."""
    stops_at_refusal: ClassVar[bool] = False
    """The stage handles a model's refusal; elsewhere rules answer in its place."""
    takes_a_round: ClassVar[bool] = False
    """It waits for all earlier work, so the model of a calling client needs a round of its own for it."""

    @property
    def is_moot(self) -> bool:
        """Whether there is no material to ask about."""
        return False

    def nothing(self) -> R_co | None:
        """The answer that adds nothing: to a moot task, and from rules that have none of their own.

        None: There is no such answer; the task is never moot, and rules have their own.
        """
        return None

    @classmethod
    def by(cls, handle: Callable[Concatenate[Self, P], Awaitable[R_co]]) -> Handler[P]:
        """Tie a function to this kind of task: it takes such a task and returns its answer."""
        return Handler(cls, handle)


class Handlers(Generic[P]):
    """The registry of a thinker: what it does for each kind of task."""

    def __init__(self, *handlers: Handler[P]) -> None:
        """Of two handlers for one kind the later one counts."""
        self._by_kind = {one.kind: one.handle for one in handlers}

    def find(self, task: ThinkerTask[R]) -> Callable[Concatenate[ThinkerTask[R], P], Awaitable[R]] | None:
        """The handler of the task's class, or else of the nearest class above it."""
        found = next((self._by_kind[kind] for kind in type(task).__mro__ if kind in self._by_kind), None)
        # `by` took the handler for this very class, so it answers with an R.
        return cast("Callable[Concatenate[ThinkerTask[R], P], Awaitable[R]] | None", found)

    def of(self, task: ThinkerTask[R]) -> Callable[Concatenate[ThinkerTask[R], P], Awaitable[R]]:
        """The same where there must be one.

        Raises:
            LookupError: There is none.
        """
        found = self.find(task)
        if found is None:
            raise LookupError(f"No handler for {type(task).__name__}; add one to the thinker's HANDLERS.")
        return found


class Thinker(Protocol):
    """How to think: with a model, by rules, or with the model of a calling client."""

    @property
    def name(self) -> str:
        """For the report: `extractive`, or the models' names."""
        ...

    async def ask(self, task: ThinkerTask[R], step: Step) -> R:
        """Do one task.

        The answer is a proposal: an id in it may not exist, a quote may stand nowhere,
        a limit may be passed. The stage that asked checks all of it.

        `step` names the step for the journal; a thinker that pays for several calls
        adds `/…` to its key.

        Raises:
            ProviderError: The thinker could not be asked, or its answer was unreadable.
            BudgetExceeded: The call could have crossed a ceiling.
        """
        ...
