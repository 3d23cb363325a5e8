from collections.abc import Generator
from contextlib import contextmanager

import pytest
from tests.clocks import HandClock
from tests.llm.scripted import MemoryJournal, call

from deepresearch_mcp.budget import Ledger
from deepresearch_mcp.exceptions import BudgetExceeded, ProviderError
from deepresearch_mcp.llm.client import ByClient
from deepresearch_mcp.llm.metering import Meter
from deepresearch_mcp.llm.prices import Prices
from deepresearch_mcp.ports.model import ModelAnswer, ModelCall
from deepresearch_mcp.records.request import EFFORTS
from deepresearch_mcp.tally import Tally


class Broker:
    """Says what a test told it to."""

    def __init__(self, *said: ModelAnswer | Exception) -> None:
        self.asked: list[ModelCall] = []
        self._said = list(said)

    async def answer(self, call: ModelCall) -> ModelAnswer:
        self.asked.append(call)
        said = self._said.pop(0)
        if isinstance(said, Exception):
            raise said
        return said

    @contextmanager
    def elsewhere(self) -> Generator[None]:
        yield


def model(broker: Broker, journal: MemoryJournal, tally: Tally | None = None, **ceilings: float) -> ByClient:
    ledger = Ledger(EFFORTS["standard"].model_copy(update=ceilings), HandClock())
    return ByClient(broker, journal, Meter(ledger, Prices({}), tally or Tally()))


async def test_an_answer_is_recorded_and_counted_by_estimate_at_no_price() -> None:
    journal, tally, broker = MemoryJournal(), Tally(), Broker(ModelAnswer("Ice floats.", "client:m"))

    answer = await model(broker, journal, tally).answer(call(prompt="Why does ice float?", schema={"type": "object"}))

    assert (answer.text, answer.model, answer.usd) == ("Ice floats.", "client:m", 0.0)
    assert answer.usage.input_tokens > 20  # The schema stands in words under the instructions.
    assert 0 < answer.usage.output_tokens < 10
    assert (tally.total.calls, tally.total.usd_known) == (1, True)


async def test_what_was_answered_in_an_earlier_life_is_not_asked_again() -> None:
    journal = MemoryJournal()
    await model(Broker(ModelAnswer("A", "client")), journal).answer(call())
    broker = Broker()

    assert (await model(broker, journal.reborn()).answer(call())).text == "A"
    assert broker.asked == []


async def test_an_answer_to_other_words_is_none_to_these() -> None:
    journal = MemoryJournal()
    await model(Broker(ModelAnswer("A", "client")), journal).answer(call())

    again = await model(Broker(ModelAnswer("B", "client")), journal.reborn()).answer(call(prompt="Other words"))

    assert again.text == "B"


async def test_a_ceiling_is_met_before_anybody_is_asked() -> None:
    broker = Broker(ModelAnswer("A", "client"))

    with pytest.raises(BudgetExceeded):
        await model(broker, MemoryJournal(), max_tokens=50).answer(call())
    assert broker.asked == []


async def test_what_is_not_answered_is_no_step_and_holds_nothing_back() -> None:
    journal = MemoryJournal()
    client = model(Broker(ProviderError("client", "no"), ModelAnswer("A", "client")), journal, max_tokens=700)

    with pytest.raises(ProviderError):
        await client.answer(call("read/1"))
    assert (await client.answer(call("read/2"))).text == "A"
    assert list(journal.done) == ["read/2"]


async def test_what_fits_no_round_comes_back_as_such_and_is_no_step() -> None:
    journal = MemoryJournal()

    answer = await model(Broker(ModelAnswer("", "client", stop="context")), journal).answer(call())

    assert answer.stop == "context"
    assert journal.done == {}
