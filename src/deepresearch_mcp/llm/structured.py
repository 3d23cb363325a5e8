"""Gets answers in a given shape, even from models that only roughly keep to it."""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar

from anyio import to_thread
from pydantic import BaseModel, ValidationError

from deepresearch_mcp.exceptions import AnswerCut, AnswerRefused, ContextOverflow, UnreadableAnswer
from deepresearch_mcp.llm.json_text import is_json, json_candidates, strip_fence, strip_thinking
from deepresearch_mcp.llm.shapes import faults, fit_and_validate
from deepresearch_mcp.ports.journal import part_of
from deepresearch_mcp.ports.model import Model, ModelAnswer, ModelCall

T = TypeVar("T", bound=BaseModel)

_AGAIN = "Your last answer could not be used ({fault}). Answer once more, with nothing but the answer asked for above."


class Structured:
    """Asks a model, reads its answer leniently, and asks at most once more."""

    def __init__(self, model: Model) -> None:
        self._model = model

    @property
    def name(self) -> str:
        """`PROVIDER:NAME` of the model asked."""
        return self._model.name

    async def ask(self, call: ModelCall, shape: type[T]) -> T:
        """Return the answer as a value of `shape`.

        The call's own schema, if any, is used instead of the shape's, because it may be narrower. If the first answer
        was cut, the second attempt has the key `…/longer` and twice the tokens; otherwise it has the key `…/again` and
        names the faults. Both depend on the first step.

        Raises:
            AnswerRefused: The model declined.
            ContextOverflow: The prompt does not fit.
            AnswerCut: The longer answer was cut as well.
            UnreadableAnswer: The second answer is not usable either.
            ProviderError: The service failed.
            BudgetExceeded: A ceiling was met.
        """
        schema = call.schema if call.schema is not None else shape.model_json_schema()
        name = call.schema_name if call.schema_name != "answer" else shape.__name__
        call = replace(call, schema=schema, schema_name=name)
        answer = await self._asked(call)
        if answer.stop == "length":
            call = _longer(call)
        else:
            try:
                return await _read(answer, shape, call)
            except ValueError as error:
                call = _again(call, _fault(error))
        answer = await self._asked(call)
        if answer.stop == "length":
            raise _cut(answer, call)
        try:
            return await _read(answer, shape, call, drop=True)
        except ValueError as error:
            raise UnreadableAnswer(answer.model, f"its answer is not of the shape asked ({_fault(error)})") from error

    async def text(self, call: ModelCall) -> str:
        """Return the answer as plain text, without thinking and without a code fence around it.

        Raises:
            AnswerRefused: The model declined.
            ContextOverflow: The prompt does not fit.
            AnswerCut: The answer was cut, again with twice the tokens.
            UnreadableAnswer: Both answers were empty.
            ProviderError: The service failed.
            BudgetExceeded: A ceiling was met.
        """
        answer = await self._asked(call)
        if answer.stop == "length":
            call = _longer(call)
        elif text := _plain(answer):
            return text
        else:
            call = _again(call, "it was empty")
        answer = await self._asked(call)
        if answer.stop == "length":
            raise _cut(answer, call)
        if text := _plain(answer):
            return text
        raise UnreadableAnswer(answer.model, "its answer is empty")

    async def _asked(self, call: ModelCall) -> ModelAnswer:
        answer = await self._model.answer(call)
        if answer.stop == "refusal":
            raise AnswerRefused(answer.model, "the model declined to answer", action="Rephrase the question.")
        if answer.stop == "context":
            raise ContextOverflow(answer.model, "the prompt and its answer do not fit the model's context")
        return answer


async def _read(answer: ModelAnswer, shape: type[T], call: ModelCall, *, drop: bool = False) -> T:
    """Return the first reading of the answer that fits the shape.

    Raises:
        ValueError: There is no JSON, or (ValidationError) no JSON of this shape.
    """
    work = partial(_first, answer.text, shape, call.schema or {}, drop=drop)
    # Repair can take long on a text that repeats itself: run it in a thread.
    return work() if is_json(answer.text) else await to_thread.run_sync(work, abandon_on_cancel=True)


def _first(text: str, shape: type[T], schema: Mapping[str, Any], *, drop: bool) -> T:
    fault: ValueError = ValueError("there is no JSON in it")
    for value in json_candidates(text):
        try:
            return fit_and_validate(shape, value, schema, drop=drop)
        except ValidationError as error:
            fault = error
    raise fault


def _fault(error: ValueError) -> str:
    return faults(error) if isinstance(error, ValidationError) else str(error)


def _longer(call: ModelCall) -> ModelCall:
    return replace(
        call,
        key=part_of(call.key, "longer"),
        max_tokens=call.max_tokens * 2,
        needs=tuple(dict.fromkeys((*call.needs, call.key))),
    )


def _again(call: ModelCall, fault: str) -> ModelCall:
    prompt = f"{call.prompt}\n\n{_AGAIN.format(fault=fault)}"
    return replace(
        call, key=part_of(call.key, "again"), prompt=prompt, needs=tuple(dict.fromkeys((*call.needs, call.key)))
    )


def _cut(answer: ModelAnswer, call: ModelCall) -> AnswerCut:
    return AnswerCut(answer.model, f"its second answer was also cut, at {call.max_tokens} tokens")


def _plain(answer: ModelAnswer) -> str:
    return strip_fence(strip_thinking(answer.text)).strip()
