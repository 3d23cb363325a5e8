from collections.abc import Callable

from deepresearch_mcp.ports.documents import Chunk, FileStamp
from deepresearch_mcp.ports.store import Store
from deepresearch_mcp.records.principal import LOCAL_CALLER
from deepresearch_mcp.records.sources import Document

Make = Callable[..., Document]


async def filled(store: Store, document: Make) -> list[Chunk]:
    await store.collections.of(LOCAL_CALLER).put("notes", "/n", 1.0)
    for path, text in {"a.md": "# Ice\n\nIt floats.", "b.md": "Iron sinks.", "c.md": "Iron sinks."}.items():
        await store.collections.of(LOCAL_CALLER).add(
            "notes", FileStamp(path, 1, 1), document(text, f"file:{path}", title=path)
        )
    return await store.vectors.missing(LOCAL_CALLER, ["notes"], "small", 9)


async def test_chunks_without_a_vector_are_told_each_text_once(store: Store, document: Make) -> None:
    chunks = await filled(store, document)

    assert [chunk.text for chunk in chunks] == ["a.md\nIce\nIt floats.", "b.md\nIron sinks."]
    await store.vectors.keep("small", [(chunks[0], [1.0, 0.0])])
    await store.vectors.keep("small", [(chunks[0], [0.0, 1.0])])
    assert [chunk.text for chunk in await store.vectors.missing(LOCAL_CALLER, ["notes"], "small", 9)] == [
        chunks[1].text
    ]
    assert len(await store.vectors.missing(LOCAL_CALLER, ["notes"], "large", 9)) == 2
    assert await store.vectors.missing(LOCAL_CALLER, ["notes"], "large", 1) == chunks[:1]
    assert await store.vectors.missing(LOCAL_CALLER, [], "large", 9) == []


async def test_the_nearest_documents_come_first_and_every_file_of_a_text_is_one(store: Store, document: Make) -> None:
    ice, iron = await filled(store, document)
    await store.vectors.keep("small", [(ice, [0.8, 0.6]), (iron, [0.6, 0.8])])

    hits = await store.vectors.nearest(LOCAL_CALLER, ["notes"], "small", [1.0, 0.0], 9)

    assert [hit.url for hit in hits] == [f"library://notes/{name}.md" for name in "abc"]
    assert abs(hits[0].score - 0.8) < 1e-6
    assert len(await store.vectors.nearest(LOCAL_CALLER, ["notes"], "small", [1.0, 0.0], 2)) == 2
    assert await store.vectors.nearest(LOCAL_CALLER, ["notes"], "large", [1.0, 0.0], 9) == []
    assert await store.vectors.nearest(LOCAL_CALLER, ["notes"], "small", [1.0, 0.0, 0.0], 9) == []
