"""What all runs of a day may use together."""

import contextlib
from collections.abc import Collection, Sequence
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clocks import HandClock
from deepresearch_mcp.budget import SET_ASIDE, Amount, Ledger, Reservation
from deepresearch_mcp.exceptions import BudgetExceeded, DayCeilingMet
from deepresearch_mcp.ports.journal import StepRow
from deepresearch_mcp.ports.spending import SpentRow
from deepresearch_mcp.ports.tokens import Tokens
from deepresearch_mcp.quotas import DAY, Quotas
from deepresearch_mcp.records.principal import CallerLimits
from deepresearch_mcp.records.request import EFFORTS
from deepresearch_mcp.settings.bounds import LimitSettings


class Books:
    """What other processes have used."""

    def __init__(self, *rows: SpentRow) -> None:
        self.rows = list(rows)
        self.reads = 0
        self.without: set[tuple[str, int]] = set()

    async def since(self, moment: float, *, without: Collection[tuple[str, int]] = ()) -> Sequence[SpentRow]:
        self.reads += 1
        self.without = set(without)
        return [row for row in self.rows if row.at > moment]

    outside = ("outside runs", 0)

    async def begin(self, caller: str, usd: float, at: float) -> str:
        raise NotImplementedError(caller)

    async def correct(self, key: str, usd: float) -> None:
        raise NotImplementedError(key)

    async def steps(self, run_id: str) -> Sequence[StepRow]:
        raise NotImplementedError(run_id)


def allowed(clock: HandClock, books: Books, **limits: Any) -> Quotas:
    return Quotas(LimitSettings.model_validate(limits), books, clock)


async def ledger(allowance: Quotas, clock: HandClock, run_id: str = "r1", caller: str = "me", **shape: Any) -> Ledger:
    whole = EFFORTS["standard"].model_copy(update=shape)
    return Ledger(whole, clock, share=await allowance.share(caller, run_id, 1, whole, SET_ASIDE))


async def test_without_a_ceiling_no_one_reads_the_books():
    clock, books = HandClock(), Books()
    allowance = allowed(clock, books)

    await allowance.check("me")
    (await ledger(allowance, clock)).reserve(Amount(usd=0.1)).settle(Amount(usd=0.1))

    assert books.reads == 0
    assert allowance.money() == ""


async def test_a_run_is_refused_with_what_is_used_the_ceiling_and_when_it_is_free_again():
    clock = HandClock()
    now = clock.now().timestamp()
    books = Books(SpentRow(now - 7200, "you", 1.5, 10), SpentRow(now - 3600, "me", 4.0, 10))
    allowance = allowed(clock, books, usd_per_day=5)

    with pytest.raises(DayCeilingMet) as caught:
        await allowance.check("me")

    assert caught.value.message == (
        "All runs together have used $5.5 within the last 24 hours, and the ceiling limits.usd_per_day is $5; "
        "it is free again at 2026-11-21 10:00 UTC."
    )
    assert "Wait until then" in str(caught.value)
    clock.advance(DAY - 7200 + 1)
    await allowance.check("me")


async def test_each_caller_has_a_ceiling_of_its_own():
    clock = HandClock()
    books = Books(SpentRow(clock.now().timestamp() - 60, "you", 2.0, 10))
    allowance = allowed(clock, books, usd_per_day_and_caller=1)

    await allowance.check("me")
    with pytest.raises(DayCeilingMet, match="Your runs have used"):
        await allowance.check("you")
    assert allowance.money() == "usd_per_day_and_caller"


class OwnLimits:
    """Implements the part of `ports.tokens.Tokens` that quotas ask."""

    async def limits(self) -> dict[str, CallerLimits]:
        return {"you": CallerLimits(usd_per_day=0.5), "free": CallerLimits(runs_at_once=2)}


async def test_a_token_may_say_what_its_caller_can_spend_a_day():
    clock = HandClock()
    now = clock.now().timestamp()
    books = Books(SpentRow(now - 60, "you", 0.6, 10), SpentRow(now - 60, "free", 0.6, 10))
    allowance = Quotas(LimitSettings(), books, clock, cast("Tokens", OwnLimits()))

    with pytest.raises(DayCeilingMet, match=r"the ceiling limits.usd_per_day_and_caller is \$0.5"):
        await allowance.check("you")
    await allowance.check("free")
    assert (allowance.money("you"), allowance.money("free")) == ("usd_per_day_and_caller", "")


