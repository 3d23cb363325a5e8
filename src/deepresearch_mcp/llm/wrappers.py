"""Wrappers around a model, one for each concern.

From outside in: repair of the answer (`Structured`), `FallbackModel`, and for each model `RetryingModel`,
`RecordedModel`, `LimitedModel`, `MeteredModel`, `ModelWithCircuitBreaker`, the adapter. Every attempt that may be
billed has its own key: the call's key; `…/try2` and so on for a retry; `…/PROVIDER:NAME` for another model; `…/again`
and `…/longer` after an unusable answer.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise

import anyio
from typing_extensions import override

from deepresearch_mcp.breaker import CircuitBreaker, CircuitOpen
from deepresearch_mcp.budget import Ledger
from deepresearch_mcp.events import Degraded, EventSink, degraded
from deepresearch_mcp.exceptions import KeyRefused, ProviderError, RateLimited, UnreadableAnswer
from deepresearch_mcp.llm.failures import surely_unpaid
from deepresearch_mcp.llm.metering import MeteredModel
from deepresearch_mcp.llm.recorded import again
from deepresearch_mcp.ports.clock import Clock
from deepresearch_mcp.ports.journal import Journal, Used, part_of
from deepresearch_mcp.ports.model import Model, ModelAnswer, ModelCall

_FIRST_TRIES = 1
"""Retries at an address that has never answered in this run."""
LONGEST_WAIT = 60.0
"""Seconds. If a service asks for a longer wait, the call fails, so that another model can be asked."""


class ModelWithCircuitBreaker(Model):
    """Stops calling a model for a while after several failures in a row. All runs of the process share the breaker.

    Failures are broken connections, time-outs, server errors (5xx) and unreadable answers. A refused key, a refused
    request and a rate limit say nothing about the service's health; `RetryingModel` handles rate limits.
    It is inside `RecordedModel`: a replayed call does not ask the breaker, and a rejected call is recorded as failed.
    """

    def __init__(self, model: Model, breaker: CircuitBreaker) -> None:
        self._model = model
        self._breaker = breaker

    @property
    @override
    def name(self) -> str:
        """`PROVIDER:NAME` of the wrapped model."""
        return self._model.name

    @override
    async def answer(self, call: ModelCall) -> ModelAnswer:
        """While the circuit is open, a call fails at once with an error that is not retryable."""
        try:
            with self._breaker.guard(self.name):
                return await self._asked(call)
        except CircuitOpen as error:
            reason = f"left alone after {error.failures} failures in a row"
            raise ProviderError(self.name, reason, action="It is tried again within half a minute.") from error

    async def _asked(self, call: ModelCall) -> ModelAnswer:
        try:
            answer = await self._model.answer(call)
        except RateLimited:
            raise
        except ProviderError as error:
            ill = error.retryable or isinstance(error, UnreadableAnswer)
            if ill and self._breaker.failed(self.name) and error.retryable:
                # The circuit has just opened, so a retry would fail. Not retryable: the next model is asked at once.
                raise ProviderError(self.name, error.reason, action=error.action) from error
            raise
        self._breaker.worked(self.name)
        return answer


class CheaperNearLimit(Model):
    """Asks the fast model instead of a better one once 90 % of the money or time for research is used.

    The call then has the key `…/fast`. A resumed run asks the same model for a call as before.
    """

    def __init__(self, model: Model, fast: Model, journal: Journal, ledger: Ledger, emit: EventSink) -> None:
        self._model = model
        self._fast = fast
        self._journal = journal
        self._ledger = ledger
        self._emit = emit
        self._told = False

    @property
    @override
    def name(self) -> str:
        """`PROVIDER:NAME` of the better model."""
        return self._model.name

    @override
    async def answer(self, call: ModelCall) -> ModelAnswer:
        thrifty = replace(call, key=part_of(call.key, "fast"))
        before = self._journal.left(thrifty.key) is not None
        if self._journal.left(call.key) is not None or not (before or self._ledger.tight):
            return await self._model.answer(call)
        if not self._told:
            self._told = True
            why = f"{self._ledger.tight} is 90 % used" if self._ledger.tight else "As before"
            self._emit(Degraded(f"{why}: {self._fast.name} was asked in the place of {self._model.name}."))
        return await self._fast.answer(thrifty)


class LimitedModel(Model):
    """Limits concurrent calls over all runs, first come, first served.

    A call reserves its money before it takes a turn: while it waits for money it blocks no call of another run.
    """

    def __init__(self, model: Model, limiter: anyio.CapacityLimiter) -> None:
        self._model = model
        self._metered = model if isinstance(model, MeteredModel) else None
        self._limiter = limiter
        self._turns: dict[str, object] = {}

    @property
    @override
    def name(self) -> str:
        """`PROVIDER:NAME` of the wrapped model."""
        return self._model.name

    async def hold(self, call: ModelCall) -> Used:
        """Wait for the call's money, then for its turn; `answer` or `release` must follow.

        Raises:
            BudgetExceeded: The call could cross a ceiling.
        """
        most = await self._metered.hold(call) if self._metered else Used(by=self.name, role=call.role)
        turn = object()
        await self._limiter.acquire_on_behalf_of(turn)
        self._turns[call.key] = turn
        return most

    def lost(self, call: ModelCall) -> Used:
        """Return the highest possible cost of a failed call."""
        return self._metered.lost(call) if self._metered else Used(by=self.name, role=call.role)

    def release(self, call: ModelCall) -> None:
        """Release the turn and the money that a call still holds."""
        if turn := self._turns.pop(call.key, None):
            self._limiter.release_on_behalf_of(turn)
        if self._metered:
            self._metered.release(call)

    @override
    async def answer(self, call: ModelCall) -> ModelAnswer:
        if call.key not in self._turns:
            await self.hold(call)
        try:
            return await self._model.answer(call)
        finally:
            self.release(call)


class RetryingModel(Model):
    """Retries a retryable failure after the wait that the service asks for, else after 2, 4, 8, 16 … seconds.

    A rate limit that persists after the last retry counts as a failure for the breaker.
    """

    def __init__(
        self,
        model: Model,
        clock: Clock,
        retries: int,
        breaker: CircuitBreaker | None = None,
        answered: Callable[[], bool] = lambda: True,
    ) -> None:
        """`answered` tells whether a model has answered in this run. Until then, an unreachable one is retried once."""
        self._model = model
        self._clock = clock
        self._answered = answered
        self._retries = retries
        """Most attempts after the first."""
        self._breaker = breaker

    @property
    @override
    def name(self) -> str:
        """`PROVIDER:NAME` of the wrapped model."""
        return self._model.name

    @override
    async def answer(self, call: ModelCall) -> ModelAnswer:
        """Raises the error of the last attempt."""
        attempt, number = call, 0
        while True:
            number += 1
            try:
                return await self._model.answer(attempt)
            except ProviderError as error:
                hopeless = number > _FIRST_TRIES and not self._answered() and _unsent(error)
                wait = error.retry_after if error.retry_after is not None else min(2.0**number, LONGEST_WAIT)
                if hopeless or not error.retryable or wait > LONGEST_WAIT or number > self._retries:
                    if self._breaker and isinstance(error, RateLimited):
                        self._breaker.failed(self.name)
                    raise
            await self._clock.sleep(wait)
            attempt = replace(call, key=again(call.key, number + 1))


def _unsent(error: ProviderError) -> bool:
    """Return whether no service was reached. A rate limit proves that one was."""
    return surely_unpaid(error) and not isinstance(error, RateLimited)


class FallbackModel(Model):
    """Asks the models in the order given until one answers.

    The next model is asked if one fails, is behind an open circuit, declines, or finds the prompt too long. A model
    whose key was refused is not asked again in this run. The last model's error or answer is final, so that the error
    of a single model with a bad key names its key. A resumed run starts with the model that answered the call before.
    """

    def __init__(self, models: Sequence[Model], emit: EventSink, journal: Journal | None = None) -> None:
        if not models:
            raise ValueError("a fallback needs a model to begin with")
        self._models = tuple(models)
        self._emit = emit
        self._journal = journal
        self._refused: dict[str, KeyRefused] = {}

    @property
    @override
    def name(self) -> str:
        """`PROVIDER:NAME` of the first model."""
        return self._models[0].name

    @override
    async def answer(self, call: ModelCall) -> ModelAnswer:
        models = [model for model in self._models if model.name not in self._refused]
        if not models:
            raise self._refused[self._models[-1].name]
        answered = next((at for at, model in enumerate(models) if self._answered(call, model)), 0)
        for model, following in pairwise(models[: answered + 1]):
            self._say(model, "it failed before the run was taken up again", following)
        models, tried = models[answered:], list[str]()
        for model, following in pairwise(models):
            try:
                answer = await model.answer(self._keyed(call, model))
            except ProviderError as error:
                reason = error.reason
                if isinstance(error, KeyRefused):
                    self._refused[model.name] = error
                    reason = f"{reason.rstrip('.')}. {error.action}".strip()
                tried.append(f"{model.name}: {error.reason.rstrip('.')}")
                self._say(model, reason, following)
                continue
            if answer.stop not in {"refusal", "context"}:
                return answer
            reason = "it declined" if answer.stop == "refusal" else "the prompt is too long for it"
            self._say(model, reason, following)
        last = models[-1]
        try:
            return await last.answer(self._keyed(call, last))
        except ProviderError as error:
            error.tried = tuple(tried)
            if isinstance(error, KeyRefused):
                self._refused[last.name] = error
            raise

    def _keyed(self, call: ModelCall, model: Model) -> ModelCall:
        # The key depends on the place in the list, not on earlier failures, so that a resumed run finds its steps.
        return call if model is self._models[0] else replace(call, key=part_of(call.key, model.name))

    def _answered(self, call: ModelCall, model: Model) -> bool:
        """Return whether the model answered this call, at any attempt, before the run was resumed."""
        if self._journal is None:
            return False
        first, number = self._keyed(call, model).key, 1
        while (left := self._journal.left(again(first, number) if number > 1 else first)) == "error":
            number += 1
        return left == "done"

    def _say(self, model: Model, reason: str, following: Model) -> None:
        self._emit(degraded(model.name, "answer", reason, f"{following.name} was asked instead"))
