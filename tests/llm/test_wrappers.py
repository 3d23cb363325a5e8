from itertools import pairwise
from typing import cast

import anyio
import anyio.lowlevel
import httpx2
import pytest
from pydantic import BaseModel
from tests.clocks import HandClock
from tests.llm.scripted import MemoryJournal, ScriptedModel, call

from deepresearch_mcp.breaker import CircuitBreaker
from deepresearch_mcp.budget import SET_ASIDE, Amount, Ledger
from deepresearch_mcp.events import Degraded, Event, degraded
from deepresearch_mcp.exceptions import (
    BudgetExceeded,
    ContextOverflow,
    KeyRefused,
    ProviderError,
    RateLimited,
    UnreadableAnswer,
)
from deepresearch_mcp.llm.metering import Meter, MeteredModel
from deepresearch_mcp.llm.prices import Prices
from deepresearch_mcp.llm.recorded import RecordedModel
from deepresearch_mcp.llm.structured import Structured
from deepresearch_mcp.llm.wrappers import (
    LONGEST_WAIT,
    CheaperNearLimit,
    FallbackModel,
    LimitedModel,
    ModelWithCircuitBreaker,
    RetryingModel,
)
from deepresearch_mcp.ports.journal import Journal
from deepresearch_mcp.ports.model import Model, ModelAnswer, ModelCall, Stop
from deepresearch_mcp.records.request import EFFORTS
from deepresearch_mcp.settings.schema import ModelSettings
from deepresearch_mcp.tally import Tally

DOWN = ProviderError("p", "HTTP 500", retryable=True)
BAD = ProviderError("p", "HTTP 400")
NO_KEY = KeyRefused("openai:a", "HTTP 401", action="Set OPENAI_API_KEY to a key that works.")


def stopped(stop: Stop) -> ModelAnswer:
    return ModelAnswer("", "openai:a", stop=stop)


# Limited


async def test_at_most_so_many_calls_run_at_once() -> None:
    running, most = 0, 0

    class Counting(ScriptedModel):
        async def answer(self, call: ModelCall) -> ModelAnswer:
            nonlocal running, most
            running += 1
            most = max(most, running)
            answer = await super().answer(call)
            running -= 1
            return answer

    model = Counting("ok")
    limited = LimitedModel(model, anyio.CapacityLimiter(2))
    async with anyio.create_task_group() as tasks:
        for number in range(6):
            tasks.start_soon(limited.answer, call(f"read/q{number}"))

    assert len(model.calls) == 6
    assert most == 2


async def test_a_call_that_waits_for_money_keeps_no_other_run_waiting() -> None:
    shape, clock, limiter = EFFORTS["standard"], HandClock(auto=True), anyio.CapacityLimiter(1)

    def run() -> tuple[Ledger, RecordedModel]:
        books = Ledger(shape, clock)
        metered = MeteredModel(ScriptedModel("ok"), Meter(books, Prices({}), Tally()))
        return books, RecordedModel(LimitedModel(metered, limiter), cast("Journal", MemoryJournal()))

    (books, poor), (_, rich) = run(), run()
    in_flight = books.reserve(Amount(tokens=int(shape.max_tokens * (1 - SET_ASIDE))))
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(poor.answer, call("read/q1"))
        await anyio.wait_all_tasks_blocked()
        with anyio.fail_after(5):
            assert (await rich.answer(call("read/q1"))).text == "ok"
        in_flight.settle(Amount(tokens=1))

    assert limiter.borrowed_tokens == 0
    assert books.held == Amount()


# Retrying


@pytest.mark.parametrize("answered", [True, False])
async def test_an_address_where_nothing_ever_answered_is_tried_once_more_only(answered: bool) -> None:
    clock, model = HandClock(auto=True), ScriptedModel(unsent())

    with pytest.raises(ProviderError):
        await RetryingModel(model, clock, 4, answered=lambda: answered).answer(call())

    assert len(model.calls) == (5 if answered else 2)


async def test_a_busy_model_is_tried_as_often_as_is_set_also_at_first() -> None:
    clock, model = HandClock(auto=True), ScriptedModel(RateLimited("p", "HTTP 429"))

    with pytest.raises(RateLimited):
        await RetryingModel(model, clock, 4, answered=lambda: False).answer(call())

    assert len(model.calls) == 5


def unsent() -> ProviderError:
    error = ProviderError("p", "it cannot be reached", retryable=True)
    error.__cause__ = httpx2.ConnectError("refused")
    return error


async def test_a_failure_that_may_pass_is_tried_again_after_longer_and_longer_waits() -> None:
    clock, model = HandClock(auto=True), ScriptedModel(DOWN, DOWN, DOWN, DOWN, "ok")

    answer = await RetryingModel(model, clock, ModelSettings().retries).answer(call())

    assert answer.text == "ok"
    assert clock.slept == [2, 4, 8, 16]
    assert [asked.key for asked in model.calls] == ["read/q1", *(f"read/q1/try{number}" for number in (2, 3, 4, 5))]


