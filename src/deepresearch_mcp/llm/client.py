"""The MCP client's own model, called through a broker, recorded and metered like any other."""

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
"""The name of the client's model. Its calls cost the user of this program nothing."""


REPLAYED = "the model of the run it is a fork of"
"""The name of a model that this run can no longer call."""


class Replayed(Model):
    """Stands in for the model of a forked run. `RecordedModel` replays recorded answers; every new call fails."""

    @property
    @override
    def name(self) -> str:
        return REPLAYED

    @override
    async def answer(self, call: ModelCall) -> ModelAnswer:
        del call
        raise ProviderError(self.name, "it takes no new calls")


class _Brought(Model):
    """Answers that the client has already given, by the key of the call."""

    def __init__(self, broker: Broker) -> None:
        self._broker = broker
        self.answers: dict[str, ModelAnswer] = {}

    @property
    @override
    def name(self) -> str:
        return CLIENT

    @override
    async def answer(self, call: ModelCall) -> ModelAnswer:
        """Return the client's answer; ask the broker if it is missing, as when the recorded request has changed."""
        answer = self.answers.pop(call.key, None) or await self._broker.answer(call)
        asked = call.system if call.schema is None else in_words(call.system, call.schema)
        # Clients do not report their token counts.
        usage = Usage(estimate(asked) + estimate(call.prompt), estimate(answer.text))
        return replace(answer, usage=usage)


class ByClient(Model):
    """The client's model, for all roles.

    The wait for an answer is not part of a step: the run may be suspended during it, and nothing has been paid yet.
    Token counts are estimates; the price is zero.
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
        """The budget is checked before the client is asked."""
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
