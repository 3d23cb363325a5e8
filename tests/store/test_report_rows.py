from typing import Any

from deepresearch_mcp.ports.store import Store


async def test_a_report_is_read_as_it_was_written_by_anyone_who_shares_the_store(store: Store, other: Store) -> None:
    await store.reports.write("r1", "# Ice\n\nold", "{}")
    await store.reports.write("r1", "# Ice\n\nFloats \ud800[1].\n", '{"a": "é"}')

    assert await other.reports.read("r1", "report.md") == "# Ice\n\nFloats ?[1].\n"
    assert await other.reports.read("r1", "report.json") == '{"a": "é"}'


async def test_a_report_is_removed_once(store: Store, create: Any) -> None:
    await store.reports.write("r1", "# Ice", "{}")

    assert await store.reports.remove("r1")
    assert not await store.reports.remove("r1")
    assert await store.reports.read("r1", "report.md") is None
