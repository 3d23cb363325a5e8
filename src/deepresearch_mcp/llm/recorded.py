"""Records each call to a model as a step of the journal."""

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
    """Return the key of attempt `number` (2 or more) of the call `key`."""
    return part_of(key, f"try{number}")


class RecordedModel(Model):
    """Records each call as a step of the journal, and replays a step that is done.

    The hash of the request includes the model's name, but an answer of another model is still replayed: a changed
    configuration must not make a run pay twice for an answer, its own or one of the run it was forked from.
    """

    def __init__(self, model: Model, journal: Journal) -> None:
        self._model = model
        self._journal = journal
        self._reserving = model if isinstance(model, Reserving) else None

    @property
    @override
    def name(self) -> str:
        """`PROVIDER:NAME` of the wrapped model."""
        return self._model.name

    @override
    async def answer(self, call: ModelCall) -> ModelAnswer:
        """Replay or make the call. The step's cost is `ModelAnswer.usd`."""
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
            # It failed before the run was resumed and was retried then: the answer to the retry is the one to replay.
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
            # A step that is refused as a duplicate reserved nothing: the reservation belongs to the first step.
            if reserving and holding:
                reserving.release(call)

    def _asked_before(self, call: ModelCall, request: Mapping[str, Any]) -> dict[str, Any] | None:
        """Return the request with the name of the model that answered it; None if there is no recorded answer."""
        recorded = self._journal.recorded(call.key)
        try:
            return {**request, "model": _ANSWERS.validate_json(recorded).model} if recorded else None
        except ValidationError:  # recorded by another version: run the step again
            return None
