from collections.abc import Callable

import pytest

from deepresearch_mcp.exceptions import UnknownCollection
from deepresearch_mcp.ports.documents import FileStamp
from deepresearch_mcp.ports.store import Store
from deepresearch_mcp.records.principal import LOCAL_CALLER
from deepresearch_mcp.records.sources import Document

Make = Callable[..., Document]


async def add(store: Store, make: Make, name: str, path: str, text: str, title: str = "", size: int = 1) -> None:
    url = f"file:{name}/{path}"
    await store.collections.of(LOCAL_CALLER).add(
        name, FileStamp(path, size, 5), make(text, url, title=title, site=name)
    )


@pytest.fixture
async def notes(store: Store, document: Make) -> Store:
    await store.collections.of(LOCAL_CALLER).put("notes", "/home/me/notes", 10.0)
    await add(store, document, "notes", "ice & snow/why?.md", "Ice floats because it is less dense than water.")
    await add(store, document, "notes", "birds.md", "Penguins walk on ice all day long, in any weather.", "Birds")
    return store


async def test_a_file_is_read_back_at_its_library_address(notes: Store) -> None:
    found = await notes.collections.of(LOCAL_CALLER).document("library://notes/ice%20%26%20snow/why%3F.md")

    assert found
    assert found.text == "Ice floats because it is less dense than water."
    assert found.url == found.requested_url == "library://notes/ice%20%26%20snow/why%3F.md"
    assert found.site == "notes"
    assert await notes.collections.of(LOCAL_CALLER).document("library://notes/none.md") is None
    assert await notes.collections.of(LOCAL_CALLER).document("https://example.org/") is None


async def test_hits_carry_address_title_and_the_words_around_the_match(notes: Store) -> None:
    hits = await notes.collections.of(LOCAL_CALLER).search(["notes"], "Why does ice float on dense water?", 10)

    assert [hit.url for hit in hits] == ["library://notes/ice%20%26%20snow/why%3F.md", "library://notes/birds.md"]
    assert [hit.title for hit in hits] == ["why?.md", "Birds"]
    assert hits[0].snippet == "Ice floats because it is less dense than water."
    assert hits[0].score > hits[1].score
    assert await notes.collections.of(LOCAL_CALLER).search(["notes"], "ice", 1) == [
        (await notes.collections.of(LOCAL_CALLER).search(["notes"], "ice", 9))[0]
    ]
    assert await notes.collections.of(LOCAL_CALLER).search(["notes"], "ice", 0) == []
    assert await notes.collections.of(LOCAL_CALLER).search([], "ice", 5) == []


async def test_a_document_is_one_hit_ranked_by_its_best_passage(store: Store, document: Make) -> None:
    await store.collections.of(LOCAL_CALLER).put("notes", "/n", 1.0)
    long = "Ice is mentioned here in passing. " * 60 + "Glaciers calve icebergs of ice. " * 60
    await add(store, document, "notes", "long.md", long)
    await add(store, document, "notes", "short.md", "Some ice among very many other words that say nothing.")

    hits = await store.collections.of(LOCAL_CALLER).search(["notes"], "glaciers ice", 10)

    assert [hit.url for hit in hits] == ["library://notes/long.md", "library://notes/short.md"]
    assert "Glaciers" in hits[0].snippet
    assert len(hits[0].snippet) <= 300


async def test_a_long_snippet_is_cut_at_words_around_the_first_match(store: Store, document: Make) -> None:
    await store.collections.of(LOCAL_CALLER).put("notes", "/n", 1.0)
    await add(store, document, "notes", "a.md", "filler " * 50 + "penguin " + "filler " * 50)
    await add(store, document, "notes", "b.md", "penguin " + "filler " * 90)
    await add(store, document, "notes", "c.md", "filler " * 90 + "penguin")
    await add(store, document, "notes", "d.md", "penguin" + "-" * 800)

    hits = {
        hit.url[-4]: hit.snippet for hit in await store.collections.of(LOCAL_CALLER).search(["notes"], "penguin", 10)
    }

    assert all("penguin" in snippet and len(snippet) <= 300 for snippet in hits.values())
    assert hits["a"].startswith("…filler")
    assert hits["a"].endswith("filler…")
    assert hits["b"].startswith("penguin filler")
    assert hits["c"].endswith("filler penguin")
    assert hits["d"].endswith("-…")


