from collections.abc import Callable

from deepresearch_mcp.ports.store import Store
from deepresearch_mcp.records.principal import LOCAL_CALLER
from deepresearch_mcp.records.sources import Document

Make = Callable[..., Document]


async def test_a_document_named_in_the_query_comes_before_one_with_more_of_its_words(
    store: Store, document: Make
) -> None:
    words = "Lakes freeze, lakes thaw, and many lakes in the north are deep lakes."
    await store.documents.save(document(words, "https://a.example/", title="Lakes of the north"))
    await store.documents.save(document("It holds a fifth of all water.", "https://b.example/", title="Lake Baikal"))

    found = await store.documents.search("How deep is Lake Baikal, among the lakes of the north?", caller=LOCAL_CALLER)

    assert [one.title for one in found][:2] == ["Lakes of the north", "Lake Baikal"]
    [first, *_] = await store.documents.search("How deep are lakes such as Lake Baikal?", caller=LOCAL_CALLER)
    assert first.title == "Lake Baikal"


async def test_what_lies_beyond_the_reordered_passages_follows_them(store: Store, document: Make) -> None:
    for number in range(105):
        await store.documents.save(document(f"Ice number {number}.", f"https://example.org/{number}"))

    found = await store.documents.search("ice", limit=200, caller=LOCAL_CALLER)

    assert len({one.url for one in found}) == 105
    assert [one.score for one in found] == sorted((one.score for one in found), reverse=True)
