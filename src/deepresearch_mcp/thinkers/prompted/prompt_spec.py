"""How a model is asked to do a task: what a kind of task declares, and the one way in which all are asked."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Generic, TypeVar

from deepresearch_mcp.events import EventSink, degraded
from deepresearch_mcp.exceptions import AnswerCut, ContextOverflow, UnreadableAnswer
from deepresearch_mcp.llm.structured import Structured
from deepresearch_mcp.ports.journal import Step
from deepresearch_mcp.ports.model import ModelCall, Role
from deepresearch_mcp.prompts.templates import Prompt, load
from deepresearch_mcp.thinkers.base import ThinkerTask
from deepresearch_mcp.thinkers.prompted.answers import Answer, Limits, schema_of

Q = TypeVar("Q", bound=ThinkerTask[object])
A = TypeVar("A", bound=Answer)
R = TypeVar("R")
T = TypeVar("T")

LESS: Mapping[str, tuple[float, str]] = {
    "less": (0.5, "half of it was used"),
    "notes": (0.2, "the best fifth of it was used"),
}
"""Shares of the material that are tried in turn where all of it does not fit the model's context."""
_HALVED = 2
"""How often a task is cut in halves at most."""


@dataclass(frozen=True, slots=True)
class PromptContext:
    """What a prompt is filled with beside its task."""

    nonce: str
    """Stands in every closing tag around page text; drawn for each run, so that no page knows it."""
    share: float = 1.0
    """How much of the material is shown, 0 to 1."""
    by: str = ""
    """The name of the thinker, for a record that names its author."""


@dataclass(frozen=True, slots=True)
class FilledPrompt(Generic[A, R]):
    """The prompt of one task, and what reads the answer to it."""

    values: Mapping[str, str]
    """What the prompt needs."""
    result: Callable[[A], R | None]
    """Makes records of the answer and maps its local names back; None: nothing in it is usable."""
    max_tokens: int
    """Room for an honest answer; a ledger holds all of it while the call runs."""
    limits: Limits = field(default_factory=dict[str, Mapping[str, int]])


@dataclass(frozen=True, slots=True)
class Halves(Generic[Q, R]):
    """For a task in which no piece may be lost: too long, it is asked about in two halves."""

    split: Callable[[Q], Sequence[Q]]
    """Two tasks; none where there is nothing to split."""
    join: Callable[[Sequence[R]], R]


@dataclass(frozen=True, slots=True)
class PromptSpec(Generic[Q, A, R]):
    """How a model does one kind of task. To add one, tie `ask` to its task: `PlanResearch.by(PLAN.ask)`."""

    prompt: str | Prompt
    """The name of a prompt file, or a prompt from elsewhere."""
    role: Role
    """Decides which model is asked, and with it the tier."""
    lines: Callable[[str], A | None]
    """Reads the plain form; None: the text is not in that form either."""
    fill: Callable[[Q, PromptContext], FilledPrompt[A, R]]
    shape: type[A] | None = None
    """The JSON to answer with; None: text alone is asked for."""
    halves: Halves[Q, R] | None = None
    """None: a task that is too long is asked with less of its material."""
    doing: str = ""
    """Replaces the task's own word for what is asked."""

    async def ask(self, task: Q, asker: "Asker", step: Step) -> R:
        """Ask the asker's model for this role.

        Raises:
            ContextOverflow: Even the smallest part does not fit the model.
            UnreadableAnswer: No answer was usable.
            ProviderError, BudgetExceeded: The call failed or could have crossed a ceiling.
        """
        return await asker.ask(self, task, step)


