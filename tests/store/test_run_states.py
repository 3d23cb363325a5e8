from collections.abc import Callable
from typing import Any

from deepresearch_mcp.ports.store import Store

Create = Callable[..., Any]


async def test_a_living_owner_is_running_for_everybody_and_a_gone_one_interrupted(
    store: Store, other: Store, create: Create, place: Any
) -> None:
    async with place() as third:
        await create(third, "r1", now=1.0)
        await create(third, "r2", now=2.0)
        await third.runs.move("r2", 3.0, status="input_required")
        await create(third, "r3", now=3.0)
        await third.runs.move("r3", 3.0, status="queued")
        await create(third, "r4", now=4.0)
        await third.runs.move("r4", 5.0, status="completed")
        await create(store, "r5", now=5.0)

        for eye in (store, other):
            row = await eye.runs.get("r1")
            assert row
            assert row.status == "running"
        assert [row.run_id for row in await store.runs.find(status="running")] == ["r5", "r1"]
        assert await store.runs.find(status="interrupted") == []

    async def ids(**how: Any) -> list[str]:
        return [row.run_id for row in await other.runs.find(**how)]

    row = await store.runs.get("r1")
    assert row
    assert row.status == "interrupted"
    assert {row.run_id: row.status for row in await other.runs.find()} == {
        "r1": "interrupted",
        "r2": "input_required",
        "r3": "interrupted",
        "r4": "completed",
        "r5": "running",
    }
    assert await ids(status="running") == ["r5"]
    assert await ids(status="queued") == []
    assert await ids(status="interrupted") == ["r3", "r1"]
    assert await ids(status="input_required") == ["r2"]
    assert await ids(status="interrupted", limit=1, before=(3.0, "r3")) == ["r1"]
