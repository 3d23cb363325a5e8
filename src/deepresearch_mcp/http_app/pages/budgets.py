"""`/budgets`: what the caller's runs used within a day, and of which ceilings."""

from collections.abc import Sequence
from dataclasses import dataclass

from starlette.responses import Response

from deepresearch_mcp.http_app.pages.visit import Page, Visit
from deepresearch_mcp.ports.spending import SpentRow
from deepresearch_mcp.quotas import DAY
from deepresearch_mcp.records.request import EFFORTS

_HOUR = 3_600
HOURS = 24

_CEILINGS = (
    ("usd_per_day_and_caller", "Dollars of your runs", "${:,.2f}"),
    ("usd_per_day", "Dollars of all runs", "${:,.2f}"),
    ("tokens_per_day", "Tokens of all runs", "{:,.0f}"),
)


@dataclass(frozen=True, slots=True)
class Ceiling:
    """One daily ceiling."""

    name: str
    setting: str
    most: float
    left: float
    text: str


def by_hour(rows: Sequence[SpentRow], now: float) -> list[float]:
    """Dollars in each of the last 24 hours, the oldest first."""
    hours = [0.0] * HOURS
    for row in rows:
        age = int((now - row.at) // _HOUR)
        hours[HOURS - 1 - min(max(age, 0), HOURS - 1)] += row.usd
    return hours


async def budgets(visit: Visit) -> Response:
    """Use of the last 24 hours, the day's ceilings, and those of a run by effort."""
    runtime = (await visit.jobs()).runtime
    now, limits = visit.context.clock.now().timestamp(), runtime.settings.limits
    mine = [row for row in await runtime.store.spending.since(now - DAY) if row.caller == visit.caller]
    left = await runtime.quotas.left(visit.caller)
    ceilings: list[Ceiling] = []
    for name, title, form in _CEILINGS:
        if (most := float(getattr(limits, name))) and (rest := left.get(f"limits.{name}")) is not None:
            text = f"{form.format(rest)} left of {form.format(most)}"
            ceilings.append(Ceiling(title, f"limits.{name}", most, rest, text))
    return await visit.show(
        "budgets.html",
        usd=sum(row.usd for row in mine),
        tokens=sum(row.tokens for row in mine),
        hours=by_hour(mine, now),
        ceilings=ceilings,
        at_once=limits.runs_per_caller,
        efforts=EFFORTS.items(),
    )


PAGES = (Page("GET", "/budgets", budgets),)
