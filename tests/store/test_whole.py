from pathlib import Path
from typing import Any

from clocks import HandClock
from deepresearch_mcp.ports.store import Store
from deepresearch_mcp.records.principal import LOCAL_CALLER


async def test_all_parts_stand_on_one_database(store: Store, other: Store, home: Path, clock: HandClock) -> None:
    await store.collections.of(LOCAL_CALLER).put("notes", "folder", clock.now().timestamp())
    await store.events.add("r1", 1.0, "started", {})

    assert store.home == home
    assert [row.name for row in await other.collections.of(LOCAL_CALLER).all()] == ["notes"]
    assert [event.kind for event in await other.events.of("r1")] == ["started"]


async def test_a_run_is_given_to_its_caller_alone_and_with_its_report_once_it_has_ended(
    store: Store, other: Store, create: Any
) -> None:
    made = await create(store)
    await store.reports.write("r1", "# Ice", "{}")
    running = await other.run_with_report("r1", "me", "report.md")
    await store.runs.move("r1", 110.0, status="completed")

    row, report = await other.run_with_report("r1", "me", "report.md")

    assert running == (made, None)
    assert row is not None
    assert row.status == "completed"
    # Files lie elsewhere.
    assert report in {"# Ice", None}
    assert report == "# Ice" or other.reports.place("r1")
    assert await other.run_with_report("r1", "you", "report.md") == (None, None)
    assert await other.run_with_report("r2", "me", None) == (None, None)
