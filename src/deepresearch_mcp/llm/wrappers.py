"""Concerns put around a model: recorded, limited, tried again, replaced.

In order, from outside: `Structured(Fallback([Retrying(Limited(Recorded(Metered(adapter))))), …]))`.
Every attempt that can be paid has a key of its own: the call's; `…/try2` and on when it is
asked again; `…/PROVIDER:NAME` when another model takes over; `…/again`, `…/longer` when the
answer was of no use.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise

import anyio

from deepresearch_mcp.budget import Ledger
from deepresearch_mcp.events import Degraded, Tell
from deepresearch_mcp.exceptions import KeyRefused, ProviderError
from deepresearch_mcp.llm.metering import Metered
from deepresearch_mcp.ports.clock import Clock
from deepresearch_mcp.ports.journal import At, Journal, Used
from deepresearch_mcp.ports.model import Model, ModelAnswer, ModelCall

LONGEST_WAIT = 60.0
"""Seconds; a service that asks for more is given up on, so that another can be asked."""


def again(key: str, number: int) -> str:
    """The key of a call's second, third … try."""
    return f"{key}/try{number}"


class Recorded:
    """Each call is one step of the journal, replayed when it was done before."""

    def __init__(self, model: Model, journal: Journal) -> None:
        self._model = model
        self._journal = journal
        self._metered = model if isinstance(model, Metered) else None

    @property
    def name(self) -> str:
        """`PROVIDER:NAME` of the model inside."""
        return self._model.name

    async def answer(self, call: ModelCall) -> ModelAnswer:
        """See `Model.answer`; the step's cost is `ModelAnswer.usd`."""
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
        metered = self._metered
        try:
            return await self._journal.step(
                At(call.key, call.needs),
                partial(self._model.answer, call),
                kind="model",
                result=ModelAnswer,
                request=request,
                used=lambda answer: Used(
                    by=answer.model,
                    role=call.role,
                    usd=answer.usd,
                    input_tokens=answer.usage.input_tokens,
                    output_tokens=answer.usage.output_tokens,
                    cached_tokens=answer.usage.cached_tokens,
                ),
                hold=partial(metered.hold, call) if metered else None,
                lost=(lambda _: metered.lost(call)) if metered else None,
            )
        finally:
            if metered:
                metered.let_go(call)


class Thrifty:
    """Asks the fast model in the place of a better one once 90 % of the money or the time for research are used.

    Under a key of its own (`…/fast`); what an earlier life of the run asked of either is asked of the same again.
    """

    def __init__(self, model: Model, fast: Model, journal: Journal, ledger: Ledger, tell: Tell) -> None:
        self._model = model
        self._fast = fast
        self._journal = journal
        self._ledger = ledger
        self._tell = tell
        self._told = False

    @property
    def name(self) -> str:
        """`PROVIDER:NAME` of the better model."""
        return self._model.name

    async def answer(self, call: ModelCall) -> ModelAnswer:
        """See `Model.answer`."""
        thrifty = replace(call, key=f"{call.key}/fast")
        before = self._journal.left(thrifty.key) is not None
        if self._journal.left(call.key) is not None or not (before or self._ledger.tight):
            return await self._model.answer(call)
        if not self._told:
            self._told = True
            why = f"{self._ledger.tight} is 90 % used" if self._ledger.tight else "As before"
            self._tell(Degraded(f"{why}: {self._fast.name} was asked in the place of {self._model.name}."))
        return await self._fast.answer(thrifty)


class Limited:
    """At most so many calls at once, in the order in which they came."""

    def __init__(self, model: Model, limiter: anyio.CapacityLimiter | anyio.Semaphore) -> None:
        self._model = model
        self._limiter = limiter

    @property
    def name(self) -> str:
        """`PROVIDER:NAME` of the model inside."""
        return self._model.name

    async def answer(self, call: ModelCall) -> ModelAnswer:
        """See `Model.answer`."""
        async with self._limiter:
            return await self._model.answer(call)


class Retrying:
    """Asks again where that can help, after the wait the service asks for, else 2, 4, 8 … seconds."""

    def __init__(self, model: Model, clock: Clock, retries: int) -> None:
        self._model = model
        self._clock = clock
        self._retries = retries
        """More tries after the first."""

    @property
    def name(self) -> str:
        """`PROVIDER:NAME` of the model inside."""
        return self._model.name

    async def answer(self, call: ModelCall) -> ModelAnswer:
        """See `Model.answer`; the error raised is the last try's."""
        attempt = call
        for number in range(1, self._retries + 1):
            try:
                return await self._model.answer(attempt)
            except ProviderError as error:
                wait = error.retry_after if error.retry_after is not None else min(2.0**number, LONGEST_WAIT)
                if not error.retryable or wait > LONGEST_WAIT:
                    raise
            await self._clock.sleep(wait)
            attempt = replace(call, key=again(call.key, number + 1))
        return await self._model.answer(attempt)


class Fallback:
    """The first model that can answer, in the order given.

    Another is asked when one fails, declines, or finds the prompt too long. One whose key
    was refused is not asked again in this run. When none is left, the last one's error or
    answer stands, so a single model with a bad key says whose key it is.
    """

    def __init__(self, models: Sequence[Model], tell: Tell) -> None:
        if not models:
            raise ValueError("a fallback needs a model to begin with")
        self._models = tuple(models)
        self._tell = tell
        self._refused: dict[str, KeyRefused] = {}
        self._told: set[str] = set()

    @property
    def name(self) -> str:
        """`PROVIDER:NAME` of the first model."""
        return self._models[0].name

    async def answer(self, call: ModelCall) -> ModelAnswer:
        """See `Model.answer`."""
        models = [model for model in self._models if model.name not in self._refused]
        if not models:
            raise self._refused[self._models[-1].name]
        for model, following in pairwise(models):
            try:
                answer = await model.answer(self._keyed(call, model))
            except ProviderError as error:
                if isinstance(error, KeyRefused):
                    self._refused[model.name] = error
                self._say(model, error.reason, following)
                continue
            if answer.stop not in {"refusal", "context"}:
                return answer
            reason = "it declined" if answer.stop == "refusal" else "the prompt is too long for it"
            self._say(model, reason, following)
        last = models[-1]
        try:
            return await last.answer(self._keyed(call, last))
        except KeyRefused as error:
            self._refused[last.name] = error
            raise

    def _keyed(self, call: ModelCall, model: Model) -> ModelCall:
        # By the place in the list, not by what failed before: a resumed run finds its steps again.
        return call if model is self._models[0] else replace(call, key=f"{call.key}/{model.name}")

    def _say(self, model: Model, reason: str, following: Model) -> None:
        what = f"{model.name}: {reason}; {following.name} was asked instead"
        if what not in self._told:
            self._told.add(what)
            self._tell(Degraded(what))
