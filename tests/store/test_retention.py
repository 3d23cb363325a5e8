"""What is forgotten after a while, and what is not."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

from clocks import NOON, HandClock
from deepresearch_mcp.ports.documents import FileStamp
from deepresearch_mcp.ports.journal import Step, Used
from deepresearch_mcp.ports.store import Store
from deepresearch_mcp.records.evidence import Judgement
from deepresearch_mcp.records.principal import LOCAL_CALLER
from deepresearch_mcp.records.sources import Document

Create = Callable[..., Any]
Make = Callable[..., Document]

THEN = NOON.timestamp()
LATER = THEN + 100.0


async def test_a_cached_page_that_no_one_holds_is_dropped_with_its_text(store: Store, document: Make) -> None:
    await store.documents.keep("https://a.example/", document("Nobody holds this.", "https://a.example/"), {})
    await store.documents.save(document("Nor this, which is in no cache.", "https://b.example/"))

    assert await store.retention.drop_pages(THEN, 10) == 0
    assert await store.retention.drop_pages(LATER, 1) == 1
    assert await store.retention.drop_pages(LATER, 10) == 1
    assert await store.documents.cached("https://a.example/") is None
    assert await store.documents.search("holds", caller=LOCAL_CALLER) == []


async def test_a_page_that_a_run_or_a_collection_holds_stays_in_the_cache(store: Store, document: Make) -> None:
    await store.collections.of(LOCAL_CALLER).put("notes", "/notes", 1.0)
    for name in ("run", "notes"):
        url = f"https://{name}.example/"
        await store.documents.keep(url, document(f"Held by {name}.", url), {})
    await store.documents.save(document("Held by run.", "https://run.example/"), "r1")
    stamp = FileStamp("a.md", 1, 1)
    await store.collections.of(LOCAL_CALLER).add("notes", stamp, document("Held by notes.", "library://notes/a.md"))

    assert await store.retention.drop_pages(LATER, 10) == 0
    assert await store.documents.cached("https://run.example/") is not None
    assert await store.documents.cached("https://notes.example/") is not None


async def test_a_page_that_was_found_unchanged_lately_is_as_good_as_new(
    store: Store, clock: HandClock, document: Make
) -> None:
    old = document("Read long ago.", read_at=NOON - timedelta(days=60))
    clock.advance(200)
    await store.documents.keep("https://example.org/ice", old, {})

    assert await store.retention.drop_pages(LATER, 10) == 0
    assert await store.retention.drop_pages(LATER + 200, 10) == 1


async def test_old_judgements_are_dropped_and_later_ones_stay(store: Store, clock: HandClock) -> None:
    for name in ("a", "b", "c"):
        await store.judgements.keep({name: Judgement(claim_id="", verdict="supported", reason="", by="model")})
        clock.advance(60)

    assert await store.retention.drop_judgements(LATER, 1) == 1
    assert await store.retention.drop_judgements(LATER, 9) == 1
    assert set(await store.judgements.find(("a", "b", "c"))) == {"c"}


async def paid(store: Store, run_id: str, key: str, usd: float) -> None:
    async def one() -> str:
        return "ok"

    used = Used(by="openai:x", role="reader", usd=usd, input_tokens=10)
    async with store.journal(run_id) as journal:
        await journal.step(Step(key), one, kind="model", result=str, used=lambda _: used)


async def test_what_a_deleted_run_used_counts_for_a_day(store: Store, create: Create, clock: HandClock) -> None:
    await create(store, "r1", now=THEN)
    await paid(store, "r1", "read/1", 0.5)
    await paid(store, "r1", "read/2", 0.25)
    await store.runs.move("r1", THEN, status="completed")
    before = [(row.caller, row.usd, row.tokens) for row in await store.spending.since(THEN - 1)]
    assert await store.runs.delete("r1", THEN) is not None

    after = await store.spending.since(THEN - 1)
    assert before == [("me", 0.75, 20)]
    assert [row.caller for row in after] == ["me", "me"]
    assert (sum(row.usd for row in after), sum(row.tokens for row in after)) == (0.75, 20)
    assert await store.spending.since(THEN - 1, without=[("r1", 1)]) == []
    assert await store.spending.since(THEN + 1) == []

    assert await store.retention.drop_spending(THEN - 1) == 0
    assert await store.retention.drop_spending(THEN) == 2
    assert await store.spending.since(THEN - 1) == []


async def test_of_a_run_deleted_after_more_than_a_day_no_spending_is_kept(store: Store, create: Create) -> None:
    await create(store, "r1", now=THEN)
    await paid(store, "r1", "read/1", 0.5)
    await store.runs.move("r1", THEN, status="completed")
    await store.runs.delete("r1", THEN + 90_000)

    assert await store.retention.drop_spending(THEN + 90_000) == 0


async def test_a_run_is_deleted_only_if_it_ended_before_the_moment_named(store: Store, create: Create) -> None:
    await create(store, "r1")
    await store.runs.move("r1", 150.0, status="completed")

    assert await store.runs.delete("r1", 400.0, ended_before=150.0) is None
    await store.runs.revive("r1", (await store.runs.get("r1")).request, "", 200.0, complete=True)  # pyright: ignore[reportOptionalMemberAccess] - it was made above
    assert await store.runs.delete("r1", 400.0, ended_before=300.0) is None
    assert await store.runs.get("r1") is not None
