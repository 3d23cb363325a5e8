"""Every page of a run is fetched once: all who want it wait for the one fetch."""

from collections.abc import Callable
from dataclasses import dataclass, field

import anyio
from anyio.abc import TaskGroup

from deepresearch_mcp.events import EventSink, PageAdmitted, PageRead, PageUnread
from deepresearch_mcp.exceptions import BudgetExceeded, FetchFailed
from deepresearch_mcp.pipeline import steps
from deepresearch_mcp.ports.web import Web
from deepresearch_mcp.records.sources import Document, Unread
from deepresearch_mcp.text.url_secrets import without_secrets
from deepresearch_mcp.text.urls import normalise_url


@dataclass(slots=True)
class WantedPage:
    """A page that is wanted: a document, or why there is none, once `done` is set."""

    url: str
    """Without secrets: it is stored and shown."""
    key: str
    """The journal's key of its fetch: a hash of the whole address."""
    is_cut: bool = False
    """Whether a secret was cut from the address that names the page."""
    done: anyio.Event = field(default_factory=anyio.Event)
    document: Document | None = None
    unread: Unread | None = None

    @property
    def address(self) -> str:
        """The same however the address was written; pages that differ in a secret alone differ by their key."""
        address = _identity(self.url)
        return f"{address} {self.key}" if self.is_cut else address


Objection = Callable[[Document], Unread | None]
"""Why a page that was fetched is not read; decided from the page alone, so that it is the same after a crash."""


def _none(_document: Document) -> None:
    """Every page is read."""


class Pages:
    """The pages of one run; fetches belong to the run's task group, so that a slow one delays no sub-question."""

    def __init__(self, web: Web, tasks: TaskGroup, emit: EventSink, objection: Objection = _none) -> None:
        self._web = web
        self._objection = objection
        self._tasks = tasks
        self._emit = emit
        self._pages: dict[str, WantedPage] = {}
        self._documents: dict[str, Document] = {}

    def want(self, url: str, sub_question: str, needs: tuple[str, ...]) -> WantedPage:
        """The page at this address; its fetch starts with the first call.

        A secret in the address is used to fetch the page, and goes nowhere else.
        """
        key = steps.fetch(url)
        if key not in self._pages:
            shown = without_secrets(url)
            page = self._pages[key] = WantedPage(shown, key, is_cut=_identity(url) != _identity(shown))
            self._emit(PageAdmitted(shown, sub_question))
            self._tasks.start_soon(self._fetch, page, url, needs)
        return self._pages[key]

    def has(self, url: str) -> bool:
        """Whether the page at this address was asked for."""
        return steps.fetch(url) in self._pages

    @property
    def documents(self) -> dict[str, Document]:
        """What was read, by source id."""
        return {page.document.source_id: page.document for page in self._pages.values() if page.document}

    @property
    def unread(self) -> list[Unread]:
        """What was wanted and not read; pages still loading among them."""
        return [
            page.unread or Unread(url=page.url, reason="slow", detail="Still loading when the research ended.")
            for page in self._pages.values()
            if not page.document
        ]

    async def _fetch(self, page: WantedPage, url: str, needs: tuple[str, ...]) -> None:
        try:
            document = await self._web.fetch(url, needs=needs)
            page.unread = self._objection(document)
            if not page.unread:
                # Two addresses may lead to one page: what was read first stands, as quotes are located in it.
                page.document = self._documents.setdefault(document.source_id, document)
                self._emit(PageRead(page.url, page.document.title, page.document.source_id))
        except FetchFailed as error:
            page.unread = Unread(url=page.url, reason=error.reason, detail=error.message)
        except BudgetExceeded as error:
            page.unread = Unread(url=page.url, reason="ceiling", detail=error.message)
        if page.unread:
            self._emit(PageUnread(page.url, page.unread.reason, page.unread.detail))
        page.done.set()


def _identity(url: str) -> str:
    return normalise_url(url) or url
