from typing import Any

import pytest

from deepresearch_mcp.exceptions import StoreError
from deepresearch_mcp.ports.store import Store
from deepresearch_mcp.records.evidence import Claim, Quote


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
