"""The ledger of ceilings: each call reserves an upper bound first and settles with its real use afterwards."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

import anyio

from deepresearch_mcp.budget_shares import KEPT, KEPT_TIME, LIKELY, REPLAYED, SET_ASIDE, Stage, kept_for_gaps, level_of
from deepresearch_mcp.events import Level
from deepresearch_mcp.exceptions import BudgetExceeded, DayCeilingMet
from deepresearch_mcp.ports.clock import Clock
from deepresearch_mcp.quotas import QuotaShare
from deepresearch_mcp.records.request import Shape

Purpose = Literal["research", "finish"]
"""`finish`: verifying, writing and auditing what was found. Only this purpose may use the set-aside share."""


@dataclass(frozen=True, slots=True)
class Amount:
    """What one call may use or has used."""

    usd: float = 0.0
    tokens: int = 0
    searches: int = 0
    pages: int = 0
    search_usd: float = 0.0
    """The part of `usd` that search queries cost."""

    def __add__(self, other: "Amount") -> "Amount":
        return Amount(
            self.usd + other.usd,
            self.tokens + other.tokens,
            self.searches + other.searches,
            self.pages + other.pages,
            self.search_usd + other.search_usd,
        )

    def __sub__(self, other: "Amount") -> "Amount":
        return self + Amount(-other.usd, -other.tokens, -other.searches, -other.pages, -other.search_usd)


@dataclass(frozen=True, slots=True)
class Left:
    """What may still be used of one ceiling, calls in flight included: their bounds are far above their real use."""

    ceiling: str
    what: Literal["usd", "tokens", "searches", "pages"]
    amount: float


@dataclass(slots=True)
class Reservation:
    """An amount held back for one call; settle or release it exactly once."""

    held: Amount
    _close: Callable[["Reservation", Amount], None] = field(repr=False)
    open: bool = True

    def settle(self, used: Amount) -> None:
        """Replace the held bound by the real use."""
        if self.open:
            self.open = False
            self._close(self, used)

    def release(self) -> None:
        """Give the amount back: the call was not made, or cost nothing."""
        self.settle(Amount())


class Ledger:
    """Enforces the five ceilings of one run, and its share of the daily ceilings.

    A reservation is one synchronous call, so no other task can run between the check and the reservation: however many
    calls run at once, used plus held never passes a ceiling.
    """

    def __init__(
        self,
        shape: Shape,
        clock: Clock,
        *,
        emit: Callable[[str, Level], None] | None = None,
        moved: Callable[[Amount], None] | None = None,
        carried: Amount | None = None,
        seconds: float = 0.0,
        share: QuotaShare | None = None,
    ) -> None:
        """`carried` and `seconds` are the use of earlier attempts: a ceiling covers all attempts together.

        `share`: the run's share of the daily quotas.
        """
        self._shape = shape
        self._clock = clock
        self._began = clock.monotonic() - seconds
        self._replayed_by = clock.monotonic() + (REPLAYED if seconds else 0.0)
        self._tell = emit
        self._moved = moved
        self.share = share
        self._levels: dict[str, Level] = {}
        self.used = carried or Amount()
        self.held = Amount()
        self.stage: Stage = ""
        self.refused = ""
        """The ceiling for which a call that checks or writes was given up, if any; its caller sets this."""
        self._paying = 0
        """Open reservations of money or tokens."""
        self._settled = anyio.Event()

    @property
    def seconds(self) -> float:
        """Seconds since the run began, earlier attempts included."""
        return self._clock.monotonic() - self._began

    @property
    def seconds_left(self) -> float:
        """Seconds until `max_minutes`, or until a resumed run has taken up what earlier attempts did, if that is later.

        What is replayed costs nothing; nothing new begins in that time: `reserve` refuses it.
        """
        return self._until(1.0)

    @property
    def research_seconds_left(self) -> float:
        """Seconds until research must stop to leave time for writing; in a resumed run as for `seconds_left`."""
        return self._until(1 - SET_ASIDE)

    def _until(self, share: float) -> float:
        left = self._shape.max_minutes * 60 * share - self.seconds
        return max(0.0, left, self._replayed_by - self._clock.monotonic())

    @property
    def stage_seconds_left(self) -> float:
        """Seconds until no more is searched or read in this stage."""
        return max(0.0, self._too_late("research") - self.seconds)

    def enter(self, stage: Stage) -> None:
        """A stage begins: its calls, searches and readings among them, may use what was kept for it."""
        self.stage = stage

    def reserve(self, amount: Amount, purpose: Purpose = "research") -> Reservation:
        """Hold `amount`, an upper bound of what a call can use.

        Raises:
            BudgetExceeded: Used plus held plus `amount` could pass a ceiling, or what the stage leaves to later ones
                would be used; nothing was held.
        """
        late = self._too_late(purpose)
        if late <= self.seconds:
            raise BudgetExceeded("max_minutes", round(self.seconds / 60, 2), self._shape.max_minutes)
        if refusal := self._refusal(amount, self.held, purpose):
            raise refusal
        if self.share:
            self.share.hold(amount.usd, amount.tokens, finishing=purpose == "finish")
        self.held = self.held + amount
        self._paying += _pays(amount)
        return Reservation(amount, self._closed)

    def _too_late(self, purpose: Purpose) -> float:
        """Seconds of the run at which no such call begins any more."""
        kept = SET_ASIDE if self._researching(purpose) else KEPT_TIME[self.stage]
        return self._shape.max_minutes * 60 * (1 - kept)

    def _researching(self, purpose: Purpose) -> bool:
        return purpose == "research" and self.stage in {"", "research"}

    def _refusal(self, amount: Amount, held: Amount, purpose: Purpose) -> BudgetExceeded | None:
        """Why `amount` cannot be held beside what is `held`; None if it can."""
        total, likely = self.used + held + amount, self.used
        share = 1 - SET_ASIDE if self._researching(purpose) else 1.0
        kept = 1 - KEPT[self.stage]
        shape = self._shape
        for kind, wanted, after, before, whole in (
            ("max_usd", amount.usd, total.usd, likely.usd, shape.max_usd),
            ("max_tokens", amount.tokens, total.tokens, likely.tokens, shape.max_tokens),
        ):
            if wanted > 0 and after > whole * share + 1e-9:
                return BudgetExceeded(kind, after - wanted, whole * share, whole)
            if wanted > 0 and before + LIKELY * (after - before) > whole * kept + 1e-9:
                return BudgetExceeded(kind, after - wanted, whole * kept, whole, stage=self.stage)
        for kind, wanted, after in (
            ("max_searches", amount.searches, total.searches),
            ("max_pages", amount.pages, total.pages),
        ):
            if wanted > 0 and after > (most := self._most(kind)):
                return BudgetExceeded(kind, after - wanted, most, getattr(shape, kind))
        return None

    def _most(self, kind: str) -> int:
        """The searches or pages that may be used by now: research leaves some to the report in the making."""
        whole: int = getattr(self._shape, kind)
        return whole - kept_for_gaps(kind, whole, self.stage)

    async def hold(self, amount: Amount, purpose: Purpose = "research") -> Reservation:
        """Reserve; if only calls in flight prevent it, wait until one of them settles.

        A bound is several times the real use, so refusing at once would end research long before it reaches a ceiling.

        Raises:
            BudgetExceeded: The amount could pass a ceiling even with no other call in flight.
        """
        while True:
            await self.refresh()
            try:
                return self.reserve(amount, purpose)
            except BudgetExceeded as error:
                if not self._paying or not self.could_fit(amount, error, purpose):
                    raise
                await self._settled.wait()

    def left(self) -> list[Left]:
        """What searching and reading may still use in this stage, by ceiling; `stage_seconds_left` gives the time."""
        kept = SET_ASIDE if self._researching("research") else KEPT[self.stage]
        share, shape, used = 1 - kept, self._shape, self.used
        return [
            Left("max_usd", "usd", shape.max_usd * share - used.usd),
            Left("max_tokens", "tokens", shape.max_tokens * share - used.tokens),
            Left("max_searches", "searches", self._most("max_searches") - used.searches),
            Left("max_pages", "pages", self._most("max_pages") - used.pages),
            *(Left(name, what, amount) for name, what, amount in (self.share.left() if self.share else ())),
        ]

    async def refresh(self) -> None:
        """Read what other processes have used of the daily ceilings."""
        if self.share:
            await self.share.refresh()

    def could_fit(self, amount: Amount, error: BudgetExceeded, purpose: Purpose = "research") -> bool:
        """Whether a refused model call would fit once no other call is in flight."""
        if isinstance(error, DayCeilingMet):
            return self.share is not None and self.share.could_fit(amount.usd, amount.tokens)
        if error.kind not in {"max_usd", "max_tokens"}:
            return False
        paid = Amount(usd=amount.usd, tokens=amount.tokens)
        return self._refusal(paid, Amount(), purpose) is None

    def _closed(self, reservation: Reservation, used: Amount) -> None:
        self.held, self.used = self.held - reservation.held, self.used + used
        self._paying -= _pays(reservation.held)
        self._settled.set()
        self._settled = anyio.Event()
        if self.share:
            before = reservation.held
            self.share.settle((before.usd, before.tokens), (used.usd, used.tokens))
        if self._moved:
            self._moved(self.used)
        self._announce()

    def _announce(self) -> None:
        for kind, fraction in self._fractions().items():
            level = level_of(fraction)
            if level != self._levels.get(kind, "ok"):
                self._levels[kind] = level
                if self._tell and level != "ok":
                    self._tell(kind, level)

    def _fractions(self) -> dict[str, float]:
        share, shape = 1 - SET_ASIDE, self._shape
        return {
            "max_usd": _part(self.used.usd, shape.max_usd * share),
            "max_tokens": _part(self.used.tokens, shape.max_tokens * share),
            "max_searches": _part(self.used.searches, shape.max_searches),
            "max_pages": _part(self.used.pages, shape.max_pages),
            "max_minutes": _part(self.seconds, shape.max_minutes * 60 * share),
            **(self.share.fractions() if self.share else {}),
        }

    def level(self) -> Level:
        """The worst level of all ceilings."""
        return level_of(max(self._fractions().values()))

    @property
    def tight(self) -> str:
        """The ceiling that is 90 % used, so that a cheaper and faster model is asked; "" for none.

        Of the whole ceiling: research that has used its share leaves the writer what is set aside.
        """
        eased = {
            "max_usd": _part(self.used.usd, self._shape.max_usd),
            "max_minutes": _part(self.seconds, self._shape.max_minutes * 60),
            **{kind: part for kind, part in (self.share.fractions() if self.share else {}).items() if "usd" in kind},
        }
        worst = max(eased, key=eased.__getitem__)
        return worst if level_of(eased[worst]) in {"narrow", "spent"} else ""

    @property
    def fullest(self) -> str:
        """The ceiling with the highest used share."""
        return max(fractions := self._fractions(), key=fractions.__getitem__)


def _pays(amount: Amount) -> bool:
    return amount.usd > 0 or amount.tokens > 0


def _part(used: float, ceiling: float) -> float:
    # A ceiling of zero forbids the resource; it does not count as used up.
    return used / ceiling if ceiling > 0 else 0.0
