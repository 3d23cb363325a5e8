"""A model that says what a test told it to, and a journal in memory."""

from collections.abc import Awaitable, Callable, Sequence
from typing import Any, TypeVar

import anyio.lowlevel
from pydantic import TypeAdapter

from deepresearch_mcp.exceptions import DuplicateStep
from deepresearch_mcp.ports.journal import Step, StepKind, StepRow, StepStatus, Used
from deepresearch_mcp.ports.model import ModelAnswer, ModelCall, Role, Usage

T = TypeVar("T")


def call(
    key: str = "read/q1",
    *,
    role: Role = "reader",
    system: str = "",
    prompt: str = "?",
    max_tokens: int = 100,
    schema: dict[str, Any] | None = None,
    needs: tuple[str, ...] = (),
) -> ModelCall:
    return ModelCall(key, role, system, prompt, max_tokens, schema, needs=needs)


class ScriptedModel:
    """Gives its answers in turn: text, a `ModelAnswer`, or an error to raise; the last one for good."""

    def __init__(self, *script: str | ModelAnswer | BaseException, name: str = "openai:gpt-6-luna") -> None:
        self.name = name
        self.calls: list[ModelCall] = []
        self._script = list(script)

    async def answer(self, call: ModelCall) -> ModelAnswer:
        self.calls.append(call)
        await anyio.lowlevel.checkpoint()
        said = self._script.pop(0) if len(self._script) > 1 else self._script[0]
        if isinstance(said, BaseException):
            raise said
        return ModelAnswer(said, self.name, Usage(10, 5)) if isinstance(said, str) else said


class MemoryJournal:
    """Implements `ports.journal.Journal`; `reborn` is its next life, with what is recorded."""

    def __init__(self, done: dict[str, tuple[str, bytes]] | None = None) -> None:
        self.before: dict[str, StepStatus] = {}
        self.done = dict(done or {})
        self.costs: dict[str, float | None] = {}
        self.needs: dict[str, tuple[str, ...]] = {}
        self._used: set[str] = set()

    def reborn(self) -> "MemoryJournal":
        return MemoryJournal(self.done)

    async def step(
        self,
        step: Step,
        fn: Callable[[], Awaitable[T]],
        *,
        kind: StepKind,
        result: type[T] | Any,
        request: object = None,
        stands: object = None,
        used: Callable[[T], Used] | None = None,
        hold: Callable[[], Awaitable[Used]] | None = None,
        lost: Callable[[Exception], Used] | None = None,
    ) -> T:
        if step.key in self._used:
            raise DuplicateStep(step.key)
        self._used.add(step.key)
        adapter: TypeAdapter[T] = TypeAdapter(result)
        known = self.done.get(step.key)
        if known and known[0] in {repr(request), repr(stands)}:
            return adapter.validate_json(known[1])
        value = await fn()
        self.done[step.key] = (repr(request), adapter.dump_json(value))
        self.costs[step.key] = used(value).usd if used else None
        self.needs[step.key] = step.depends_on
        return value

    def left(self, key: str) -> StepStatus | None:
        return "done" if key in self.done else self.before.get(key)

    def recorded(self, key: str) -> str | None:
        known = self.done.get(key)
        return known[1].decode() if known and key not in self._used else None

    async def rows(self) -> Sequence[StepRow]:
        return []
