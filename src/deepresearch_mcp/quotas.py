"""Daily quotas: what all runs together, and the runs of one caller, may use within 24 hours."""

from collections import deque
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Literal

import anyio

from deepresearch_mcp.exceptions import DayCeilingMet
from deepresearch_mcp.ports.clock import Clock
from deepresearch_mcp.ports.spending import Spending, SpentRow
from deepresearch_mcp.ports.tokens import Tokens
from deepresearch_mcp.records.principal import CallerLimits
from deepresearch_mcp.records.request import Shape
from deepresearch_mcp.records.run import RunRow
from deepresearch_mcp.settings.bounds import LimitSettings

DAY = 24 * 3600.0
"""In seconds."""
_FRESH = 1.0
"""Seconds between two readings of the store when runs want to spend."""
_HAIR = 1e-9
"""Tolerance for rounding errors in sums."""

What = Literal["usd", "tokens"]


@dataclass(slots=True)
class Quota:
    """One ceiling and its use by other processes (as stored) and by this process."""

    name: str
    """The name of the setting, without `limits.`."""
    ceiling: float
    what: What
    caller: str | None = None
    """The caller whose runs it covers; None: all callers."""
    stored: list[tuple[float, float]] = field(default_factory=list[tuple[float, float]])
    """Pairs of time (seconds since the epoch) and amount."""
    own: deque[tuple[float, float]] = field(default_factory=deque[tuple[float, float]])
    held: float = 0.0
    reserved: float = 0.0
    """What active runs need to verify and write."""
    _stored: float = 0.0
    _own: float = 0.0

    def read(self, rows: Sequence[SpentRow]) -> None:
        """Replace the use that the store reported earlier."""
        mine = [row for row in rows if self.caller in {None, row.caller}]
        self.stored = sorted((row.at, float(getattr(row, self.what))) for row in mine)
        self._stored = sum(amount for _, amount in self.stored)

    def take(self, now: float, amount: float) -> None:
        """Count an amount as used at `now` (seconds since the epoch)."""
        if amount:
            self.own.append((now, amount))
            self._own += amount

    def used(self, now: float) -> float:
        """The use within the 24 hours before `now`."""
        while self.own and self.own[0][0] <= now - DAY:
            self._own -= self.own.popleft()[1]
        return self._stored + self._own

    def left(self, now: float) -> float:
        """What is neither used, held nor reserved."""
        return max(0.0, self.ceiling - self.used(now) - self.held - self.reserved)

    def free_again(self, now: float) -> datetime:
        """The time at which enough use is a day old for the total to fall below the ceiling."""
        used, free = self.used(now), now
        for at, amount in sorted((*self.stored, *self.own)):
            if used < self.ceiling - _HAIR:
                break
            used, free = used - amount, at + DAY
        return datetime.fromtimestamp(free, UTC)

    def met(self, now: float) -> DayCeilingMet:
        """Make the error for a met ceiling."""
        whose = "All runs together" if self.caller is None else "Your runs"
        return DayCeilingMet(f"limits.{self.name}", whose, self.used(now), self.ceiling, self.free_again(now))


