"""Reads documents of collections, by their `library://` addresses."""

from collections.abc import Awaitable, Callable

from typing_extensions import override

from deepresearch_mcp.exceptions import FetchFailed
from deepresearch_mcp.ports.documents import Collections
from deepresearch_mcp.ports.web import Web
from deepresearch_mcp.records.sources import Document
from deepresearch_mcp.text.library_urls import LIBRARY


class WebWithLibrary(Web):
    """Returns documents of the collections that one caller sees, and leaves every other address to the web.

    The web itself knows no such address: a process has one for all callers.
    """

    def __init__(self, web: Web, collections: Collections, ready: Callable[[Document], Awaitable[Document]]) -> None:
        """`ready` screens a document before it is read."""
        self._web = web
        self._collections = collections
        self._ready = ready

    @override
    async def fetch(self, url: str, *, needs: tuple[str, ...] = ()) -> Document:
        if not url.startswith(LIBRARY):
            return await self._web.fetch(url, needs=needs)
        document = await self._collections.document(url)
        if document is None:
            raise FetchFailed(url, "not_found", "No local collection holds this document.")
        return await self._ready(document)
