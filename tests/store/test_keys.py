from deepresearch_mcp.ports.store import Store


async def test_a_key_is_made_once_and_is_the_same_in_every_process(store: Store, other: Store) -> None:
    made = await store.keys.of("one")

    assert len(made) == 32
    assert await store.keys.of("one") == made
    assert await other.keys.of("one") == made


async def test_each_name_has_a_key_of_its_own(store: Store) -> None:
    assert await store.keys.of("one") != await store.keys.of("another")