async def test_after_the_last_wait_the_limit_is_told_so_that_another_model_is_asked() -> None:
    clock, second = HandClock(auto=True), ScriptedModel("ok", name="ollama:b")
    first = RetryingModel(ScriptedModel(RateLimited("p", "HTTP 429"), name="openai:a"), clock, ModelSettings().retries)

    answer = await FallbackModel([first, second], _tell_no_one).answer(call())

    assert answer.text == "ok"
    assert clock.slept == [2, 4, 8, 16]


async def test_the_service_says_how_long_to_wait() -> None:
    clock = HandClock(auto=True)
    model = ScriptedModel(RateLimited("p", "wait", retry_after=17), RateLimited("p", "wait", retry_after=0), "ok")

    await RetryingModel(model, clock, 2).answer(call())

    assert clock.slept == [17, 0]


@pytest.mark.parametrize("error", [BAD, NO_KEY, RateLimited("p", "wait", retry_after=LONGEST_WAIT + 1)])
async def test_what_will_not_pass_soon_is_not_tried_again(error: ProviderError) -> None:
    clock, model = HandClock(auto=True), ScriptedModel(error, "ok")

    with pytest.raises(type(error)):
        await RetryingModel(model, clock, 5).answer(call())

    assert (clock.slept, len(model.calls)) == ([], 1)


async def test_the_last_tries_failure_is_told() -> None:
    model = ScriptedModel(DOWN, BAD)

    with pytest.raises(ProviderError, match="HTTP 400"):
        await RetryingModel(model, HandClock(auto=True), 1).answer(call())


async def test_without_retries_a_failure_is_told_at_once() -> None:
    clock = HandClock(auto=True)

    with pytest.raises(ProviderError):
        await RetryingModel(ScriptedModel(DOWN), clock, 0).answer(call())

    assert clock.slept == []


# Breaking


async def failing(model: Model, times: int, *, match: str | None = None) -> None:
    for number in range(times):
        with pytest.raises(ProviderError, match=match):
            await model.answer(call(f"read/{number}"))


@pytest.mark.parametrize("error", [DOWN, UnreadableAnswer("p", "no JSON")])
async def test_a_model_that_fails_five_times_in_a_row_is_left_alone_for_half_a_minute(error: ProviderError) -> None:
    clock, inner = HandClock(), ScriptedModel(*[error] * 5, "ok")
    model = ModelWithCircuitBreaker(inner, CircuitBreaker(clock))
    await failing(model, 5)

    await failing(model, 3, match="left alone after 5 failures in a row")
    assert len(inner.calls) == 5

    clock.advance(30)
    assert (await model.answer(call())).text == "ok"


@pytest.mark.parametrize("error", [BAD, NO_KEY, RateLimited("p", "wait"), ContextOverflow("p", "too long")])
async def test_what_a_model_refuses_says_nothing_of_its_health(error: ProviderError) -> None:
    inner = ScriptedModel(error)

    await failing(ModelWithCircuitBreaker(inner, CircuitBreaker(HandClock())), 9)

    assert len(inner.calls) == 9


async def test_other_runs_see_the_same_health_and_other_models_have_their_own() -> None:
    breaker = CircuitBreaker(HandClock())
    await failing(ModelWithCircuitBreaker(ScriptedModel(DOWN), breaker), 5)
    same, other = ScriptedModel("ok"), ScriptedModel("ok", name="ollama:b")

    await failing(ModelWithCircuitBreaker(same, breaker), 1)

    assert (await ModelWithCircuitBreaker(other, breaker).answer(call())).text == "ok"
    assert same.calls == []


async def test_the_failure_that_closes_the_door_is_not_waited_after() -> None:
    clock, breaker = HandClock(auto=True), CircuitBreaker(HandClock())
    model = RetryingModel(ModelWithCircuitBreaker(ScriptedModel(DOWN), breaker), clock, 9, breaker)

    await failing(model, 1)
    await failing(model, 1, match="left alone")

    assert clock.slept == [2, 4, 8, 16]


async def test_a_rate_limit_that_stands_after_all_waiting_is_a_failure() -> None:
    breaker, clock = CircuitBreaker(HandClock()), HandClock(auto=True)
    inner = ScriptedModel(RateLimited("p", "HTTP 429", retry_after=5))
    model = RetryingModel(ModelWithCircuitBreaker(inner, breaker), clock, 1, breaker)

    await failing(model, 5, match="429")
    await failing(model, 1, match="left alone")

    assert len(inner.calls) == 10


