from dataclasses import replace
from typing import Any

import anyio
import pytest

from clocks import HandClock
from deepresearch_mcp.http_app.authentication import REVOKED_WITHIN, FirstOf, LocalToken, StoredTokens
from deepresearch_mcp.ports.tokens import NOTED, TokenRow
from deepresearch_mcp.records.principal import LOCAL_PRINCIPAL


class Kept:
    """Tokens that are named as their callers, and what they were asked."""

    def __init__(self) -> None:
        self.rows = {name: TokenRow(name, name, name, frozenset({"runs:read"}), 0.0) for name in ("one", "two")}
        self.asked: list[str] = []
        self.answering = anyio.Event()
        self.answering.set()

    async def find(self, token: str, now: float) -> TokenRow | None:
        self.asked.append(token)
        row = self.rows.get(token)
        await self.answering.wait()
        return row if row and row.valid(now) else None

    async def state(self) -> tuple[int, int]:
        self.asked.append("state")
        return len(self.rows), sum(row.revoked is not None for row in self.rows.values())

    def revoke(self, name: str) -> None:
        self.rows[name] = replace(self.rows[name], revoked=1.0)


@pytest.fixture
def kept() -> Kept:
    return Kept()


@pytest.fixture
def clock() -> HandClock:
    return HandClock()


@pytest.fixture
def stored(kept: Kept, clock: HandClock) -> StoredTokens:
    async def opened() -> Any:
        return kept

    return StoredTokens(opened, clock)


@pytest.mark.parametrize("wrong", ["", "on", "one ", "\ud800"])
async def test_only_the_very_token_is_this_machines_user(wrong: str) -> None:
    assert await LocalToken("one").principal("one") == LOCAL_PRINCIPAL
    assert await LocalToken("one").principal(wrong) is None


async def test_several_kinds_of_tokens_are_asked_in_turn() -> None:
    either = FirstOf([LocalToken("one"), LocalToken("two")])

    assert await either.principal("two") == LOCAL_PRINCIPAL
    assert await either.principal("three") is None


async def test_a_token_in_use_is_looked_up_once_and_revocations_once_a_second(
    stored: StoredTokens, kept: Kept, clock: HandClock
) -> None:
    for _ in range(10):
        found = [await stored.principal(name) for name in ("one", "two", "other")]
        assert [one and one.caller for one in found] == ["one", "two", None]
        clock.advance(REVOKED_WITHIN / 4)

    assert (kept.asked.count("one"), kept.asked.count("state"), kept.asked.count("other")) == (1, 3, 10)

    clock.advance(NOTED)
    await stored.principal("one")
    assert kept.asked.count("one") == 2


async def test_a_revoked_token_opens_nothing_after_a_second_and_an_expired_one_at_once(
    stored: StoredTokens, kept: Kept, clock: HandClock
) -> None:
    kept.rows["two"] = replace(kept.rows["two"], expires=clock.now().timestamp() + 0.5)
    assert await stored.principal("one")
    assert await stored.principal("two")

    kept.revoke("one")
    clock.advance(REVOKED_WITHIN / 2)
    assert await stored.principal("two") is None
    clock.advance(REVOKED_WITHIN / 2)
    assert await stored.principal("one") is None


async def test_a_token_that_is_revoked_while_it_is_looked_up_is_not_remembered(
    stored: StoredTokens, kept: Kept, clock: HandClock
) -> None:
    kept.answering = anyio.Event()
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(stored.principal, "one")
        await anyio.wait_all_tasks_blocked()
        kept.revoke("one")
        clock.advance(REVOKED_WITHIN)
        tasks.start_soon(stored.principal, "two")
        await anyio.wait_all_tasks_blocked()
        kept.answering.set()

    assert await stored.principal("one") is None
