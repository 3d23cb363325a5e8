from pathlib import Path

from clocks import HandClock
from deepresearch_mcp.ports.store import Store
from deepresearch_mcp.records.principal import LOCAL_CALLER


async def test_all_parts_stand_on_one_database(store: Store, other: Store, home: Path, clock: HandClock) -> None:
    await store.collections.of(LOCAL_CALLER).put("notes", "folder", clock.now().timestamp())
    await store.events.add("r1", 1.0, "started", {})

    assert store.home == home
    assert [row.name for row in await other.collections.of(LOCAL_CALLER).all()] == ["notes"]
    assert [event.kind for event in await other.events.of("r1")] == ["started"]