async def test_files_with_the_same_text_are_both_found_in_a_lasting_order(store: Store, document: Make) -> None:
    await store.collections.of(LOCAL_CALLER).put("one", "/1", 1.0)
    await store.collections.of(LOCAL_CALLER).put("two", "/2", 1.0)
    for name in ("two", "one"):
        await add(store, document, name, "same.md", "Ice floats.")

    assert [hit.url for hit in await store.collections.of(LOCAL_CALLER).search(["two", "one"], "ice", 10)] == [
        "library://one/same.md",
        "library://two/same.md",
    ]
    assert [hit.url for hit in await store.collections.of(LOCAL_CALLER).search(["two"], "ice", 10)] == [
        "library://two/same.md"
    ]
    assert len(await store.collections.of(LOCAL_CALLER).search(["two", "one"], "ice", 1)) == 1


async def test_an_unknown_name_is_told_with_the_names_there_are(notes: Store, document: Make) -> None:
    with pytest.raises(UnknownCollection, match=r"no collection 'nots'\. There are: notes\."):
        await notes.collections.of(LOCAL_CALLER).search(["notes", "nots"], "ice", 5)
    await notes.collections.of(LOCAL_CALLER).remove("notes")
    with pytest.raises(UnknownCollection, match="There is none yet"):
        await add(notes, document, "notes", "a.md", "text")


async def test_replacing_a_file_forgets_its_old_words(notes: Store, document: Make) -> None:
    await add(notes, document, "notes", "birds.md", "Ostriches run.", size=2)

    assert await notes.collections.of(LOCAL_CALLER).search(["notes"], "penguins", 5) == []
    assert len(await notes.collections.of(LOCAL_CALLER).search(["notes"], "ostriches", 5)) == 1
    assert (await notes.collections.of(LOCAL_CALLER).stamps("notes"))["birds.md"] == FileStamp("birds.md", 2, 5)


async def test_a_file_touched_but_not_changed_keeps_its_words_and_gets_the_new_stamp(
    notes: Store, document: Make
) -> None:
    text = "Penguins walk on ice all day long, in any weather."
    await add(notes, document, "notes", "birds.md", text, size=3)

    assert len(await notes.collections.of(LOCAL_CALLER).search(["notes"], "penguins", 5)) == 1
    assert (await notes.collections.of(LOCAL_CALLER).stamps("notes"))["birds.md"].size == 3


async def test_dropping_files_leaves_the_others_and_what_runs_have_read(notes: Store, document: Make) -> None:
    read = await notes.collections.of(LOCAL_CALLER).document("library://notes/birds.md")
    assert read
    await notes.documents.save(read, "r1")

    await notes.collections.of(LOCAL_CALLER).drop("notes", ["birds.md", "ice & snow/why?.md", "never there"])

    assert await notes.collections.of(LOCAL_CALLER).stamps("notes") == {}
    assert await notes.documents.text(read.snapshot) == read.text
    assert [one.collection for one in await notes.documents.search_run("r1", "penguins")] == [""]
    assert await notes.documents.search("dense", caller=LOCAL_CALLER) == []


async def test_one_reading_under_two_paths_lives_until_both_are_gone(store: Store, document: Make) -> None:
    await store.collections.of(LOCAL_CALLER).put("notes", "/n", 1.0)
    doc = document("Ice floats.", "file:same")
    for path in ("a.md", "b.md"):
        await store.collections.of(LOCAL_CALLER).add("notes", FileStamp(path, 1, 1), doc)

    await store.collections.of(LOCAL_CALLER).drop("notes", ["a.md"])
    assert await store.documents.text(doc.snapshot)
    await store.collections.of(LOCAL_CALLER).drop("notes", ["b.md"])
    assert await store.documents.text(doc.snapshot) is None


async def test_collections_are_listed_by_name_with_their_figures(notes: Store) -> None:
    await notes.collections.of(LOCAL_CALLER).put("atlas", "/home/me/maps", 20.0)
    await notes.collections.of(LOCAL_CALLER).put("notes", "/home/me/elsewhere", 30.0)

    atlas, listed = await notes.collections.of(LOCAL_CALLER).all()

    assert (atlas.name, atlas.documents, atlas.passages, atlas.updated) == ("atlas", 0, 0, 20.0)
    assert (listed.name, listed.path, listed.documents, listed.passages, listed.updated) == (
        "notes",
        "/home/me/elsewhere",
        2,
        2,
        30.0,
    )


async def test_removing_a_collection_forgets_its_documents_and_says_whether_it_was_there(notes: Store) -> None:
    assert await notes.collections.of(LOCAL_CALLER).remove("notes")
    assert not await notes.collections.of(LOCAL_CALLER).remove("notes")

    assert await notes.collections.of(LOCAL_CALLER).all() == []
    assert await notes.documents.search("ice", caller=LOCAL_CALLER) == []
    assert await notes.collections.of(LOCAL_CALLER).document("library://notes/birds.md") is None
