from typing import Any

import pytest

from deepresearch_mcp.ports.store import Store


async def test_a_link_opens_its_run_in_every_process_until_it_ends_and_is_stored_as_a_hash(
    store: Store, other: Store, place: Any
) -> None:
    secret, row = await store.shares.create("r1", 100.0, 200.0)

    assert await other.shares.find(secret, 199.0) == row
    assert await other.shares.find(secret, 200.0) is None
    assert secret not in repr(place.execute("SELECT * FROM shares"))


async def test_a_revoked_link_opens_nothing_and_only_its_own_run_can_revoke_it(store: Store) -> None:
    secret, row = await store.shares.create("r1", 100.0, 200.0)

    assert not await store.shares.revoke("r2", row.share_id, 150.0)
    assert await store.shares.revoke("r1", row.share_id, 150.0)
    assert not await store.shares.revoke("r1", row.share_id, 160.0)

    assert await store.shares.find(secret, 160.0) is None
    assert [one.revoked for one in await store.shares.of("r1")] == [150.0]


@pytest.mark.parametrize("wrong", ["", "guess", "x" * 10_000, "\ud800"])
async def test_what_is_no_link_opens_nothing(store: Store, wrong: str) -> None:
    await store.shares.create("r1", 100.0, 200.0)

    assert await store.shares.find(wrong, 150.0) is None