async def test_tokens_are_bounded_too():
    clock = HandClock()
    books = allowed(clock, Books(), tokens_per_day=1000)
    mine = await ledger(books, clock)

    mine.reserve(Amount(tokens=700), "finish").settle(Amount(tokens=700))
    with pytest.raises(DayCeilingMet, match="700 tokens"):
        mine.reserve(Amount(tokens=301), "finish")
    mine.reserve(Amount(searches=1, pages=1))


async def test_a_run_stops_at_what_the_day_has_left_and_its_level_rises():
    clock = HandClock()
    books = Books(SpentRow(clock.now().timestamp() - 60, "you", 4.9, 0))
    mine = await ledger(allowed(clock, books, usd_per_day=5), clock)

    assert mine.level() == "narrow"
    assert mine.tight == mine.fullest == "limits.usd_per_day"
    with pytest.raises(BudgetExceeded) as caught:
        mine.reserve(Amount(usd=0.08))
    assert caught.value.kind == "limits.usd_per_day"
    assert mine.held == Amount()
    mine.reserve(Amount(usd=0.08), "finish")


async def test_what_others_used_is_read_again_after_a_second_and_own_lives_are_left_out():
    clock, books = HandClock(), Books()
    allowance = allowed(clock, books, usd_per_day=1)
    mine = await ledger(allowance, clock)
    assert books.without == {("r1", 1)}
    books.rows.append(SpentRow(clock.now().timestamp(), "you", 0.99, 0))

    await mine.refresh()
    mine.reserve(Amount(usd=0.1)).release()
    clock.advance(1.1)
    await mine.refresh()

    with pytest.raises(DayCeilingMet):
        mine.reserve(Amount(usd=0.1), "finish")
    allowance.end("r1", 1)
    clock.advance(DAY + 1)
    await allowance.refresh()
    assert books.without == set()


async def test_what_a_run_needs_to_finish_is_kept_from_the_research_of_others_until_it_ends():
    clock = HandClock()
    allowance = allowed(clock, Books(), usd_per_day=1)
    shape = EFFORTS["standard"].model_copy(update={"max_usd": 2.0})
    first = await allowance.share("me", "a", 1, shape, SET_ASIDE)
    second = await ledger(allowance, clock, "b", max_usd=2.0)

    with pytest.raises(DayCeilingMet):
        second.reserve(Amount(usd=0.6))
    first.close()
    first.close()
    second.reserve(Amount(usd=0.6))


def test_a_call_that_would_fit_alone_may_wait_for_its_turn():
    books = Ledger(EFFORTS["standard"], HandClock())
    met = DayCeilingMet("limits.usd_per_day", "All", 1, 1, HandClock().now())

    assert not books.could_fit(Amount(), met)


async def test_a_call_waits_only_where_the_days_ceiling_leaves_room_for_it():
    clock = HandClock()
    mine = await ledger(allowed(clock, Books(), usd_per_day=0.3), clock)
    mine.reserve(Amount(usd=0.2), "finish")

    with pytest.raises(DayCeilingMet) as caught:
        mine.reserve(Amount(usd=0.2), "finish")

    assert mine.could_fit(Amount(usd=0.2), caught.value)
    assert not mine.could_fit(Amount(usd=0.4), caught.value)


@given(
    st.floats(0.01, 1),
    st.lists(
        st.tuples(st.integers(0, 4), st.floats(0, 0.3), st.booleans(), st.one_of(st.none(), st.floats(0, 1))),
        max_size=80,
    ),
)
async def test_runs_at_once_never_cross_the_ceiling_together(
    ceiling: float, calls: list[tuple[int, float, bool, float | None]]
):
    clock = HandClock()
    allowance = allowed(clock, Books(), usd_per_day=ceiling)
    books = [await ledger(allowance, clock, f"r{number}", f"c{number % 2}") for number in range(5)]
    held: list[Reservation] = []
    for number, usd, finishing, settled in calls:
        with contextlib.suppress(BudgetExceeded):
            held.append(books[number].reserve(Amount(usd=usd), "finish" if finishing else "research"))
        if settled is not None and held:
            one = held.pop(0)
            one.settle(Amount(usd=one.held.usd * settled))
        assert sum(book.used.usd + book.held.usd for book in books) <= ceiling + 1e-6


async def test_where_the_clock_was_set_back_an_hour_still_counts_and_years_hold_no_one_up():
    clock = HandClock()
    now = clock.now().timestamp()
    for ahead, left in ((3600.0, 0.0), (10 * 365 * DAY, 1.0)):
        allowance = allowed(clock, Books(SpentRow(now + ahead, "me", 1.0, 10)), usd_per_day=1.0)
        if left:
            await allowance.check("me")
        else:
            with pytest.raises(DayCeilingMet):
                await allowance.check("me")
