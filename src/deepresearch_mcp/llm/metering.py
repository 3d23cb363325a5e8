"""Reserves the cost of every paid attempt, settles it afterwards, and counts use by role."""

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Protocol, runtime_checkable

from typing_extensions import override

from deepresearch_mcp.budget import Amount, Ledger, Purpose, Reservation
from deepresearch_mcp.exceptions import BudgetExceeded, ProviderError
from deepresearch_mcp.llm.failures import surely_unpaid, turned_down
from deepresearch_mcp.llm.prices import Prices
from deepresearch_mcp.ports.journal import Used
from deepresearch_mcp.ports.model import Model, ModelAnswer, ModelCall, Role
from deepresearch_mcp.tally import Tally
from deepresearch_mcp.text.tokens import upper_bound

_FINISHING: frozenset[Role] = frozenset({"verifier", "writer", "critic"})

_FRAME = 200
"""Upper estimate of the tokens that a service adds to a request: roles, markers, its wording of a schema."""


def purpose_of(role: Role) -> Purpose:
    """Return the share of the budget that a role uses; verifying and writing have their own share."""
    return "finish" if role in _FINISHING else "research"


class Meter:
    """The ledger, prices and tally of one run, shared by all its models."""

    def __init__(
        self, ledger: Ledger, prices: Prices, tally: Tally, purpose: Callable[[Role], Purpose] = purpose_of
    ) -> None:
        self.prices = prices
        self.tally = tally
        self._ledger = ledger
        self._purpose = purpose
        self._loaded = False

    async def reserve(self, amount: Amount, role: Role) -> Reservation:
        """Reserve the amount; wait while calls in flight hold too much (see `Ledger.hold`).

        Raises:
            BudgetExceeded: The amount could cross a ceiling even with nothing else in flight.
        """
        purpose = self._purpose(role)
        if role == "critic" and self._ledger.stage == "writing":
            # The review has a share of its own, which writing has left to it.
            self._ledger.enter("review")
        try:
            return await self._ledger.hold(amount, purpose)
        except BudgetExceeded as error:
            # Research that has used its share of a ceiling ends its rounds; the report is as good as it was planned.
            if purpose == "finish":
                self._ledger.refused = error.kind
            raise

    async def load(self) -> None:
        """Read the price list once, before the first reservation."""
        if not self._loaded:
            await self.prices.load()
            self._loaded = True


@dataclass(frozen=True, slots=True)
class _Held:
    """The reservation for one call."""

    reservation: Reservation
    sent: int
    """Upper bound of its input tokens."""


@runtime_checkable
class Reserving(Protocol):
    """Reserves the cost of a call before the journal records it as begun."""

    async def hold(self, call: ModelCall) -> Used:
        """Reserve and return the highest possible cost of a call; the call or `release` must follow."""
        ...

    def lost(self, call: ModelCall) -> Used:
        """Return the highest possible cost of a failed call."""
        ...

    def release(self, call: ModelCall) -> None:
        """Release what is still reserved for a call."""
        ...


class MeteredModel(Model):
    """Reserves the cost of each call, settles it afterwards and sets `ModelAnswer.usd`."""

    def __init__(self, model: Model, meter: Meter) -> None:
        self._model = model
        self._meter = meter
        self._held: dict[str, _Held] = {}
        self._lost: dict[str, Used] = {}

    @property
    @override
    def name(self) -> str:
        """`PROVIDER:NAME` of the wrapped model."""
        return self._model.name

    async def hold(self, call: ModelCall) -> Used:
        """Reserve the highest possible cost of a call; `answer` or `release` must follow.

        Raises:
            BudgetExceeded: The call could cross a ceiling.
        """
        meter, name = self._meter, self._model.name
        await meter.load()
        sent = _sent_bound(call)
        bound = Amount(meter.prices.upper(name, sent, call.max_tokens) or 0.0, sent + call.max_tokens)
        self._held[call.key] = _Held(await meter.reserve(bound, call.role), sent)
        return Used(by=name, role=call.role, usd=bound.usd, input_tokens=sent, output_tokens=call.max_tokens)

    def lost(self, call: ModelCall) -> Used:
        """Return the highest possible cost of a failed call."""
        return self._lost.pop(call.key, Used(by=self.name, role=call.role))

    def release(self, call: ModelCall) -> None:
        """Release what is reserved for a call that was not made."""
        if held := self._held.pop(call.key, None):
            held.reservation.settle(Amount())

    @override
    async def answer(self, call: ModelCall) -> ModelAnswer:
        """Make the call and settle its cost.

        A call that was cancelled, or failed after it may have been billed, is settled at its upper bound. If the
        service itself reported the failure, only the input counts. A call that certainly cost nothing is released.
        """
        if call.key not in self._held:
            await self.hold(call)
        meter, name, held = self._meter, self._model.name, self._held.pop(call.key)
        try:
            answer = await self._model.answer(call)
        except BaseException as error:
            # Any error, a cancellation too, may come after billing has begun. Settle the reservation before the error
            # passes on, or the ledger would hold it until the run ends.
            self._give_up(call, held, error)
            raise
        usage = answer.usage
        usd = meter.prices.usd(name, usage)
        held.reservation.settle(Amount(usd or 0.0, usage.input_tokens + usage.output_tokens))
        meter.tally.add(call.role, name, usage, usd, call.key)
        return replace(answer, usd=usd)

    def _give_up(self, call: ModelCall, held: _Held, error: BaseException) -> None:
        meter, name = self._meter, self._model.name
        if isinstance(error, ProviderError) and surely_unpaid(error):
            held.reservation.settle(Amount())
            return
        amount, written = held.reservation.held, call.max_tokens
        if isinstance(error, ProviderError) and turned_down(error):
            amount, written = Amount(meter.prices.upper(name, held.sent, 0) or 0.0, held.sent), 0
        held.reservation.settle(amount)
        meter.tally.in_doubt += 1
        self._lost[call.key] = Used(
            by=name, role=call.role, usd=amount.usd, input_tokens=held.sent, output_tokens=written
        )


def _sent_bound(call: ModelCall) -> int:
    schema = json.dumps(call.schema, ensure_ascii=False) if call.schema is not None else ""
    return upper_bound(call.system) + upper_bound(call.prompt) + upper_bound(schema) + _FRAME
