"""The pages of a run. Each is fetched once, and all who want it wait for that fetch."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import anyio
from anyio.abc import TaskGroup

from deepresearch_mcp.events import EventSink, PageAdmitted, PageRead, PageUnread
from deepresearch_mcp.exceptions import BudgetExceeded, FetchFailed, FetchRefused
from deepresearch_mcp.pipeline import steps
from deepresearch_mcp.ports.web import Web
from deepresearch_mcp.records.sources import Document, Unread
from deepresearch_mcp.text.url_secrets import without_secrets
from deepresearch_mcp.text.urls import normalise_url


@dataclass(slots=True)
class WantedPage:
    """A page that is wanted. Once `done` is set, it has a document, or the reason why there is none."""

    url: str
    """The address without secrets, as it is stored and shown."""
    key: str
    """The journal's key of its fetch: a hash of the whole address."""
    is_cut: bool = False
    """Whether a secret was cut from the address that names the page."""
    done: anyio.Event = field(default_factory=anyio.Event)
    document: Document | None = None
    unread: Unread | None = None

    @property
    def address(self) -> str:
        """Equal for all spellings of an address; pages whose addresses differ only in a secret differ by their key."""
        address = _identity(self.url)
        return f"{address} {self.key}" if self.is_cut else address


Objection = Callable[[Document], Unread | None]
"""Why a fetched page is not read; None if it is. It depends on the page alone, so it is the same after a crash."""


def _none(_document: Document) -> None:
    """Read every page."""


def _unheard(_url: str, _others: Sequence[str]) -> None:
    """Tell no one."""


class Pages:
    """The pages of one run. The task group of the run owns the fetches, so a slow one delays no sub-question."""

    def __init__(
        self,
        web: Web,
        tasks: TaskGroup,
        emit: EventSink,
        objection: Objection = _none,
        is_also_at: Callable[[str, Sequence[str]], None] = _unheard,
    ) -> None:
        """`is_also_at` hears of a page that was read at which other addresses it is found."""
        self._web = web
        self._objection = objection
        self._tasks = tasks
        self._emit = emit
        self._pages: dict[str, WantedPage] = {}
        self._documents: dict[str, Document] = {}
        self._is_also_at = is_also_at
        self._also: dict[str, WantedPage] = {}
        """Pages that were read, by the keys of their other addresses."""

    def want(self, url: str, sub_question: str, needs: tuple[str, ...]) -> WantedPage:
        """The page at this address. The first call starts the fetch.

        A secret in the address is used for the fetch and is stored nowhere.
        """
        key = steps.fetch(url)
        if key in self._also and key not in self._pages:
            return self._also[key]
        if key not in self._pages:
            shown = without_secrets(url)
            page = self._pages[key] = WantedPage(shown, key, is_cut=_identity(url) != _identity(shown))
            self._emit(PageAdmitted(shown, sub_question))
            self._tasks.start_soon(self._fetch, page, url, needs, sub_question)
        return self._pages[key]

    def has(self, url: str) -> bool:
        """Whether any caller wanted the page at this address."""
        return steps.fetch(url) in self._pages or steps.fetch(url) in self._also

    @property
    def documents(self) -> dict[str, Document]:
        """What was read, by source id."""
        return {page.document.source_id: page.document for page in self._pages.values() if page.document}

    @property
    def read(self) -> dict[str, WantedPage]:
        """The pages that were read, by source id; of two addresses of one page the one that was wanted first."""
        found: dict[str, WantedPage] = {}
        for page in self._pages.values():
            if page.document:
                found.setdefault(page.document.source_id, page)
        return found

    @property
    def unread(self) -> list[Unread]:
        """Pages that were wanted and not read, including those that are still loading."""
        return [
            page.unread or Unread(url=page.url, reason="slow", detail="Still loading when the research ended.")
            for page in self._pages.values()
            if not page.document
        ]

    async def _fetch(self, page: WantedPage, url: str, needs: tuple[str, ...], sub_question: str) -> None:
        try:
            document = await self._web.fetch(url, needs=needs)
            page.unread = self._objection(document)
            if not page.unread:
                # Two addresses may lead to one page. The first reading stays, because quotes are located in it.
                page.document = self._documents.setdefault(document.source_id, document)
                for address in document.also:
                    self._also.setdefault(steps.fetch(address), page)
                self._is_also_at(page.url, document.also)
                self._emit(PageRead(page.url, page.document.title, page.document.source_id, sub_question))
        except FetchFailed as error:
            page.unread = Unread(url=page.url, reason=error.reason, detail=error.message, action=_of_setting(error))
        except BudgetExceeded as error:
            page.unread = Unread(url=page.url, reason="ceiling", detail=error.message)
        if page.unread:
            self._emit(PageUnread(page.url, page.unread.reason, page.unread.detail, sub_question))
        page.done.set()


def _of_setting(error: FetchFailed) -> str:
    """What the user can do where our own rules forbid the fetch; what a site refuses, nobody here can change."""
    return error.action if isinstance(error, FetchRefused) else ""


def _identity(url: str) -> str:
    return normalise_url(url) or url
