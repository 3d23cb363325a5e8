from typing import Any

import pytest

from deepresearch_mcp.exceptions import InvalidRequest
from deepresearch_mcp.ports.store import Store
from deepresearch_mcp.records.principal import CallerLimits


async def test_a_token_is_found_by_itself_in_every_process_and_never_stored(
    store: Store, other: Store, place: Any
) -> None:
    token, row = await store.tokens.create("ci", ["runs:read"], 100.0, expires=200.0)

    found = await other.tokens.find(token, 150.0)

    assert found is not None
    assert (found.caller, found.scopes, found.name) == (f"token:{row.token_id}", frozenset({"runs:read"}), "ci")
    assert len(token) > 43
    assert token not in repr(place.execute("SELECT * FROM tokens"))


@pytest.mark.parametrize("wrong", ["", "drt_guess", "x" * 10_000, "\ud800", "é"])
async def test_what_is_no_token_opens_nothing(store: Store, wrong: str) -> None:
    await store.tokens.create("ci", ["runs:read"], 100.0)

    assert await store.tokens.find(wrong, 100.0) is None


async def test_an_expired_and_a_revoked_token_open_nothing(store: Store, other: Store) -> None:
    short, _ = await store.tokens.create("short", ["runs:read"], 100.0, expires=200.0)
    ended, row = await store.tokens.create("ended", ["runs:read"], 100.0)
    assert await store.tokens.any_valid(150.0)

    assert await store.tokens.revoke(row.token_id, 120.0)
    assert not await store.tokens.revoke(row.token_id, 130.0)
    assert not await store.tokens.revoke("none", 130.0)

    assert await other.tokens.find(short, 199.0) is not None
    assert await other.tokens.find(short, 200.0) is None
    assert await other.tokens.find(ended, 150.0) is None
    assert not await store.tokens.any_valid(250.0)


async def test_a_renewed_token_opens_what_the_first_one_did(store: Store) -> None:
    _, first = await store.tokens.create("ci", ["runs:read"], 100.0)
    _, second = await store.tokens.create("ci", ["runs:read"], 200.0, same_as=first.token_id)

    assert second.caller == first.caller
    with pytest.raises(InvalidRequest, match="no token 'other'"):
        await store.tokens.create("ci", [], 200.0, same_as="other")


async def test_the_last_use_is_known_to_ten_minutes_and_what_was_made_or_revoked_at_once(store: Store) -> None:
    token, _ = await store.tokens.create("ci", ["admin", "runs:read"], 100.0)
    states = [await store.tokens.state()]
    for moment in (1000.0, 1590.0, 1600.0):
        await store.tokens.find(token, moment)
    states.append(await store.tokens.state())

    [row] = await store.tokens.all()
    await store.tokens.revoke(row.token_id, 1600.0)
    states.append(await store.tokens.state())
    await store.tokens.create("ci", [], 100.0)

    assert (row.used, row.scopes) == (1600.0, frozenset({"admin", "runs:read"}))
    assert states[0] == states[1]
    assert len({*states, await store.tokens.state()}) == 3


async def test_the_newest_token_of_a_caller_says_what_it_may_use(store: Store, other: Store) -> None:
    few = CallerLimits(runs_at_once=1, requests_a_minute=60, usd_per_day=2.0)
    token, first = await store.tokens.create("ci", ["runs:read"], 100.0, limits=few)
    _, renewed = await store.tokens.create("ci", ["runs:read"], 200.0, same_as=first.token_id)
    await store.tokens.create("free", ["runs:read"], 200.0)

    found = await other.tokens.find(token, 150.0)
    assert found is not None
    assert found.limits == renewed.limits == few
    assert await other.tokens.limits() == {first.caller: few}

    await store.tokens.create("ci", ["runs:read"], 300.0, same_as=first.token_id, limits=CallerLimits(runs_at_once=3))
    assert await other.tokens.limits() == {first.caller: CallerLimits(runs_at_once=3)}