async def test_an_open_breaker_moves_on_to_the_next_model_at_once_and_costs_nothing() -> None:
    told, clock = list[Event](), HandClock(auto=True)
    breaker, book = CircuitBreaker(clock), Ledger(EFFORTS["standard"], clock)
    meter = Meter(book, Prices({}), Tally())
    first, second = ScriptedModel(DOWN, name="openai:a"), ScriptedModel("ok", name="ollama:b")
    for _ in range(5):
        breaker.failed("openai:a")
    around = RecordedModel(
        MeteredModel(ModelWithCircuitBreaker(first, breaker), meter), cast("Journal", MemoryJournal())
    )

    answer = await FallbackModel([RetryingModel(around, clock, 4, breaker), second], told.append).answer(call())

    assert answer.text == "ok"
    assert (first.calls, clock.slept, book.used) == ([], [], Amount())
    assert told == [
        degraded("openai:a", "answer", "left alone after 5 failures in a row", "ollama:b was asked instead")
    ]


# Fallback


async def test_the_next_model_is_asked_when_one_fails_and_it_is_told() -> None:
    told: list[Event] = []
    first, second = ScriptedModel(BAD, name="openai:a"), ScriptedModel("ok", name="ollama:b")
    fallback = FallbackModel([first, second], told.append)

    answers = [await fallback.answer(call(f"read/q{number}")) for number in range(2)]

    assert [answer.model for answer in answers] == ["ollama:b"] * 2
    assert [asked.key for asked in second.calls] == ["read/q0/ollama:b", "read/q1/ollama:b"]
    assert told == [degraded("openai:a", "answer", "HTTP 400", "ollama:b was asked instead")] * 2
    assert fallback.name == "openai:a"


@pytest.mark.parametrize("stop", ["refusal", "context"])
async def test_another_model_may_take_what_one_declines_or_cannot_hold(stop: Stop) -> None:
    told: list[Event] = []
    first, second = ScriptedModel(stopped(stop), name="openai:a"), ScriptedModel("ok", name="ollama:b")

    assert (await FallbackModel([first, second], told.append).answer(call())).text == "ok"
    assert len(told) == 1


@pytest.mark.parametrize("stop", ["refusal", "context", "length", "end"])
async def test_with_no_other_model_left_the_answer_stands(stop: Stop) -> None:
    told: list[Event] = []

    answer = await FallbackModel([ScriptedModel(stopped(stop), name="openai:a")], told.append).answer(call())

    assert (answer.stop, told) == (stop, [])


async def test_an_overflow_is_answered_by_a_model_that_takes_more() -> None:
    first = ScriptedModel(ContextOverflow("openai:a", "too long"), name="openai:a")

    answer = await FallbackModel([first, ScriptedModel("ok", name="ollama:b")], _tell_no_one).answer(call())

    assert answer.text == "ok"


async def test_a_model_with_a_bad_key_is_asked_only_once() -> None:
    told: list[Event] = []
    first, second = ScriptedModel(NO_KEY, name="openai:a"), ScriptedModel("ok", name="ollama:b")
    fallback = FallbackModel([first, second], told.append)

    for number in range(3):
        await fallback.answer(call(f"read/q{number}"))

    assert "Set OPENAI_API_KEY to a key that works" in str(told)
    assert len(first.calls) == 1
    assert [asked.key for asked in second.calls] == [f"read/q{number}/ollama:b" for number in range(3)]


async def test_a_bad_key_and_no_other_model_stops_at_once_and_says_whose() -> None:
    model = ScriptedModel(NO_KEY, name="openai:a")
    fallback = FallbackModel([model], _tell_no_one)

    for number in range(2):
        with pytest.raises(KeyRefused, match="openai:a: HTTP 401 Set OPENAI_API_KEY"):
            await fallback.answer(call(f"read/q{number}"))

    assert len(model.calls) == 1


async def test_the_last_failure_is_told_when_all_fail() -> None:
    models = [ScriptedModel(BAD, name="openai:a"), ScriptedModel(DOWN, name="ollama:b")]

    with pytest.raises(ProviderError, match="HTTP 500"):
        await FallbackModel(models, _tell_no_one).answer(call())


async def test_a_ceiling_is_no_reason_to_ask_another_model() -> None:
    second = ScriptedModel("ok", name="ollama:b")

    with pytest.raises(BudgetExceeded):
        await FallbackModel([ScriptedModel(BudgetExceeded("max_usd", 1, 1)), second], _tell_no_one).answer(call())

    assert second.calls == []


def test_a_fallback_of_no_one_is_a_fault() -> None:
    with pytest.raises(ValueError, match="needs a model"):
        FallbackModel([], _tell_no_one)


