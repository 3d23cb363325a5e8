"""The client's own model: asked by way of a broker, and recorded and counted as any other."""

from dataclasses import replace

from typing_extensions import override

from deepresearch_mcp.exceptions import ProviderError
from deepresearch_mcp.llm.metering import Meter, MeteredModel
from deepresearch_mcp.llm.recorded import RecordedModel
from deepresearch_mcp.llm.schemas import in_words
from deepresearch_mcp.ports.journal import Journal
from deepresearch_mcp.ports.model import Model, ModelAnswer, ModelCall, Usage
from deepresearch_mcp.ports.work import Broker
from deepresearch_mcp.text.tokens import estimate

CLIENT = "client"
"""Its name among models: this program's user does not pay for it."""


REPLAYED = "the model of the run it is a fork of"
"""The name of a model that is asked no more."""


class Replayed(Model):
    """No model: what one answered before is replayed in front of it, and anything else fails."""

    @property
    @override
    def name(self) -> str:
        return REPLAYED

    @override
    async def answer(self, call: ModelCall) -> ModelAnswer:
        del call
        raise ProviderError(self.name, "it is not asked any more")


class _Brought(Model):
    """Answers that are there already, by the keys of their calls."""

    def __init__(self, broker: Broker) -> None:
        self._broker = broker
        self.answers: dict[str, ModelAnswer] = {}

    @property
    @override
    def name(self) -> str:
        return CLIENT

    @override
    async def answer(self, call: ModelCall) -> ModelAnswer:
        """What was not brought is asked for, as where a recorded answer was to other words."""
        answer = self.answers.pop(call.key, None) or await self._broker.answer(call)
        asked = call.system if call.schema is None else in_words(call.system, call.schema)
        # Clients do not tell what they count.
        usage = Usage(estimate(asked) + estimate(call.prompt), estimate(answer.text))
        return replace(answer, usage=usage)


class ByClient(Model):
    """One model for all roles.

    The wait for an answer is no part of a step: it may end this life of the run, and nothing was paid until then.
    What its answers come to is told by an estimate, at no price.
    """

    def __init__(self, broker: Broker, journal: Journal, meter: Meter) -> None:
        self._broker = broker
        self._journal = journal
        self._brought = _Brought(broker)
        self._metered = MeteredModel(self._brought, meter)
        self._recorded = RecordedModel(self._metered, journal)

    @property
    @override
    def name(self) -> str:
        return CLIENT

    @override
    async def answer(self, call: ModelCall) -> ModelAnswer:
        """A ceiling is met before the client is asked."""
        if self._journal.left(call.key) != "done":
            await self._metered.hold(call)
            try:
                answer = await self._broker.answer(call)
            finally:
                self._metered.release(call)
            if answer.stop == "context":
                return answer
            self._brought.answers[call.key] = answer
        return await self._recorded.answer(call)
