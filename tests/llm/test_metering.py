import anyio
import anyio.lowlevel
import httpx2
import pytest
from tests.clocks import HandClock
from tests.llm.scripted import ScriptedModel, call

from deepresearch_mcp.budget import Ledger
from deepresearch_mcp.exceptions import BudgetExceeded, ProviderError, RateLimited, StoreError
from deepresearch_mcp.llm.metering import Meter, MeteredModel, purpose_of
from deepresearch_mcp.llm.prices import Prices
from deepresearch_mcp.ports.model import ModelAnswer, ModelCall, Role, Usage
from deepresearch_mcp.records.request import EFFORTS
from deepresearch_mcp.settings.schema import ModelPrice
from deepresearch_mcp.tally import Tally

NAME = "openai:gpt-6-luna"
PRICES = {NAME: ModelPrice(input=10, output=100)}


def ledger(**ceilings: float) -> Ledger:
    return Ledger(EFFORTS["standard"].model_copy(update=ceilings), HandClock())


def meter(ledger: Ledger, tally: Tally | None = None) -> Meter:
    return Meter(ledger, Prices(PRICES), tally or Tally())


class Held:
    """A model that answers when it is let, with what a test gives it."""

    name = NAME

    def __init__(self, usage: Usage) -> None:
        self.go = anyio.Event()
        self.asked = 0
        self._usage = usage

    async def answer(self, call: ModelCall) -> ModelAnswer:
        self.asked += 1
        await self.go.wait()
        return ModelAnswer("ok", self.name, self._usage)


async def settled() -> None:
    for _ in range(20):
        await anyio.lowlevel.checkpoint()


async def test_a_call_is_settled_at_what_it_really_used() -> None:
    book, tally = ledger(), Tally()
    model = ScriptedModel(ModelAnswer("ok", NAME, Usage(1000, 100, cached_tokens=400)))

    answer = await MeteredModel(model, meter(book, tally)).answer(call())

    assert answer.usd == pytest.approx(0.02)
    assert (book.used.tokens, book.held.tokens) == (1100, 0)
    assert book.used.usd == pytest.approx(0.02)
    for use in (tally.total, tally.roles["reader"], tally.models[NAME]):
        assert (use.calls, use.input_tokens, use.output_tokens, use.cached_tokens) == (1, 1000, 100, 400)
        assert use.usd == pytest.approx(0.02)
        assert use.usd_known


async def test_an_upper_bound_is_held_while_the_call_runs() -> None:
    book, model = ledger(), Held(Usage(1, 1))
    asked = call(system="Be exact.", prompt="Größe?", max_tokens=100, schema={"type": "object"})

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(MeteredModel(model, meter(book)).answer, asked)
        while not model.asked:
            await anyio.lowlevel.checkpoint()
        held = book.held
        model.go.set()

    bytes_sent = len(b"Be exact.") + len("Größe?".encode()) + len(b'{"type": "object"}')
    assert held.tokens >= bytes_sent + 100
    assert held.usd >= (bytes_sent * 10 + 100 * 100) / 1e6
    assert book.held.tokens == 0


async def test_a_call_that_could_cross_a_ceiling_is_not_made() -> None:
    model = ScriptedModel("ok")

    with pytest.raises(BudgetExceeded, match="max_tokens"):
        await MeteredModel(model, meter(ledger(max_tokens=1000))).answer(call(max_tokens=900))

    assert model.calls == []


async def test_writing_may_use_what_is_set_aside() -> None:
    book = ledger(max_tokens=1400)

    with pytest.raises(BudgetExceeded):
        await MeteredModel(ScriptedModel("ok"), meter(book)).answer(call(max_tokens=900))
    await MeteredModel(ScriptedModel("ok"), meter(book)).answer(call(role="writer", max_tokens=900))

    assert purpose_of("verifier") == purpose_of("critic") == "finish"
    assert purpose_of("planner") == purpose_of("analyst") == "research"


@pytest.mark.parametrize(("role", "given_up"), [("reader", ""), ("writer", "max_tokens")])
async def test_only_a_call_that_checks_or_writes_counts_as_given_up(role: Role, given_up: str) -> None:
    book = ledger(max_tokens=500)

    with pytest.raises(BudgetExceeded):
        await MeteredModel(ScriptedModel("ok"), meter(book)).answer(call(role=role, max_tokens=900))

    # Research that has used its share ends its rounds, as it was planned.
    assert book.refused == given_up


async def test_a_call_waits_while_only_others_stand_in_its_way() -> None:
    book, model = ledger(max_tokens=2250), Held(Usage(50, 50))
    metered = MeteredModel(model, meter(book))

    async with anyio.create_task_group() as tasks:
        for number in range(4):
            tasks.start_soon(metered.answer, call(f"read/q{number}", max_tokens=900))
        while not model.asked:
            await anyio.lowlevel.checkpoint()
        await settled()
        assert model.asked == 1
        model.go.set()

    assert model.asked == 4
    assert book.used.tokens == 400


