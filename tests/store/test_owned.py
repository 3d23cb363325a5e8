"""Collections have owners, and an owner's name opens nothing of another."""

from collections.abc import Callable

import pytest

from deepresearch_mcp.exceptions import InvalidRequest, UnknownCollection
from deepresearch_mcp.ports.documents import FileStamp
from deepresearch_mcp.ports.store import Store
from deepresearch_mcp.records.conditions import Condition
from deepresearch_mcp.records.principal import LOCAL_CALLER
from deepresearch_mcp.records.sources import Document

Make = Callable[..., Document]
ANN, BEN = "token:ann", "token:ben"


async def fill(store: Store, make: Make, owner: str, name: str, text: str) -> None:
    await store.collections.of(owner).put(name, "/secret/place", 1.0)
    await store.collections.of(owner).add(name, FileStamp("a.md", 1, 5), make(text, "file:a", title="Notes"))


async def test_two_callers_have_each_their_own_collection_of_one_name(store: Store, document: Make) -> None:
    await fill(store, document, ANN, "notes", "Ice floats, writes Ann.")
    await fill(store, document, BEN, "notes", "Ice floats, writes Ben.")
    ann, ben = store.collections.of(ANN), store.collections.of(BEN)
    meta = Condition("path", "=", "a.md")

    for own, name in ((ann, "Ann"), (ben, "Ben")):
        read = await own.document("library://notes/a.md")
        assert read
        assert read.text == f"Ice floats, writes {name}."
        assert [hit.snippet for hit in await own.search(["notes"], "ice", 9, [meta])] == [read.text]
        [row] = await own.all()
        assert (row.documents, row.own, row.shared) == (1, True, False)
    assert await ben.remove("notes")
    assert await ann.document("library://notes/a.md")
    assert await ben.all() == []


async def test_nothing_of_a_collection_is_seen_or_changed_by_another_caller(store: Store, document: Make) -> None:
    await fill(store, document, ANN, "notes", "Ice floats, writes Ann.")
    for other in (store.collections.of(BEN), store.collections.of(LOCAL_CALLER), store.collections.of("")):
        assert await other.all() == []
        assert await other.stamps("notes") == {}
        assert await other.document("library://notes/a.md") is None
        assert not await other.remove("notes")
        await other.drop("notes", ["a.md"])
        await other.restamp("notes", FileStamp("a.md", 9, 9))
        with pytest.raises(UnknownCollection, match="notes"):
            await other.search(["notes"], "ice", 9)
        with pytest.raises(UnknownCollection, match="notes"):
            await other.add("notes", FileStamp("b.md", 1, 1), document("More.", "file:b"))
        with pytest.raises(UnknownCollection, match="notes"):
            await other.share("notes", shared=True)
    assert await store.vectors.missing(BEN, ["notes"], "small", 9) == []
    assert await store.collections.of(ANN).stamps("notes") == {"a.md": FileStamp("a.md", 1, 5)}


async def test_all_callers_that_have_collections_are_known_by_name(store: Store, document: Make) -> None:
    assert await store.collections.owners() == []
    await fill(store, document, BEN, "notes", "Ice floats, writes Ben.")
    await fill(store, document, ANN, "notes", "Ice floats, writes Ann.")
    await fill(store, document, ANN, "more", "Ice melts, writes Ann.")

    assert await store.collections.owners() == [ANN, BEN]
    assert await store.collections.of(BEN).remove("notes")
    assert await store.collections.owners() == [ANN]


async def test_only_the_operator_is_told_a_command_where_a_collection_is_missing(store: Store, document: Make) -> None:
    await fill(store, document, ANN, "notes", "Ice floats, writes Ann.")

    with pytest.raises(UnknownCollection) as ann:
        await store.collections.of(ANN).check(["notes", "b", "a"])
    with pytest.raises(UnknownCollection) as operator:
        await store.collections.of(LOCAL_CALLER).check(["notes"])
    await store.collections.of(BEN).check([])

    assert (ann.value.message, ann.value.action) == ("There is no collection 'b'.", "There are: notes.")
    assert operator.value.message == "There is no collection 'notes'."
    assert operator.value.action.startswith("There is none yet. Add a folder with `")


async def test_a_shared_collection_is_searched_by_all_and_changed_by_its_owner_alone(
    store: Store, document: Make
) -> None:
    await fill(store, document, LOCAL_CALLER, "handbook", "Ice floats, writes the operator.")
    await store.collections.of(LOCAL_CALLER).share("handbook", shared=True)
    ann = store.collections.of(ANN)

    [row] = await ann.all()
    assert (row.name, row.path, row.own, row.shared) == ("handbook", "", False, True)
    assert [hit.url for hit in await ann.search(["handbook"], "ice", 9)] == ["library://handbook/a.md"]
    assert await ann.document("library://handbook/a.md")
    for change in (
        ann.put("handbook", "", 2.0),
        ann.add("handbook", FileStamp("b.md", 1, 1), document("More.", "file:b")),
        ann.drop("handbook", ["a.md"]),
        ann.share("handbook", shared=False),
        ann.remove("handbook"),
    ):
        with pytest.raises(InvalidRequest, match="shared by the operator"):
            await change

    await store.collections.of(LOCAL_CALLER).share("handbook", shared=False)
    assert await ann.all() == []
    await fill(store, document, ANN, "handbook", "Ice floats, writes Ann.")
    await store.collections.of(LOCAL_CALLER).share("handbook", shared=True)
    [own] = await ann.all()
    assert own.own
    assert [hit.snippet for hit in await ann.search(["handbook"], "ice", 9)] == ["Ice floats, writes Ann."]
