from collections.abc import Callable

import anyio
import psycopg

from clocks import HandClock
from deepresearch_mcp.store.postgres.connection import PostgresConn, connect_postgres
from deepresearch_mcp.store.postgres.owners import PostgresOwners


def lives(url: str, clock: HandClock, owner: str | None, grace: float = 0) -> bool:
    with connect_postgres(url) as conn:
        told: Callable[[str | None], bool] = PostgresOwners(url, clock, grace).living(PostgresConn(conn))
        return told(owner)


async def test_an_owner_lives_until_its_session_ends(database_url: str) -> None:
    clock = HandClock()
    owners = PostgresOwners(database_url, clock, 0)
    assert not lives(database_url, clock, owners.owner)

    await owners.take()
    assert lives(database_url, clock, owners.owner)
    assert not lives(database_url, clock, None)

    owners.release()
    while lives(database_url, clock, owners.owner):  # noqa: ASYNC110 - the server tells nobody when it notices
        await anyio.sleep(0.01)


async def test_readers_are_shown_a_dead_owner_as_alive_for_a_second_at_most_and_a_new_one_at_once(
    database_url: str,
) -> None:
    clock = HandClock()
    asking, first, second = (PostgresOwners(database_url, clock, 0) for _ in range(3))
    await first.take()
    with connect_postgres(database_url) as conn:

        def shown() -> tuple[bool, bool]:
            lives = asking.lately_living(PostgresConn(conn))
            return lives(first.owner), lives(second.owner)

        assert shown() == (True, False)
        await second.take()
        assert shown() == (True, True)
        first.release()
        while lives(database_url, clock, first.owner):  # noqa: ASYNC110 - the server tells nobody when it notices
            await anyio.sleep(0.01)
        assert shown() == (True, True)
        clock.advance(1)
        assert shown() == (False, True)
    second.release()


async def test_right_after_the_servers_start_no_one_counts_as_dead(database_url: str) -> None:
    assert lives(database_url, HandClock(), "0" * 32, grace=1e9)
    assert not lives(database_url, HandClock(), None, grace=1e9)


async def test_a_lock_whose_session_was_cut_is_taken_again(database_url: str) -> None:
    clock = HandClock()
    owners = PostgresOwners(database_url, clock, 0)
    await owners.take()
    with psycopg.connect(database_url, autocommit=True) as conn:
        conn.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND classid = %s::bigint::oid",
            (int(owners.owner[:8], 16),),
        )
    while lives(database_url, clock, owners.owner):  # noqa: ASYNC110 - the server tells nobody when it notices
        await anyio.sleep(0.01)

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(owners.keep)
        while not lives(database_url, clock, owners.owner):
            clock.advance(1)
            await anyio.sleep(0.01)
        tasks.cancel_scope.cancel()
    owners.release()