class Asker:
    """Asks the models of one run.

    Asks for JSON first; where nothing whole and usable comes back, once more for plain lines (key + `/plain`). A task
    that does not fit the model is asked again with half of its material (key + `/less`), then with a fifth
    (`/notes`), or in halves (`/first`, `/rest`), twice at most. An event says so. What still fails passes on.
    """

    def __init__(
        self, models: Mapping[Role, Structured], name: str, nonce: str, emit: EventSink, *, plainly: bool
    ) -> None:
        """Without `plainly` nothing is asked a second time in plain lines."""
        self._models = models
        self._name = name
        self._nonce = nonce
        self._emit = emit
        self._plainly = plainly

    async def ask(self, spec: PromptSpec[Q, A, R], task: Q, step: Step) -> R:
        """See `PromptSpec.ask`."""
        if spec.halves:
            return await self._whole_or_halves(spec, spec.halves, task, step)
        asked = self._filled(spec, task)
        try:
            return await self._answered(spec, asked, step)
        except ContextOverflow as error:
            overflow = error
        for word, (share, told) in LESS.items():
            less = self._filled(spec, task, share)
            if less.values == asked.values:
                break  # Nothing can be left out: the same words would overflow again.
            asked = less
            self._say(spec, task, told)
            try:
                return await self._answered(spec, less, step.part(word))
            except ContextOverflow as error:
                overflow = error
        raise overflow

    async def _whole_or_halves(
        self, spec: PromptSpec[Q, A, R], halves: Halves[Q, R], task: Q, step: Step, halved: int = 0
    ) -> R:
        try:
            return await self._answered(spec, self._filled(spec, task), step)
        except ContextOverflow:
            parts = halves.split(task) if halved < _HALVED else ()
            if not parts:
                raise
        self._say(spec, task, "it was asked in parts")
        found = [
            await self._whole_or_halves(spec, halves, part, step.part(word), halved + 1)
            for word, part in zip(("first", "rest"), parts, strict=True)
        ]
        return halves.join(found)

    def _filled(self, spec: PromptSpec[Q, A, R], task: Q, share: float = 1.0) -> FilledPrompt[A, R]:
        return spec.fill(task, PromptContext(self._nonce, share, self._name))

    def _say(self, spec: PromptSpec[Q, A, R], task: Q, what: str) -> None:
        self._emit(degraded(self._name, f"take all the material at once to {spec.doing or task.doing}", "", what))

    async def _answered(self, spec: PromptSpec[Q, A, R], asked: FilledPrompt[A, R], step: Step) -> R:
        prompt = load(spec.prompt) if isinstance(spec.prompt, str) else spec.prompt
        call = ModelCall(
            key=step.key,
            role=spec.role,
            system=prompt.system,
            prompt=prompt.fill(**asked.values),
            max_tokens=asked.max_tokens,
            needs=step.depends_on,
        )
        if spec.shape is None:
            result = await self._read(spec, asked, call)
        else:
            call = replace(call, schema_name=prompt.name)
            result = await self._in_json(spec, spec.shape, asked, call)
            if result is None and self._plainly:
                result = await self._read(spec, asked, _plainly(call, prompt, step))
        if result is None:
            raise self._unusable(prompt.name, json=spec.shape is not None)
        return result

    async def _in_json(
        self, spec: PromptSpec[Q, A, R], shape: type[A], asked: FilledPrompt[A, R], call: ModelCall
    ) -> R | None:
        call = replace(call, schema=schema_of(shape, asked.limits))
        try:
            return asked.result(await self._models[spec.role].ask(call, shape))
        except (UnreadableAnswer, AnswerCut):
            if not self._plainly:
                raise
            return None

    async def _read(self, spec: PromptSpec[Q, A, R], asked: FilledPrompt[A, R], call: ModelCall) -> R | None:
        answer = spec.lines(await self._models[spec.role].text(call))
        return asked.result(answer) if answer else None

    def _unusable(self, prompt: str, *, json: bool) -> UnreadableAnswer:
        what = f"no usable answer to {prompt}"
        if not (json and self._plainly):
            return UnreadableAnswer(self._name, what)
        return UnreadableAnswer(
            self._name,
            f"{what}, neither in JSON nor in plain lines",
            action="Choose a stronger model for this role.",
        )


def _plainly(call: ModelCall, prompt: Prompt, step: Step) -> ModelCall:
    return replace(call, key=step.part("plain").key, prompt=f"{call.prompt}\n\n{prompt.plain}")


def in_two(items: Sequence[T]) -> Sequence[Sequence[T]]:
    """The two halves of some items; none of fewer than two."""
    half = -(-len(items) // 2)
    return (items[:half], items[half:]) if len(items) > 1 else ()


def joined(found: Sequence[tuple[T, ...]]) -> tuple[T, ...]:
    """The answers to the halves as one."""
    return tuple(chain.from_iterable(found))
