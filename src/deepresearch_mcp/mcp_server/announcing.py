"""Announces changes of runs to subscribers, at most once a second for each run."""

import logging
from collections import Counter
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mcp.server.session import ServerSession
from mcp.server.subscriptions import InMemorySubscriptionBus, ResourcesListChanged, ResourceUpdated

from deepresearch_mcp.mcp_server import lazy

if TYPE_CHECKING:
    from deepresearch_mcp.jobs.jobs import Jobs
    from deepresearch_mcp.progress import Progress

_log = logging.getLogger(__name__)

_GAP = 1.0
"""Seconds between two announcements of one run, at least."""

_LOOK = 5.0
"""Seconds between two looks at the list of a caller's runs, which other servers change too."""

LATEST = 50
"""Runs of a caller at which such a look is taken."""

_OLDER = 256
"""Older clients that are told at once: who left without a word gives way."""

RUNS = "research://runs"
PARTS = ("", "/report", "/report.json", "/report.html", "/plan", "/claims", "/sources", "/events")
"""What of a run can change; all of it has, once it ends."""
_GROWING = ("", "/plan", "/claims", "/sources", "/events")


@dataclass(frozen=True, slots=True)
class TaskChanged:
    """The status of a task, which is a run, has changed."""

    task_id: str


@dataclass(frozen=True, slots=True)
class OfCaller:
    """An event that concerns one caller: no other one may see that anything happened."""

    caller: str
    event: Any


class Announcer:
    """Tells the subscribers of both protocol eras what changed, each what concerns its caller.

    Newer clients listen to the bus. Older ones subscribe by address, and are told on their own connection.
    """

    def __init__(self) -> None:
        self.bus = InMemorySubscriptionBus()
        self.streams = 0
        """Streams that newer clients have open."""
        self._watched: set[str] = set()
        self._listing: Counter[str] = Counter()
        self._older: dict[int, tuple[ServerSession, str, set[str]]] = {}

    @property
    def heard(self) -> bool:
        """Whether anyone listens: else a run is not watched, as each look at one asks the database."""
        return self.streams > 0 or bool(self._older)

    def begin(self, run_id: str) -> bool:
        """Whether this run is not watched yet; the caller then has to watch it."""
        new = run_id not in self._watched
        self._watched.add(run_id)
        return new

    def begin_list(self, caller: str) -> bool:
        """Whether the list of this caller's runs is not watched yet; the caller then has to watch it."""
        return self.begin(_list_of(caller))

    async def watch(self, jobs: "Jobs", run_id: str, caller: str) -> None:
        """Follow a run until it rests, and announce each step."""
        clock, last = jobs.runtime.clock, float("-inf")

        async def hear(_: "Progress") -> None:
            nonlocal last
            now = clock.monotonic()
            if now - last >= _GAP:
                last = now
                await self._tell(run_id, caller, _GROWING)

        try:
            await self.listed(caller)
            await jobs.follow(run_id, caller, on_progress=hear, every=60.0)
        except Exception as error:  # noqa: BLE001 - no subscription may end the server
            _log.warning("Run %s is no longer announced: %s", run_id, error)
        finally:
            self._watched.discard(run_id)
        await self._tell(run_id, caller, PARTS)
        await self.listed(caller)

    async def watch_list(self, jobs: "Jobs", caller: str) -> None:
        """Look whether the list of a caller's runs has changed, at this server or another, while the caller listens."""
        known: list[tuple[str, bool]] | None = None
        try:
            while self._hears_lists(caller):
                rows = await jobs.find(caller, limit=LATEST)
                found = [(row.run_id, row.status in lazy.run.ENDED) for row in rows]
                if known not in (None, found):
                    await self.listed(caller)
                known = found
                await jobs.runtime.clock.sleep(_LOOK)
        except Exception as error:  # noqa: BLE001 - no subscription may end the server
            _log.warning("A list of runs is no longer watched: %s", error)
        finally:
            self._watched.discard(_list_of(caller))

    @contextmanager
    def listening(self, caller: str, *, lists: bool) -> Generator[None]:
        """Count the stream of a newer client, and whether it is told of new lists, while it is open."""
        self.streams += 1
        self._listing[caller] += lists
        try:
            yield
        finally:
            self.streams -= 1
            self._listing[caller] -= lists

    def _hears_lists(self, caller: str) -> bool:
        return self._listing[caller] > 0 or any(known == caller for _, known, _ in self._older.values())

    async def listed(self, caller: str) -> None:
        """Announce that the list of a caller's resources has changed."""
        await self._publish(caller, ResourcesListChanged())
        await self._to_older(caller, lambda session, _: session.send_resource_list_changed())

    async def _publish(self, caller: str, event: object) -> None:
        await self.bus.publish(OfCaller(caller, event))  # pyright: ignore[reportArgumentType] - it rides the same bus

    async def _tell(self, run_id: str, caller: str, parts: tuple[str, ...]) -> None:
        await self._publish(caller, TaskChanged(run_id))
        changed = [RUNS, *(f"{RUNS}/{run_id}{part}" for part in parts)]
        for uri in changed:
            await self._publish(caller, ResourceUpdated(uri=uri))

        async def told(session: ServerSession, uris: set[str]) -> None:
            for uri in changed:
                if uri in uris:
                    await session.send_resource_updated(uri)

        await self._to_older(caller, told)

    def know(self, session: ServerSession, caller: str) -> set[str]:
        """The addresses that a client of the older protocol has subscribed to; it is told of new lists from now on."""
        known = self._older.setdefault(_connection(session), (session, caller, set()))[2]
        while len(self._older) > _OLDER:
            del self._older[next(iter(self._older))]
        return known

    async def _to_older(self, caller: str, emit: Callable[[ServerSession, set[str]], Any]) -> None:
        for key, (session, known, uris) in list(self._older.items()):
            if known != caller:
                continue
            try:
                await emit(session, uris)
            except Exception as error:  # noqa: BLE001 - whatever a broken connection raises, the others are told
                _log.debug("A subscriber is gone: %s", error)
                self._older.pop(key, None)


def _list_of(caller: str) -> str:
    return f"list of {caller}"


def _connection(session: ServerSession) -> int:
    # Every request has a session of its own; what the client said of itself belongs to its connection.
    return id(session.client_params)