@pytest.mark.parametrize("key", ["read/q1/ollama:b", "read/q1/ollama:b/try3"])
async def test_what_another_model_answered_in_an_earlier_life_is_not_asked_of_the_first_again(key: str) -> None:
    told, journal = list[Event](), MemoryJournal()
    journal.before = {"read/q1": "error", key: "done"}
    if "try" in key:
        journal.before |= {"read/q1/ollama:b": "error", "read/q1/ollama:b/try2": "error"}
    first, second = ScriptedModel("new", name="openai:a"), ScriptedModel("as before", name="ollama:b")
    fallback = FallbackModel([first, second], told.append, cast("Journal", journal))

    assert (await fallback.answer(call())).text == "as before"
    assert (await fallback.answer(call("read/q2"))).text == "new"
    assert len(told) == 1


# Thrifty


async def test_at_90_percent_of_the_money_the_fast_model_is_asked_and_it_is_told_once() -> None:
    told: list[Event] = []
    smart, fast, journal = ScriptedModel("good", name="p:smart"), ScriptedModel("quick", name="p:fast"), MemoryJournal()
    ledger = Ledger(EFFORTS["standard"], HandClock())
    model = CheaperNearLimit(smart, fast, cast("Journal", journal), ledger, told.append)

    before = await model.answer(call("write/1"))
    ledger.reserve(Amount(usd=0.66)).settle(Amount(usd=0.66))
    between = await model.answer(call("write/of-what-is-set-aside"))
    ledger.reserve(Amount(usd=0.25), "finish").settle(Amount(usd=0.25))
    after = [await model.answer(call(f"write/{number}")) for number in (2, 3)]

    # Research that uses its share leaves the writer its own model.
    assert (before.text, between.text) == ("good", "good")
    assert [one.text for one in after] == ["quick", "quick"]
    assert [one.key for one in fast.calls] == ["write/2/fast", "write/3/fast"]
    assert told == [Degraded("max_usd is 90 % used: p:fast was asked in the place of p:smart.")]
    assert model.name == "p:smart"


async def test_pages_near_their_ceiling_are_no_reason_for_a_lesser_model() -> None:
    ledger = Ledger(EFFORTS["standard"].model_copy(update={"max_pages": 1}), HandClock())
    ledger.reserve(Amount(pages=1)).settle(Amount(pages=1))
    smart, fast = ScriptedModel("good"), ScriptedModel("quick")

    await CheaperNearLimit(smart, fast, cast("Journal", MemoryJournal()), ledger, _tell_no_one).answer(call())

    assert ledger.level() == "spent"
    assert fast.calls == []


async def test_what_was_asked_of_one_in_an_earlier_life_is_asked_of_the_same_again() -> None:
    told: list[Event] = []
    journal, ledger = MemoryJournal(), Ledger(EFFORTS["standard"], HandClock(), carried=Amount(usd=0.34))
    journal.before = {"write/1": "done", "write/2/fast": "done"}
    smart, fast = ScriptedModel("good"), ScriptedModel("quick")

    for book in (ledger, Ledger(EFFORTS["standard"], HandClock())):
        model = CheaperNearLimit(smart, fast, cast("Journal", journal), book, told.append)
        assert (await model.answer(call("write/1"))).text == "good"
        assert (await model.answer(call("write/2"))).text == "quick"
    assert len(told) == 2


# All of it


class Finding(BaseModel):
    words: list[str]


async def test_every_attempt_that_can_be_paid_has_a_key_of_its_own() -> None:
    journal, clock, tally = MemoryJournal(), HandClock(auto=True), Tally()
    meter = Meter(Ledger(EFFORTS["standard"], clock), Prices({}), tally)
    first = ScriptedModel(DOWN, "useless", DOWN, BAD, name="openai:gpt-6-luna")
    second = ScriptedModel('{"words": ["ice"]}', name="ollama:b")

    def around(model: Model) -> Model:
        recorded = RecordedModel(
            LimitedModel(MeteredModel(model, meter), anyio.CapacityLimiter(3)), cast("Journal", journal)
        )
        return RetryingModel(recorded, clock, 2)

    finding = await Structured(FallbackModel([around(first), around(second)], _tell_no_one)).ask(call(), Finding)

    assert finding.words == ["ice"]
    keys = [asked.key for asked in (*first.calls, *second.calls)]
    assert keys == [
        "read/q1",
        "read/q1/try2",
        "read/q1/again",
        "read/q1/again/try2",
        "read/q1/again/ollama:b",
    ]
    assert all(earlier != later for earlier, later in pairwise(sorted(keys)))
    assert list(journal.done) == ["read/q1/try2", "read/q1/again/ollama:b"]
    assert tally.total.calls == 2
    assert {around(first).name, around(second).name} == {"openai:gpt-6-luna", "ollama:b"}


def _tell_no_one(event: Event) -> None:
    del event
