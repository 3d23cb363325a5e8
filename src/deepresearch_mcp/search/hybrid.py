"""Collections that are searched by words and by meaning, the two rankings fused, and the best hits ordered anew."""

import logging
from collections.abc import Collection, Mapping, Sequence

import anyio
import httpx2
from typing_extensions import override

from deepresearch_mcp.exceptions import ProviderError
from deepresearch_mcp.ports.documents import (
    NO_FACTS,
    CollectionRow,
    Collections,
    CollectionsByOwner,
    FileStamp,
    Vectors,
)
from deepresearch_mcp.ports.embedding import Embedder, Reranker
from deepresearch_mcp.records.conditions import Condition
from deepresearch_mcp.records.sources import Document, Hit
from deepresearch_mcp.search.embeddings import EndpointEmbedder
from deepresearch_mcp.search.rerankers import EndpointReranker
from deepresearch_mcp.settings.library import LibrarySettings

_log = logging.getLogger(__name__)

_RRF = 60
"""Reciprocal rank fusion's usual constant: how little the first ranks count above the next."""
_WIDER = 3
"""Candidates of each ranking for every hit wanted."""
_AT_ONCE = 256
"""Chunks embedded before a search at most, if adding left them out; the rest wait for the next search."""


def searched_by_meaning(
    collections: CollectionsByOwner, vectors: Vectors, http: httpx2.AsyncClient, settings: LibrarySettings
) -> CollectionsByOwner:
    """Return the collections with embeddings and a reranker if an endpoint of these is set, else as they are."""
    if not (settings.embeddings_url or settings.rerank_url):
        return collections
    embedder = EndpointEmbedder(http, settings) if settings.embeddings_url else None
    return HybridCollectionsByOwner(
        collections, vectors, embedder, EndpointReranker(http, settings) if settings.rerank_url else None
    )


class HybridCollectionsByOwner(CollectionsByOwner):
    """The collections of all callers, searched by words and by meaning."""

    def __init__(
        self,
        inner: CollectionsByOwner,
        vectors: Vectors,
        embedder: Embedder | None,
        reranker: Reranker | None = None,
    ) -> None:
        self._inner = inner
        self._vectors = vectors
        self._embedder = embedder
        self._reranker = reranker
        self._completing = anyio.Lock()

    @override
    def of(self, caller: str) -> Collections:
        return HybridCollections(
            self._inner.of(caller), caller, self._vectors, self._embedder, self._reranker, self._completing
        )

    @override
    async def owners(self) -> list[str]:
        return await self._inner.owners()


class HybridCollections(Collections):
    """Embeds what is added and what is asked; while the model cannot be asked, words alone rank, and the log says so.

    A chunk's vector is kept without a limit under the hash of its text, so that nothing is paid for twice.
    """

    def __init__(
        self,
        inner: Collections,
        caller: str,
        vectors: Vectors,
        embedder: Embedder | None,
        reranker: Reranker | None,
        completing: anyio.Lock,
    ) -> None:
        self._inner = inner
        self._caller = caller
        self._vectors = vectors
        self._embedder = embedder
        self._reranker = reranker
        self._completing = completing

    @override
    async def add(self, name: str, stamp: FileStamp, document: Document, facts: Mapping[str, str] = NO_FACTS) -> None:
        await self._inner.add(name, stamp, document, facts)
        await self._complete(name)

    @override
    async def search(
        self, names: Collection[str], query: str, limit: int, where: Sequence[Condition] = ()
    ) -> list[Hit]:
        wide = max(0, limit) * _WIDER
        by_words = await self._inner.search(names, query, wide, where)
        if not (wide and names and query.strip()):
            return by_words[: max(0, limit)]
        found = by_words
        if self._embedder:
            for name in names:
                await self._complete(name)
            try:
                [asked] = await self._embedder.embed([query])
            except ProviderError as error:
                _log.warning("The library is searched by words alone: %s", error.message)
            else:
                by_meaning = await self._vectors.nearest(self._caller, names, self._embedder.name, asked, wide, where)
                found = fused(by_words, by_meaning)
        return (await self._reranked(query, found[:wide]))[:limit]

    async def _reranked(self, query: str, hits: list[Hit]) -> list[Hit]:
        """The hits in the order of the reranker; as they are if it cannot be asked."""
        if self._reranker is None or len(hits) < 2:
            return hits
        try:
            scores = await self._reranker.scores(query, [f"{hit.title}\n{hit.snippet}" for hit in hits])
        except ProviderError as error:
            _log.warning("The hits of the library keep the order of their words: %s", error.message)
            return hits
        order = sorted(range(len(hits)), key=lambda at: -scores[at])
        return [hits[at].model_copy(update={"score": scores[at]}) for at in order]

    async def _complete(self, name: str) -> None:
        """Embed the chunks of a collection that have no vector yet."""
        if self._embedder is None:
            return
        # One at a time: two would embed, and pay for, the same chunks.
        async with self._completing:
            waiting = await self._vectors.missing(self._caller, [name], self._embedder.name, _AT_ONCE)
            if not waiting:
                return
            try:
                vectors = await self._embedder.embed([chunk.text for chunk in waiting])
            except ProviderError as error:
                _log.warning("%d chunks wait to be embedded: %s", len(waiting), error.message)
                return
            await self._vectors.keep(self._embedder.name, list(zip(waiting, vectors, strict=True)))

    @override
    async def put(self, name: str, path: str, now: float) -> None:
        await self._inner.put(name, path, now)

    @override
    async def share(self, name: str, *, shared: bool) -> None:
        await self._inner.share(name, shared=shared)

    @override
    async def stamps(self, name: str) -> dict[str, FileStamp]:
        return await self._inner.stamps(name)

    @override
    async def restamp(self, name: str, stamp: FileStamp) -> None:
        await self._inner.restamp(name, stamp)

    @override
    async def drop(self, name: str, paths: Collection[str]) -> None:
        await self._inner.drop(name, paths)

    @override
    async def all(self) -> list[CollectionRow]:
        return await self._inner.all()

    @override
    async def check(self, names: Collection[str]) -> None:
        await self._inner.check(names)

    @override
    async def remove(self, name: str) -> bool:
        return await self._inner.remove(name)

    @override
    async def document(self, url: str) -> Document | None:
        return await self._inner.document(url)


def fused(*rankings: Sequence[Hit]) -> list[Hit]:
    """Join rankings by reciprocal rank; a hit keeps the words of the first ranking that has it."""
    hits: dict[str, Hit] = {}
    scores: dict[str, float] = {}
    for ranking in rankings:
        for rank, hit in enumerate(ranking, 1):
            hits.setdefault(hit.url, hit)
            scores[hit.url] = scores.get(hit.url, 0.0) + 1 / (_RRF + rank)
    best = sorted(hits, key=lambda url: -scores[url])
    return [hits[url].model_copy(update={"score": scores[url]}) for url in best]
