from collections.abc import Callable

from deepresearch_mcp.jobs.shelves import conditions_of
from deepresearch_mcp.ports.documents import FileStamp
from deepresearch_mcp.ports.store import Store
from deepresearch_mcp.records.principal import LOCAL_CALLER
from deepresearch_mcp.records.sources import Document
from deepresearch_mcp.store.facts import facts_of

Make = Callable[..., Document]


async def test_a_search_sees_the_files_alone_of_which_its_conditions_hold(store: Store, document: Make) -> None:
    await store.collections.of(LOCAL_CALLER).put("notes", "/n", 1.0)
    said = {"a/ice.md": {"status": "draft"}, "b/ice.txt": {}, "b/copy.md": {"status": "final"}}
    for path, facts in said.items():
        text = "Ice floats, as a draft." if path == "a/ice.md" else "Ice floats on water."
        await store.collections.of(LOCAL_CALLER).add(
            "notes", FileStamp(path, 1, 1), document(text, f"file:{path}", site="notes"), facts
        )

    async def found(*written: str) -> list[str]:
        where = conditions_of(written)
        hits = await store.collections.of(LOCAL_CALLER).search(["notes"], "ice", 9, where)
        passages = await store.documents.search("ice", collections=["notes"], where=where, caller=LOCAL_CALLER)
        anywhere = await store.documents.search("ice", where=where, caller=LOCAL_CALLER)
        assert len(passages) == len(anywhere) <= max(1, len(hits))
        return sorted(hit.url.removeprefix("library://notes/") for hit in hits)

    assert await found() == sorted(said)
    assert await found("type=md") == ["a/ice.md", "b/copy.md"]
    assert await found("path=b/*", "type=md") == ["b/copy.md"]
    assert await found("status=draft") == ["a/ice.md"]


def test_what_a_file_says_of_itself_outranks_what_was_found_out(document: Make) -> None:
    card = document("Ice.", title="Found").card()

    facts = facts_of("a/b.md", card, {"title": "Said", "path": "lied"})

    assert (facts["title"], facts["path"], facts["type"]) == ("Said", "a/b.md", "md")
