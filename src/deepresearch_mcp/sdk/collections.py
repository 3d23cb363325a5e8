"""Collections of local documents, as a program uses them: `DeepResearch.library`."""

from collections.abc import Callable, Sequence
from os import PathLike, fspath

from deepresearch_mcp.ports.documents import FoundPassage
from deepresearch_mcp.sdk.engine import Collected, Collection, Engine


class Library:
    """Named collections of documents, and every page that a run has read."""

    def __init__(self, engine: Callable[[], Engine]) -> None:
        self._engine = engine

    async def search(
        self,
        query: str,
        *,
        collections: Sequence[str] | None = None,
        where: Sequence[str] = (),
        limit: int = 10,
    ) -> list[FoundPassage]:
        """Return the best passages of stored documents; no web, no cost.

        `collections` limits the search; None searches all of them and every page that a run has read. `where` holds
        conditions such as `type=pdf` or `date>=2024`. `limit` is 1 to 100.

        Raises:
            InvalidRequest: The query is empty, or a condition or the limit is wrong.
            UnknownCollection: There is no collection of that name.
        """
        return await self._engine().search_library(query, collections=collections, where=where, limit=limit)

    async def add(self, name: str, *sources: str | PathLike[str]) -> Collected:
        """Make a collection hold what these sources hold; called again, it reads only what has changed.

        Sources are folders, files, globs, addresses of pages or sitemaps, Git repositories; without any, those of last
        time are read. A server at an address may take addresses alone.

        Raises:
            InvalidRequest: The name cannot be used, or a source cannot be read.
        """
        return await self._engine().add_collection(name, [fspath(one) for one in sources])

    async def list(self) -> list[Collection]:
        """Return all collections, sorted by name."""
        return await self._engine().collections()

    async def remove(self, name: str) -> None:
        """Remove a collection; its sources are not touched.

        Raises:
            UnknownCollection: There is no collection of that name.
        """
        await self._engine().remove_collection(name)
