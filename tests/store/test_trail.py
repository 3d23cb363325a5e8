"""A chain of events in which no change goes unseen."""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deepresearch_mcp.ports.store import Store
from deepresearch_mcp.store.trail import FIRST, link

Create = Callable[..., Any]

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
