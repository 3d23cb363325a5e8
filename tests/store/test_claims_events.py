from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deepresearch_mcp.exceptions import StoreError
from deepresearch_mcp.ports.store import Store
from deepresearch_mcp.records.evidence import Claim, Quote
from deepresearch_mcp.store.claims_events import FIRST, link


def claim(claim_id: str, verdict: str = "unverifiable") -> Claim:
    quote = Quote(source_id="s1", snapshot="0" * 64, start=0, end=3, text="Ice")
    return Claim.model_validate(
        {"claim_id": claim_id, "sub_question": "q1", "text": "Ice floats.", "quotes": (quote,), "verdict": verdict}
    )


async def test_claims_come_in_the_order_of_their_first_saving_with_their_last_verdict(store: Store) -> None:
    await store.claims.save("r1", [claim("cz"), claim("ca")])
    await store.claims.save("r2", [claim("cz")])
    await store.claims.save("r1", [claim("cm"), claim("cz", "supported")])
    await store.claims.save("r1", [])

    assert await store.claims.of("r1") == [claim("cz", "supported"), claim("ca"), claim("cm")]
    assert await store.claims.of("r2") == [claim("cz")]
    assert await store.claims.of("r3") == []


async def test_events_are_read_on_from_where_a_reader_left_off(store: Store, other: Store) -> None:
    for number in range(5):
        await store.events.add("r1", float(number), "page_read", {"url": f"https://example.org/{number}", "n": (1, 2)})
        await other.events.add("r2", float(number), "claimed", {})

    first = await other.events.of("r1", limit=2)
    rest = await other.events.of("r1", after=first[-1].number)

    assert [event.at for event in first + rest] == [0.0, 1.0, 2.0, 3.0, 4.0]
    assert first[0].data == {"url": "https://example.org/0", "n": [1, 2]}
    assert (first[0].run_id, first[0].kind) == ("r1", "page_read")
    assert await store.events.of("r1", after=rest[-1].number) == []


async def test_an_event_with_half_a_character_is_kept(store: Store) -> None:
    await store.events.add("r1", 1.0, "page_read", {"title": "a\ud800"})

    [event] = await store.events.of("r1")
    assert event.data == {"title": "a?"}


async def test_a_number_that_fits_no_column_is_refused(sqlite_place: Any) -> None:
    async with sqlite_place() as store:
        with pytest.raises(StoreError, match="cannot hold a value"):
            await store.events.of("r1", after=1 << 70)


_ANY = st.tuples(st.text(), st.floats(allow_nan=False), st.text(), st.text())


@given(_ANY, _ANY)
def test_events_that_differ_in_anything_have_other_hashes(one: Any, other: Any) -> None:
    assert (link(FIRST, *one) == link(FIRST, *other)) == (one == other)
    assert link("before", *one) != link(FIRST, *one)


@pytest.fixture
async def trail(store: Store, place: Any) -> Callable[[str], None]:
    """Three events of a run and one of another; changes them behind the store's back."""
    for at, run_id in enumerate(("r1", "r2", "r1", "r1")):
        await store.events.add(run_id, float(at), "planned", {"number": at})

    return place.execute


async def test_a_trail_that_no_one_touched_stands(store: Store, trail: Callable[[str], None]) -> None:
    assert [await store.events.broken(run_id) for run_id in ("r1", "r2", "r3")] == [None, None, None]


@pytest.mark.parametrize(
    ("sql", "number"),
    [
        ("UPDATE events SET data = '{\"number\":7}' WHERE number = 3", 3),
        ("UPDATE events SET at = 9 WHERE number = 1", 1),
        ("DELETE FROM events WHERE number = 3", 4),
        ("UPDATE events SET run_id = 'r1' WHERE number = 2", 2),
    ],
)
async def test_a_change_is_found_where_it_was_made(
    store: Store, trail: Callable[[str], None], sql: str, number: int
) -> None:
    trail(sql)

    assert await store.events.broken("r1") == number


async def test_events_from_before_there_was_a_chain_are_taken_as_they_are(
    store: Store, trail: Callable[[str], None]
) -> None:
    trail("UPDATE events SET hash = ''")
    await store.events.add("r1", 9.0, "ended", {})

    assert await store.events.broken("r1") is None


async def test_events_are_written_together_once_however_often_it_is_tried(store: Store) -> None:
    await store.events.add("r1", 1.0, "started", {})
    batch = [(2.0, "spent", {"usd": 1}), (2.0, "spent", {"usd": 1}), (3.0, "ended", {})]
    await store.events.add_all("r1", batch)
    await store.events.add_all("r1", batch)
    await store.events.add_all("r1", [])

    assert [one.kind for one in await store.events.of("r1")] == ["started", "spent", "spent", "ended"]
    assert await store.events.broken("r1") is None
