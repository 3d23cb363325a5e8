from clocks import NOON, HandClock
from deepresearch_mcp.ports.answers import KeptAnswer
from deepresearch_mcp.ports.store import Store
from deepresearch_mcp.records.sources import Hit

HITS = (Hit(url="https://a.example/", title="Ice", engines=("one",)), Hit(url="https://b.example/"))
NOW = NOON.timestamp()


async def test_an_answer_is_found_by_its_subject_in_every_process(store: Store, other: Store) -> None:
    await store.answers.keep("a", HITS, 0.0)

    assert await other.answers.find({"a", "b"}) == {"a": KeptAnswer(HITS, NOW)}


async def test_the_last_one_stands_with_its_own_time(store: Store, clock: HandClock) -> None:
    await store.answers.keep("a", HITS, 0.0)
    clock.advance(60)
    await store.answers.keep("a", HITS[:1], 0.0)

    assert await store.answers.find(["a"]) == {"a": KeptAnswer(HITS[:1], NOW + 60)}
    assert await store.answers.find([]) == {}


async def test_it_tells_how_many_hits_were_asked_for(store: Store) -> None:
    await store.answers.keep("a", HITS, 0.0, limit=7)
    await store.answers.keep("a", HITS, 0.0, limit=10)

    assert await store.answers.find(["a"]) == {"a": KeptAnswer(HITS, NOW, 10)}


async def test_what_is_too_old_is_forgotten_when_another_is_kept(store: Store, clock: HandClock) -> None:
    await store.answers.keep("old", HITS, 0.0)
    clock.advance(60)
    await store.answers.keep("new", HITS, NOW + 1)

    assert set(await store.answers.find(["old", "new"])) == {"new"}