class QuotaShare:
    """What one attempt at a run takes from its quotas; `close` it when the attempt ends."""

    def __init__(self, day: "Quotas", quotas: Sequence[Quota], shape: Shape, set_aside: float) -> None:
        self._day = day
        self._quotas = quotas
        now = day.now
        whole = {"usd": shape.max_usd, "tokens": float(shape.max_tokens)}
        self._reserves = [set_aside * min(whole[quota.what], quota.left(now)) for quota in quotas]
        for quota, reserve in zip(quotas, self._reserves, strict=True):
            quota.reserved += reserve

    async def refresh(self) -> None:
        """Read the use of other processes, at most once a second."""
        await self._day.refresh()

    def hold(self, usd: float, tokens: int, *, finishing: bool) -> None:
        """Hold an upper bound of what a call can use.

        Raises:
            DayCeilingMet: The call could cross a ceiling; nothing was held.
        """
        now, wanted = self._day.now, {"usd": usd, "tokens": float(tokens)}
        for quota in self._quotas:
            room = quota.ceiling - quota.used(now) - quota.held - (0.0 if finishing else quota.reserved)
            if wanted[quota.what] > 0 and wanted[quota.what] > room + _HAIR:
                raise quota.met(now)
        for quota in self._quotas:
            quota.held += wanted[quota.what]

    def settle(self, held: tuple[float, int], used: tuple[float, int]) -> None:
        """Replace a held amount by the real use; both are (USD, tokens)."""
        now = self._day.now
        for quota in self._quotas:
            place = 0 if quota.what == "usd" else 1
            quota.held = max(0.0, quota.held - held[place])
            quota.take(now, used[place])

    def could_fit(self, usd: float, tokens: int) -> bool:
        """Whether a call of this size would fit once no other call is in flight."""
        now, wanted = self._day.now, {"usd": usd, "tokens": float(tokens)}
        return all(quota.used(now) + wanted[quota.what] <= quota.ceiling + _HAIR for quota in self._quotas)

    def left(self) -> list[tuple[str, What, float]]:
        """What research may still take: for each ceiling its name, its unit and what is left."""
        now = self._day.now
        return [
            (f"limits.{quota.name}", quota.what, quota.ceiling - quota.used(now) - quota.reserved)
            for quota in self._quotas
        ]

    def fractions(self) -> dict[str, float]:
        """The used share of each ceiling, by name."""
        now = self._day.now
        return {f"limits.{quota.name}": quota.used(now) / quota.ceiling for quota in self._quotas}

    def close(self) -> None:
        """Release what this attempt has reserved."""
        for quota, reserve in zip(self._quotas, self._reserves, strict=True):
            quota.reserved = max(0.0, quota.reserved - reserve)
        self._reserves = [0.0] * len(self._reserves)


class QueryShare(QuotaShare):
    """What single queries of a caller take from its quotas, outside runs."""

    def __init__(self, day: "Quotas", quotas: Sequence[Quota], spending: Spending, caller: str) -> None:
        super().__init__(day, quotas, _NOTHING, 0.0)
        self._spending = spending
        self._caller = caller

    async def begin(self, usd: float) -> str:
        """Keep the price of a query in the store before it is sent, and return the key to `correct` it by."""
        return await self._spending.begin(self._caller, usd, self._day.now)

    async def correct(self, key: str, usd: float) -> None:
        """Replace the price of a query by what it really used."""
        await self._spending.correct(key, usd)


_NOTHING = Shape(breadth=0, depth=0, max_usd=0.0, max_tokens=0, max_searches=0, max_pages=0, max_minutes=0.0)


