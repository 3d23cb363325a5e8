import re
from pathlib import Path

from deepresearch_mcp.http_app.pages.budgets import by_hour
from deepresearch_mcp.ports.spending import SpentRow
from deepresearch_mcp.settings.bounds import LimitSettings
from pages_world import text_of, visiting
from small_web import settings_for


def test_use_is_told_by_hour_and_what_lies_in_the_future_counts_as_now() -> None:
    now = 100_000.0
    rows = [SpentRow(now - 30, "me", 1.0, 0), SpentRow(now - 7_300, "me", 2.0, 0), SpentRow(now + 60, "me", 0.5, 0)]

    hours = by_hour(rows, now)

    assert (hours[-1], hours[-3], sum(hours)) == (1.5, 2.0, 3.5)


async def test_only_the_caller_s_own_use_is_shown_with_the_ceilings_of_the_day(tmp_path: Path) -> None:
    limits = LimitSettings(usd_per_day_and_caller=5.0)
    settings = settings_for(tmp_path / "home").model_copy(update={"limits": limits})
    async with visiting(tmp_path, settings=settings) as visitor:
        now = visitor.jobs.runtime.clock.now().timestamp()
        await visitor.jobs.runtime.store.spending.begin("local", 1.25, now)
        await visitor.jobs.runtime.store.spending.begin("token:9", 3.0, now)
        whole = (await visitor.get("/budgets")).text
        page = text_of(whole)

    assert "$1.25 Dollars" in page or "Dollars $1.25" in page
    assert "$3.75 left of $5.00" in page
    assert "$3.00 left" not in page
    # On a narrow screen the head of the table is not shown: each figure names itself.
    heads = re.findall(r'<th scope="col">(\w+)</th>', whole)
    assert re.findall(r'<td data-name="(\w+)">', whole)[:5] == heads[1:] != []
