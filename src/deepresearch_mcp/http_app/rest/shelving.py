"""What is put on the shelves of the library, and found there; for the REST surface and the web page."""

import hashlib
import re
from collections.abc import Mapping, Sequence
from typing import Annotated, Self

from pydantic import BaseModel, Field, ValidationError, model_validator

from deepresearch_mcp.exceptions import InvalidRequest
from deepresearch_mcp.http_app.rest.operations import Clean, Strict
from deepresearch_mcp.injection.screen import without_planted
from deepresearch_mcp.jobs.asking import wrong_argument
from deepresearch_mcp.jobs.shelves import conditions_of, look_up
from deepresearch_mcp.mcp_server.results import PassageLine
from deepresearch_mcp.ports.documents import FileStamp
from deepresearch_mcp.runtime import Runtime
from deepresearch_mcp.text.library_urls import library_url
from deepresearch_mcp.web.fetching.client import Fetched
from deepresearch_mcp.web.library.addresses import path_of_page, read_page
from deepresearch_mcp.web.library.source import Read
from deepresearch_mcp.web.parsing import Parsers
from deepresearch_mcp.web.snapshot import document_of

LONGEST_TEXT = 1_000_000
"""Characters of a document that is added as text."""
_SHOWN = 1_200
"""Characters of a passage."""
_NAME = re.compile(r"\w[\w.-]{0,63}")
_PATH = re.compile(r"\w[\w .-]{0,79}(?:/\w[\w .-]{0,79}){0,4}")


class DocumentOrder(Strict):
    """A document to add: its text, or the address of a page that is read now."""

    text: Annotated[str | None, Field(min_length=1, max_length=LONGEST_TEXT, description="Markdown or plain.")] = None
    url: Annotated[str | None, Field(min_length=1, max_length=2000, description="http or https.")] = None
    path: Annotated[
        Clean | None, Field(max_length=400, description="Its name in the collection; one of the same name is replaced.")
    ] = None

    @model_validator(mode="after")
    def _one(self) -> Self:
        if (self.text is None) is (self.url is None):
            raise ValueError("give either text or url")
        if "\0" in (self.text or ""):
            raise ValueError("text holds NUL characters, as no text does: remove them")
        return self


class DocumentLine(BaseModel):
    """One document of a collection."""

    path: str
    url: str = Field(description="By which reports cite it")
    title: str
    length: int = Field(description="Characters")


async def found_passages(
    runtime: Runtime, query: str, collections: Sequence[str], caller: str, limit: int, where: Sequence[str] = ()
) -> list[PassageLine]:
    """Passages of what the caller may see, best first; planted orders taken out. No collection: of all of it.

    Raises:
        InvalidRequest, UnknownCollection: The query is empty, or the caller sees no such collection.
    """
    if not query.strip():
        raise InvalidRequest("The query is empty.", "Say what you want to find.")
    await runtime.store.collections.of(caller).check(collections)
    found = await look_up(
        runtime.store.documents,
        query,
        caller=caller,
        collections=collections or None,
        limit=limit,
        where=conditions_of(where),
        masker=runtime.masker,
    )
    return [
        PassageLine(
            text=without_planted(one.text[:_SHOWN]),
            title=without_planted(one.title, ""),
            url=one.url,
            collection=one.collection,
            heading=without_planted(one.heading, ""),
            start=one.start,
            end=one.end,
        )
        for one in found
    ]


def order_of(texts: Mapping[str, str]) -> DocumentOrder:
    """A document to add, from fields that may be empty.

    Raises:
        InvalidRequest: There is neither text nor address, or both, or one is too long.
    """
    try:
        return DocumentOrder.model_validate({name: text for name, text in texts.items() if text})
    except ValidationError as error:
        raise wrong_argument(error) from error


async def added(runtime: Runtime, caller: str, name: str, order: DocumentOrder) -> DocumentLine:
    """Add a document to a collection of the caller, which is made where there is none.

    Raises:
        InvalidRequest, FetchFailed, FetchRefused: A name is none or that of a shared collection, or the page cannot
            be read.
    """
    if not _NAME.fullmatch(name):
        raise InvalidRequest(
            f"{name[:80]!r} cannot be a collection's name.",
            "Use letters, digits, hyphens, dots and underscores, at most 64.",
        )
    path = order.path or (path_of_page(order.url) if order.url else f"{_hash(order.text or '')[:16]}.md")
    if order.path and not _PATH.fullmatch(order.path):
        raise InvalidRequest(f"{order.path[:80]!r} cannot be a document's path.", "Write it like notes/ice.md.")
    url = library_url(name, path)
    read = await _read(runtime, order, url, name)
    document = read.document
    assert document is not None
    collections = runtime.store.collections.of(caller)
    if name not in {row.name for row in await collections.all()}:
        await collections.put(name, "", runtime.clock.now().timestamp())
    await collections.add(name, FileStamp(path, document.length, 0, read.content), document, read.facts)
    return DocumentLine(path=path, url=url, title=document.title, length=document.length)


async def _read(runtime: Runtime, order: DocumentOrder, url: str, name: str) -> Read:
    if order.url:
        return await read_page(order.url.strip(), url, name, "", runtime.web.fetch)
    body = (order.text or "").encode()
    async with Parsers(runtime.settings.web, runtime.clock) as parsers:
        page = await parsers.parse(Fetched(url, url, 200, "text/markdown", "", body))
    document = document_of(page, url=url, requested_url=url, site=name, read_at=runtime.clock.now())
    return Read(_hash(order.text or ""), document)


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
