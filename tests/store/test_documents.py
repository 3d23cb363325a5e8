from collections.abc import Awaitable, Callable
from datetime import timedelta

from clocks import NOON
from deepresearch_mcp.ports.documents import FileStamp
from deepresearch_mcp.ports.store import Store
from deepresearch_mcp.records.principal import LOCAL_CALLER
from deepresearch_mcp.records.sources import Document, Link

Make = Callable[..., Document]
Create = Callable[..., Awaitable[object]]

TEXT = "# Ice\n\nIce floats because it is less dense than water. It is cold, 冰 and 🧊.\n\nA\0B"


async def test_a_document_comes_back_whole_with_its_offsets(store: Store, document: Make) -> None:
    doc = document(TEXT, title="Ice", links=(Link(url="https://a.org"),), flags=("undated",))

    await store.documents.save(doc, "r1")

    [card] = await store.documents.cards("r1")
    assert card == doc.card()
    assert await store.documents.load(card) == doc
    assert await store.documents.text(doc.snapshot) == TEXT
    assert await store.documents.text("0" * 64) is None
    assert await store.documents.load(card.model_copy(update={"snapshot": "0" * 64})) is None


async def test_each_run_keeps_its_own_card_of_the_same_text(store: Store, document: Make) -> None:
    await store.documents.save(document(TEXT, title="First"), "r1")
    await store.documents.save(document(TEXT, title="Second", flags=("from_cache",)), "r2")
    await store.documents.save(document(TEXT, title="First, corrected"), "r1")

    assert [card.title for card in await store.documents.cards("r1")] == ["First, corrected"]
    assert [card.title for card in await store.documents.cards("r2")] == ["Second"]


async def test_cards_come_in_the_order_in_which_they_were_saved(store: Store, document: Make) -> None:
    for name in ("z", "a", "m"):
        await store.documents.save(document(f"Text {name}.", f"https://example.org/{name}"), "r1")

    assert [card.url[-1] for card in await store.documents.cards("r1")] == ["z", "a", "m"]


async def test_search_shows_the_passage_that_stands_at_its_offsets(store: Store, document: Make) -> None:
    long = "🧊 Nothing here is about it. " * 80 + "Penguins slide on their bellies. " + "More words follow now. " * 80
    doc = document(long, title="Birds")
    await store.documents.save(doc)

    found = await store.documents.search("penguins sliding", caller=LOCAL_CALLER)

    assert "Penguins slide" in found[0].text
    assert long[found[0].start : found[0].end] == found[0].text
    assert (found[0].source_id, found[0].url, found[0].title, found[0].collection) == (
        doc.source_id,
        doc.url,
        "Birds",
        "",
    )
    assert [one.score for one in found] == sorted((one.score for one in found), reverse=True)


async def test_a_text_read_by_many_is_found_once_as_it_was_read_last(
    store: Store, document: Make, create: Create
) -> None:
    for run_id in ("r1", "r2"):
        await create(store, run_id, caller=LOCAL_CALLER)
    await store.documents.save(document(TEXT, title="New", read_at=NOON + timedelta(hours=1)), "r2")
    await store.documents.save(document(TEXT, title="Old"), "r1")

    assert {one.title for one in await store.documents.search("dense water", caller=LOCAL_CALLER)} == {"New"}


async def test_search_is_limited_and_an_empty_query_finds_nothing(store: Store, document: Make) -> None:
    for number in range(5):
        await store.documents.save(document(f"Ice number {number}.", f"https://example.org/{number}"))

    assert len(await store.documents.search("ice", limit=3, caller=LOCAL_CALLER)) == 3
    assert await store.documents.search("ice", limit=0, caller=LOCAL_CALLER) == []
    assert await store.documents.search("ice", limit=-1, caller=LOCAL_CALLER) == []
    assert await store.documents.search("?!", caller=LOCAL_CALLER) == []


async def test_search_in_collections_sees_these_alone(store: Store, document: Make) -> None:
    doc = document(TEXT, title="Page")
    await store.documents.save(doc, "r1")
    assert await store.documents.search("dense water", collections=["notes"], caller=LOCAL_CALLER) == []

    await store.collections.of(LOCAL_CALLER).put("notes", "/somewhere", 1.0)
    await store.collections.of(LOCAL_CALLER).add(
        "notes", FileStamp("ice.md", 1, 1), document(TEXT, "file:x", title="File")
    )

    [inside] = {
        (one.title, one.collection)
        for one in await store.documents.search("dense", collections=["notes"], caller=LOCAL_CALLER)
    }
    [anywhere] = {(one.title, one.collection) for one in await store.documents.search("dense", caller=LOCAL_CALLER)}
    assert inside == anywhere == ("File", "notes")
    assert await store.documents.search("dense", collections=[], caller=LOCAL_CALLER) == []


async def test_a_caller_finds_what_its_own_runs_read_and_what_its_collections_and_the_shared_ones_hold(
    store: Store, document: Make, create: Create
) -> None:
    for caller in ("token:a", "token:b", LOCAL_CALLER):
        await create(store, f"run of {caller}", caller=caller)
        text = f"Ice floats, says the page of {caller}."
        await store.documents.save(document(text, f"https://example.org/{caller}"), f"run of {caller}")
    await store.documents.keep("https://c.org", document("Ice floats, says the cache.", "https://c.org"), {})
    for owner, name in ((LOCAL_CALLER, "all"), (LOCAL_CALLER, "operator"), ("token:a", "a"), ("token:b", "b")):
        await store.collections.of(owner).put(name, f"/{name}", 1.0)
        text = document(f"Ice floats, says the collection {name}.", "file:a")
        await store.collections.of(owner).add(name, FileStamp("a.md", 1, 1), text)
    await store.collections.of(LOCAL_CALLER).share("all", shared=True)

    async def told(caller: str) -> set[str]:
        found = await store.documents.search("ice floats", caller=caller)
        return {one.text.removesuffix(".").rpartition(" ")[2] for one in found}

    assert await told("token:a") == {"token:a", "all", "a"}
    assert await told("token:c") == await told("") == {"all"}
    assert await told(LOCAL_CALLER) == {LOCAL_CALLER, "cache", "all", "operator"}


async def test_the_latest_reading_of_an_address_is_cached_with_its_validators(store: Store, document: Make) -> None:
    assert await store.documents.cached("https://example.org/") is None
    old, new = document("Old text."), document("New text.")

    await store.documents.keep("https://example.org/", old, {"etag": "1"})
    await store.documents.keep("https://example.org/", new, {"etag": "2", "expires": 5.5})

    cached = await store.documents.cached("https://example.org/")
    assert cached == (new.card(), {"etag": "2", "expires": 5.5})
    assert await store.documents.load(cached[0]) == new
    assert await store.documents.load(old.card()) == old
    assert await store.documents.search("new text", caller=LOCAL_CALLER)


async def test_two_owners_of_one_file_see_each_others_documents(store: Store, other: Store, document: Make) -> None:
    await store.documents.save(document(TEXT), "r1")
    await other.documents.save(document(TEXT), "r1")

    assert len(await other.documents.cards("r1")) == 1
    assert len(await store.documents.search_run("r1", "dense")) == 1
