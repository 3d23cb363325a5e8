"""Shows each step that really ran to observers: metrics, traces, log lines. Replayed steps are not shown."""

from collections.abc import AsyncGenerator, Awaitable, Callable, Generator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar, cast

from typing_extensions import override

from deepresearch_mcp.events import Event
from deepresearch_mcp.ports.clock import Clock
from deepresearch_mcp.ports.journal import Journal, Step, StepKind, StepRow, StepStatus, Used, kind_named
from deepresearch_mcp.ports.watching import PromptRow, Prompts

T = TypeVar("T")


@dataclass(slots=True, eq=False)
class SeenStep:
    """One step while it runs, and after it has ended."""

    run_id: str
    key: str
    kind: StepKind
    stage: str
    """The stage of the run that it belongs to; `other` if it belongs to none."""
    seconds: float = 0.0
    used: Used | None = None
    """What it used, known at its end."""
    error: str = ""
    """The class of the error with which it ended; `Cancelled` if it was cancelled."""

    @property
    def name(self) -> str:
        """The kind of work, such as `read` or `judge`: one of a fixed list."""
        return kind_named(self.key)


class Observer(Protocol):
    """Sees what runs do. It must not block or raise."""

    def began(self, run_id: str) -> None:
        """An attempt at a run begins."""
        ...

    def happened(self, run_id: str, event: Event) -> None:
        """A run emits an event."""
        ...

    def step_began(self, step: SeenStep) -> None:
        """A step begins."""
        ...

    def step_ended(self, step: SeenStep) -> None:
        """The same step has ended."""
        ...

    def ended(self, run_id: str) -> None:
        """The attempt is over, in whatever way."""
        ...


@dataclass(frozen=True, slots=True)
class At:
    """Where in which run the present task works."""

    run_id: str = ""
    step: str = ""
    """Key of the step; empty between steps."""


_NOWHERE = At()
_AT: ContextVar[At] = ContextVar("deepresearch_at")


def where() -> At:
    """The run and step that the present task works on."""
    return _AT.get(_NOWHERE)


@contextmanager
def within(run_id: str, step: str = "") -> Generator[None]:
    """Let log lines of this task, and of tasks that it starts, name the run and the step."""
    before = where()
    _AT.set(At(run_id, step))
    try:
        yield
    finally:
        # Not by a token: a generator may be closed in another context.
        _AT.set(before)


@asynccontextmanager
async def observed(
    opening: AbstractAsyncContextManager[Journal],
    run_id: str,
    observers: Sequence[Observer],
    clock: Clock,
    stage_of: Callable[[str], str | None],
    prompts: Prompts | None = None,
) -> AsyncGenerator[Journal]:
    """Open a run's journal for one attempt at the run, which observers see from its beginning to its end.

    `prompts` keep what models are asked; None: nothing is kept.
    """
    async with opening as journal:
        with within(run_id):
            for observer in observers:
                observer.began(run_id)
            try:
                yield ObservedJournal(journal, run_id, observers, clock, stage_of, prompts)
            finally:
                for observer in observers:
                    observer.ended(run_id)


class ObservedJournal(Journal):
    """A journal whose steps observers see."""

    def __init__(
        self,
        journal: Journal,
        run_id: str,
        observers: Sequence[Observer],
        clock: Clock,
        stage_of: Callable[[str], str | None],
        prompts: Prompts | None = None,
    ) -> None:
        self._prompts = prompts
        self._journal = journal
        self._run_id = run_id
        self._observers = observers
        self._clock = clock
        self._stage_of = stage_of

    @override
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
        async def seen_fn() -> T:
            seen = SeenStep(self._run_id, step.key, kind, self._stage_of(step.key) or "other", error="Cancelled")
            began = self._clock.monotonic()
            for observer in self._observers:
                observer.step_began(seen)
            try:
                with within(self._run_id, step.key):
                    if self._prompts and kind == "model":
                        await self._keep(step.key, request)
                    value = await fn()
                seen.used, seen.error = used(value) if used else None, ""
            except Exception as error:
                seen.used, seen.error = lost(error) if lost else None, type(error).__name__
                raise
            else:
                return value
            finally:
                seen.seconds = self._clock.monotonic() - began
                for observer in self._observers:
                    observer.step_ended(seen)

        given: dict[str, Any] = {"request": request, "stands": stands, "used": used, "hold": hold, "lost": lost}
        return await self._journal.step(step, seen_fn, kind=kind, result=result, **given)

    async def _keep(self, key: str, request: object) -> None:
        asked: Mapping[str, object] = cast("Mapping[str, object]", request) if isinstance(request, dict) else {}
        if self._prompts and "prompt" in asked:
            at = self._clock.now().timestamp()
            told = (str(asked.get(name, "")) for name in ("model", "role", "system", "prompt"))
            await self._prompts.keep(self._run_id, PromptRow(key, at, *told))

    @override
    def left(self, key: str) -> StepStatus | None:
        return self._journal.left(key)

    @override
    def recorded(self, key: str) -> str | None:
        return self._journal.recorded(key)

    @override
    async def rows(self) -> Sequence[StepRow]:
        return await self._journal.rows()
