"""What `DeepResearch` shows of runs that there are, and to whom they are shown or told; it changes none of them."""

from abc import ABC, abstractmethod
from collections.abc import AsyncGenerator

from deepresearch_mcp.exceptions import InvalidRequest
from deepresearch_mcp.records.run import Run, RunStatus
from deepresearch_mcp.records.sharing import USUAL_HOURS, SharedLink
from deepresearch_mcp.records.trail import RunEvent
from deepresearch_mcp.sdk.engine import Engine, RunPage, RunSummary

MOST_RUNS = 100
"""Most runs of one page."""


class Looking(ABC):
    """The part of `DeepResearch` that looks at runs."""

    @property
    @abstractmethod
    def _open(self) -> Engine: ...

    async def get(self, run_id: str) -> Run:
        """Return the run: complete if it has ended, otherwise with its progress.

        Raises:
            UnknownRun: There is no such run.
        """
        return await self._open.get(run_id)

    async def events(self, run_id: str, *, after: int = 0) -> AsyncGenerator[RunEvent]:
        """Go through the events of a run so far, those after number `after`, oldest first.

        Raises:
            UnknownRun: There is no such run.
        """
        while found := await self._open.events(run_id, after):
            for one in found:
                after = one.number
                yield one

    async def list(
        self, *, status: RunStatus | None = None, query: str = "", limit: int = 20, cursor: str = ""
    ) -> RunPage:
        """Return a page of runs, newest first: those of this status whose question holds the words of `query`.

        `limit` is 1 to 100. `next_cursor` of a page is the `cursor` of the next one; `runs` goes through all pages.

        Raises:
            InvalidRequest: The limit or the cursor is wrong.
        """
        if not 1 <= limit <= MOST_RUNS:
            raise InvalidRequest(f"limit is {limit}.", f"Give 1 to {MOST_RUNS}.")
        return await self._open.runs(status=status, query=query, limit=limit, cursor=cursor)

    async def runs(self, *, status: RunStatus | None = None, query: str = "") -> AsyncGenerator[RunSummary]:
        """Go through all runs, newest first."""
        cursor: str | None = ""
        while cursor is not None:
            page = await self.list(status=status, query=query, limit=MOST_RUNS, cursor=cursor)
            for one in page.runs:
                yield one
            cursor = page.next_cursor

    async def share(self, run_id: str, *, hours: float = USUAL_HOURS) -> SharedLink:
        """Make a link that shows the page and the report of this run, and nothing else, to who has no token.

        `hours`, at most 8760, is how long it opens them; `unshare` ends it before. Its `url` is told this once. Of a
        run on this machine it is served by `serve --http` over the same data.

        Raises:
            UnknownRun: There is no such run.
            InvalidRequest: The run has no report yet, or the time is out of bounds.
        """
        return await self._open.share(run_id, hours)

    async def shares(self, run_id: str) -> tuple[SharedLink, ...]:
        """Return the links of a run, also expired and revoked ones, without what opens them.

        Raises:
            UnknownRun: There is no such run.
        """
        return tuple(await self._open.shares(run_id))

    async def unshare(self, run_id: str, share_id: str) -> None:
        """End a link at once.

        Raises:
            UnknownRun: There is no such run.
            InvalidRequest: The run has no such link, or it is revoked already.
        """
        await self._open.unshare(run_id, share_id)

    async def webhook_secret(self) -> str:
        """Return the secret that verifies messages to `webhook_url`: at a server your own, here `webhooks.secret`.

        Raises:
            InvalidRequest: The operator has set none, or keeps it from you: you are the server's own user.
        """
        return await self._open.webhook_secret()
