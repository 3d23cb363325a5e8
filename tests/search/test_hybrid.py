import hashlib
from collections.abc import AsyncGenerator, Sequence
from pathlib import Path

import pytest

from clocks import NOON, HandClock
from deepresearch_mcp.exceptions import ProviderError
from deepresearch_mcp.jobs.shelves import conditions_of
from deepresearch_mcp.ports.documents import Collections, FileStamp
from deepresearch_mcp.ports.embedding import Embedder, Reranker, Vector
from deepresearch_mcp.ports.store import Store
from deepresearch_mcp.records.principal import LOCAL_CALLER
from deepresearch_mcp.records.sources import Document, Hit
from deepresearch_mcp.search.hybrid import HybridCollectionsByOwner, fused
from deepresearch_mcp.store.sqlite import open_sqlite_store

MEANINGS = {"car": 0, "automobile": 0, "vehicle": 0, "ice": 1, "frozen": 1}


class Meanings(Embedder):
    """Counts words by their meaning, and what it was asked for."""

    @property
    def name(self) -> str:
        return "meanings"

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.is_down = False

    async def embed(self, texts: Sequence[str]) -> list[Vector]:
        if self.is_down:
            raise ProviderError("embeddings", "HTTP 503", retryable=True)
        self.asked += texts
        return [self._vector(text.lower()) for text in texts]

    def _vector(self, text: str) -> Vector:
        found = [0.0, 0.0, 0.01]
        for word, place in MEANINGS.items():
            found[place] += word in text
        length = sum(value * value for value in found) ** 0.5
        return [value / length for value in found]


@pytest.fixture
async def store(tmp_path: Path, clock: HandClock) -> AsyncGenerator[Store]:
    async with open_sqlite_store(tmp_path, clock) as opened:
        yield opened


@pytest.fixture
def clock() -> HandClock:
    return HandClock()


@pytest.fixture
def embedder() -> Meanings:
    return Meanings()


@pytest.fixture
async def notes(store: Store, embedder: Meanings) -> Collections:
    hybrid = HybridCollectionsByOwner(store.collections, store.vectors, embedder).of(LOCAL_CALLER)
    await hybrid.put("notes", "/n", 1.0)
    return hybrid


async def add(notes: Collections, path: str, text: str) -> None:
    url = f"library://notes/{path}"
    document = Document(
        source_id="s" + hashlib.sha256(path.encode()).hexdigest()[:12],
        url=url,
        requested_url=url,
        title=path,
        site="notes",
        snapshot=hashlib.sha256(text.encode()).hexdigest(),
        length=len(text),
        read_at=NOON,
        text=text,
    )
    await notes.add("notes", FileStamp(path, 1, 1), document)


async def paths(notes: Collections, query: str, *where: str) -> list[str]:
    hits = await notes.search(["notes"], query, 5, conditions_of(where))
    return [hit.url.removeprefix("library://notes/") for hit in hits]


async def test_what_means_the_same_is_found_without_a_common_word(notes: Collections) -> None:
    await add(notes, "a.md", "An automobile with four wheels.")
    await add(notes, "b.txt", "Frozen water floats.")

    assert (await paths(notes, "my car"))[0] == "a.md"
    assert await paths(notes, "my car", "type=txt") == ["b.txt"]
    assert await notes.search([], "my car", 5) == []
    assert await notes.search(["notes"], "my car", 0) == []


class Shortest(Reranker):
    """Holds the shortest text for the best, or is down."""

    def __init__(self) -> None:
        self.is_down = False

    async def scores(self, query: str, texts: Sequence[str]) -> list[float]:
        if self.is_down:
            raise ProviderError("rerank", "HTTP 503", retryable=True)
        return [-len(text) for text in texts]


async def test_a_reranker_orders_the_hits_and_without_it_they_keep_their_order(
    store: Store, caplog: pytest.LogCaptureFixture
) -> None:
    reranker = Shortest()
    notes = HybridCollectionsByOwner(store.collections, store.vectors, None, reranker).of(LOCAL_CALLER)
    await notes.put("notes", "/n", 1.0)
    await add(notes, "a.md", "Ice floats on ice, and more ice is below the ice of the sea in winter.")
    await add(notes, "b.md", "Ice and water.")

    assert await paths(notes, "ice") == ["b.md", "a.md"]
    reranker.is_down = True
    assert await paths(notes, "ice") == ["a.md", "b.md"]
    assert "keep the order of their words" in caplog.text


async def test_a_text_is_embedded_once_however_often_it_is_added(notes: Collections, embedder: Meanings) -> None:
    await add(notes, "a.md", "An automobile with four wheels.")
    await notes.remove("notes")
    await notes.put("notes", "/n", 1.0)
    await add(notes, "a.md", "An automobile with four wheels.")

    assert len(embedder.asked) == 1
    assert embedder.asked[0] == "a.md\nAn automobile with four wheels."


async def test_while_the_model_is_away_words_rank_and_later_the_rest_is_embedded(
    notes: Collections, embedder: Meanings, caplog: pytest.LogCaptureFixture
) -> None:
    embedder.is_down = True
    await add(notes, "a.md", "An automobile with four wheels.")

    assert await paths(notes, "wheels") == ["a.md"]
    assert await paths(notes, "car") == []
    assert "searched by words alone" in caplog.text

    embedder.is_down = False
    assert await paths(notes, "car") == ["a.md"]


async def test_all_else_is_handed_on(notes: Collections) -> None:
    await add(notes, "a.md", "Ice.")
    await notes.restamp("notes", FileStamp("a.md", 7, 8))

    assert (await notes.stamps("notes"))["a.md"].size == 7
    assert [row.documents for row in await notes.all()] == [1]
    assert await notes.document("library://notes/a.md")
    await notes.drop("notes", ["a.md"])
    assert await notes.document("library://notes/a.md") is None


def test_a_hit_of_both_rankings_comes_before_one_of_either() -> None:
    a, b, c = (Hit(url=name, snippet=f"words of {name}") for name in "abc")

    found = fused([a, b], [c, b.model_copy(update={"snippet": "other"})])

    assert [hit.url for hit in found] == ["b", "a", "c"]
    assert found[0].snippet == "words of b"
