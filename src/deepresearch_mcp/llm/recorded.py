"""Each call to a model is one step of the journal."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from pydantic import TypeAdapter, ValidationError
from typing_extensions import override

from deepresearch_mcp.exceptions import ProviderError
from deepresearch_mcp.llm.metering import Reserving
from deepresearch_mcp.ports.journal import Journal, Step, Used, part_of
from deepresearch_mcp.ports.model import Model, ModelAnswer, ModelCall

_ANSWERS = TypeAdapter(ModelAnswer)


def again(key: str, number: int) -> str:
    """The key of a call's second, third … try."""
    return part_of(key, f"try{number}")


class RecordedModel(Model):
    """Each call is one step of the journal, replayed when it was done before.

    The hash of its request names the model that was asked. An answer that another model gave stands all the same: what
    a run, or the one it is a fork of, has paid for is not paid for again because the configuration has changed.
    """

    def __init__(self, model: Model, journal: Journal) -> None:
        self._model = model
        self._journal = journal
        self._reserving = model if isinstance(model, Reserving) else None

    @property
    @override
    def name(self) -> str:
        """`PROVIDER:NAME` of the model inside."""
        return self._model.name

    @override
    async def answer(self, call: ModelCall) -> ModelAnswer:
        """The step's cost is `ModelAnswer.usd`."""
        request = {
            "model": self.name,
            "role": call.role,
            "system": call.system,
            "prompt": call.prompt,
            "max_tokens": call.max_tokens,
            "schema": call.schema,
        }

        left = self._journal.left(call.key)
        if left == "error" and self._journal.left(again(call.key, 2)):
            # It failed in an earlier life of the run and was asked again then: that answer is wanted, not a new one.
            raise ProviderError(self.name, "it failed before", retryable=True, retry_after=0.0)
        reserving, holding = self._reserving, False

        async def hold() -> Used:
            nonlocal holding
            holding = True
            return await reserving.hold(call) if reserving else Used()

        try:
            return await self._journal.step(
                Step(call.key, call.needs),
                partial(self._model.answer, call),
                kind="model",
                result=ModelAnswer,
                request=request,
                stands=self._asked_before(call, request),
                used=lambda answer: Used(
                    by=answer.model,
                    role=call.role,
                    usd=answer.usd,
                    input_tokens=answer.usage.input_tokens,
                    output_tokens=answer.usage.output_tokens,
                    cached_tokens=answer.usage.cached_tokens,
                ),
                hold=hold if reserving else None,
                lost=(lambda _: reserving.lost(call)) if reserving else None,
            )
        finally:
            # Not where the step was refused as a duplicate: what is held belongs to the first one.
            if reserving and holding:
                reserving.release(call)

    def _asked_before(self, call: ModelCall, request: Mapping[str, Any]) -> dict[str, Any] | None:
        """The same request to the model that answered it before; None where there is no answer."""
        recorded = self._journal.recorded(call.key)
        try:
            return {**request, "model": _ANSWERS.validate_json(recorded).model} if recorded else None
        except ValidationError:  # Of another version: the step is made again.
            return None