class Quotas:
    """The daily ceilings, enforced by one process for all its runs.

    Within one process they are never crossed: its use and its reservations are in memory, exactly. The use of other
    processes on the same store, and the bounds of their calls in flight, are read from their steps once a second. So
    processes together can cross a ceiling by the calls that they start within the same second. A call that ended
    without a known cost counts at its upper bound. The use of a deleted run counts until it is a day old.
    """

    def __init__(self, limits: LimitSettings, spending: Spending, clock: Clock, tokens: Tokens | None = None) -> None:
        """`tokens` know what single callers may use."""
        self._tokens = tokens
        self._own: Mapping[str, CallerLimits] = {}
        self._limits = limits
        self._spending = spending
        self._clock = clock
        self._all = [
            quota
            for quota in (
                Quota("usd_per_day", limits.usd_per_day, "usd"),
                Quota("tokens_per_day", float(limits.tokens_per_day), "tokens"),
            )
            if quota.ceiling
        ]
        self._callers: dict[str, Quota] = {}
        self._attempts: dict[tuple[str, int], float | None] = {}
        """Attempts that this process counts itself, each with its end time (None: still active)."""
        self._rows: Sequence[SpentRow] = ()
        self._read_at: float | None = None
        self._reading = anyio.Lock()

    @property
    def now(self) -> float:
        """Seconds since the epoch."""
        return self._clock.now().timestamp()

    def money(self, caller: str = "") -> str:
        """The setting that limits the dollars of a caller; "" if none does."""
        if self._limits.usd_per_day:
            return "usd_per_day"
        return "usd_per_day_and_caller" if self._dollars_of(caller) else ""

    def _dollars_of(self, caller: str) -> float:
        own = self._own.get(caller)
        return own.usd_per_day if own and own.usd_per_day is not None else self._limits.usd_per_day_and_caller

    async def refresh(self, *, at_once: bool = False) -> None:
        """Read the use of other processes, at most once a second unless `at_once`."""
        async with self._reading:
            if not at_once and self._read_at is not None and self._clock.monotonic() - self._read_at < _FRESH:
                return
            self._own = await self._tokens.limits() if self._tokens else {}
            if not (self._all or self._limits.usd_per_day_and_caller or self._own):
                self._read_at = self._clock.monotonic()
                return
            now = self.now
            since, until = now - DAY, now + DAY
            self._attempts = {attempt: end for attempt, end in self._attempts.items() if end is None or end > since}
            found = await self._spending.since(since, without=tuple(self._attempts))
            # After the clock was set back, rows can lie in the future. Those of the next day still count; later ones
            # would block runs for years.
            rows = [row for row in found if row.at <= until]
            # No await from here on: a reservation sees either all old figures or all new ones.
            self._rows, self._read_at = rows, self._clock.monotonic()
            for quota in (*self._all, *self._callers.values()):
                quota.read(rows)

    async def check(self, caller: str) -> None:
        """Refuse a run that could not pay for anything.

        Raises:
            DayCeilingMet: A ceiling is met; the error says when it is free again.
        """
        await self.refresh(at_once=True)
        now = self.now
        for quota in self._quotas_of(caller):
            if quota.used(now) >= quota.ceiling - _HAIR:
                raise quota.met(now)

    async def left(self, caller: str) -> dict[str, float]:
        """What a new run could use of each ceiling, by the setting's full name."""
        await self.refresh()
        now = self.now
        return {f"limits.{quota.name}": quota.left(now) for quota in self._quotas_of(caller)}

    async def share(self, caller: str, run_id: str, fence: int, shape: Shape, set_aside: float) -> QuotaShare:
        """Begin an attempt at a run; from now on this process counts the attempt's steps itself."""
        self._attempts[run_id, fence] = None
        await self.refresh(at_once=True)
        return QuotaShare(self, self._quotas_of(caller), shape, set_aside)

    @asynccontextmanager
    async def attempt(self, row: RunRow | None, shape: Shape, set_aside: float) -> AsyncGenerator[QuotaShare | None]:
        """Give a run its share of the quotas until this attempt ends; None for a run that is not stored."""
        if row is None:
            yield None
            return
        share = await self.share(row.caller, row.run_id, row.fence, shape, set_aside)
        try:
            yield share
        finally:
            share.close()
            self.end(row.run_id, row.fence)

    def outside_runs(self, caller: str) -> "QueryShare":
        """A share for single queries. The store keeps what they use, for other processes and for later ones."""
        self._attempts[self._spending.outside] = None
        return QueryShare(self, self._quotas_of(caller), self._spending, caller)

    def end(self, run_id: str, fence: int) -> None:
        """End an attempt; its entry is dropped after a day."""
        self._attempts[run_id, fence] = self.now

    def _quotas_of(self, caller: str) -> list[Quota]:
        ceiling = self._dollars_of(caller)
        if not ceiling:
            return list(self._all)
        if caller in self._callers:
            self._callers[caller].ceiling = ceiling
        else:
            quota = self._callers[caller] = Quota("usd_per_day_and_caller", ceiling, "usd", caller)
            quota.read(self._rows)
        return [*self._all, self._callers[caller]]