async def test_a_call_that_cannot_fit_even_alone_does_not_wait() -> None:
    book, model = ledger(max_tokens=2000), Held(Usage(50, 50))
    metered = MeteredModel(model, meter(book))

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(metered.answer, call("read/q1", max_tokens=900))
        while not model.asked:
            await anyio.lowlevel.checkpoint()
        with pytest.raises(BudgetExceeded):
            await metered.answer(call("read/q2", max_tokens=1900))
        model.go.set()


async def test_under_any_number_of_calls_at_once_no_ceiling_is_crossed() -> None:
    book, refused = ledger(max_tokens=8000, max_usd=0.2), 0
    metered = MeteredModel(ScriptedModel(ModelAnswer("ok", NAME, Usage(200, 90))), meter(book))

    async def one(number: int) -> None:
        nonlocal refused
        try:
            await metered.answer(call(f"read/q{number}", max_tokens=100))
        except BudgetExceeded:
            refused += 1

    async with anyio.create_task_group() as tasks:
        for number in range(60):
            tasks.start_soon(one, number)

    assert refused
    assert book.used.tokens <= 6000
    assert book.used.usd <= 0.15
    assert book.held.tokens == 0


async def test_a_cancelled_call_is_in_doubt_and_counts_its_whole_bound() -> None:
    book, tally, model = ledger(), Tally(), Held(Usage(1, 1))

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(MeteredModel(model, meter(book, tally)).answer, call(prompt="x" * 500, max_tokens=1000))
        while not model.asked:
            await anyio.lowlevel.checkpoint()
        tasks.cancel_scope.cancel()

    assert book.held.tokens == 0
    assert 1500 <= book.used.tokens < 2000
    assert book.used.usd > 0
    assert tally.in_doubt == 1


def caused(error: ProviderError, cause: Exception) -> ProviderError:
    error.__cause__ = cause
    return error


@pytest.mark.parametrize(
    ("error", "in_doubt"),
    [
        (RateLimited(NAME, "wait"), 0),
        (caused(ProviderError(NAME, "no", retryable=True), httpx2.ConnectError("")), 0),
        (caused(ProviderError(NAME, "late", retryable=True), httpx2.ReadTimeout("")), 1),
        (StoreError("odd"), 1),
    ],
)
async def test_a_failure_costs_something_only_where_it_may_have_been_paid(error: Exception, in_doubt: int) -> None:
    book, tally = ledger(), Tally()

    with pytest.raises(type(error)):
        await MeteredModel(ScriptedModel(error), meter(book, tally)).answer(call())

    assert (book.used.tokens > 0) == bool(in_doubt)
    assert (book.held.tokens, tally.in_doubt, tally.total.calls) == (0, in_doubt, 0)


async def test_a_failure_that_the_service_told_itself_wrote_nothing() -> None:
    book, response = ledger(), httpx2.Response(503, request=httpx2.Request("POST", "https://model.example"))
    told = httpx2.HTTPStatusError("", request=response.request, response=response)
    metered = MeteredModel(ScriptedModel(caused(ProviderError(NAME, "HTTP 503"), told)), meter(book))

    with pytest.raises(ProviderError):
        await metered.answer(call(max_tokens=1000))

    assert 0 < book.used.tokens < 1000
    assert metered.lost(call()).input_tokens == book.used.tokens


async def test_what_is_held_for_a_call_that_is_not_made_is_given_back() -> None:
    book = ledger()
    metered = MeteredModel(ScriptedModel("ok"), meter(book))

    bound = await metered.hold(call(max_tokens=100))
    held = book.held.tokens
    metered.release(call())
    metered.release(call())

    assert held == bound.input_tokens + bound.output_tokens
    assert book.held.tokens == book.used.tokens == 0


async def test_a_model_of_unknown_price_counts_tokens_and_says_so() -> None:
    book, tally = ledger(), Tally()
    metered = MeteredModel(ScriptedModel("ok", name="vllm2:x"), meter(book, tally))

    answer = await metered.answer(call())

    assert metered.name == "vllm2:x"
    assert answer.usd is None
    assert (book.used.tokens, book.used.usd) == (15, 0)
    assert not tally.total.usd_known


async def test_an_unknown_price_does_not_hide_in_a_cancelled_call() -> None:
    book = ledger()

    with pytest.raises(StoreError):
        await MeteredModel(ScriptedModel(StoreError("odd"), name="nobody:x"), meter(book)).answer(call())

    assert book.used.usd == 0
    assert book.used.tokens > 0


async def test_out_of_time_nothing_is_waited_for() -> None:
    clock = HandClock()
    book = Ledger(EFFORTS["quick"], clock)
    model = Held(Usage(1, 1))
    metered = MeteredModel(model, meter(book))

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(metered.answer, call("read/q1"))
        while not model.asked:
            await anyio.lowlevel.checkpoint()
        clock.advance(3600)
        with pytest.raises(BudgetExceeded, match="max_minutes"):
            await metered.answer(call("read/q2"))
        model.go.set()
