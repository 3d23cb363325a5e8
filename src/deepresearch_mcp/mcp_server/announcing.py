"""Announces changes of runs to subscribers, at most once a second for each run."""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mcp.server.session import ServerSession
from mcp.server.subscriptions import InMemorySubscriptionBus, ResourcesListChanged, ResourceUpdated

if TYPE_CHECKING:
    from deepresearch_mcp.jobs.jobs import Jobs
    from deepresearch_mcp.progress import Progress

_log = logging.getLogger(__name__)

_GAP = 1.0
"""Seconds between two announcements of one run, at least."""

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


class Announcer:
    """Tells the subscribers of both protocol eras what changed.

    Newer clients listen to the bus. Older ones subscribe by address, and are told on their own connection.
    """

    def __init__(self) -> None:
        self.bus = InMemorySubscriptionBus()
        self.streams = 0
        """Streams that newer clients have open."""
        self._watched: set[str] = set()
        self._older: dict[int, tuple[ServerSession, set[str]]] = {}

    @property
    def heard(self) -> bool:
        """Whether anyone listens: else a run is not watched, as each look at one asks the database."""
        return self.streams > 0 or bool(self._older)

    def begin(self, run_id: str) -> bool:
        """Whether this run is not watched yet; the caller then has to watch it."""
        new = run_id not in self._watched
        self._watched.add(run_id)
        return new

    async def watch(self, jobs: "Jobs", run_id: str, caller: str) -> None:
        """Follow a run until it rests, and announce each step."""
        clock, last = jobs.runtime.clock, float("-inf")

        async def hear(_: "Progress") -> None:
            nonlocal last
            now = clock.monotonic()
            if now - last >= _GAP:
                last = now
                await self._tell(run_id, _GROWING)

        try:
            await self.listed()
            await jobs.follow(run_id, caller, on_progress=hear, every=60.0)
        except Exception as error:  # noqa: BLE001 - no subscription may end the server
            _log.warning("Run %s is no longer announced: %s", run_id, error)
        finally:
            self._watched.discard(run_id)
        await self._tell(run_id, PARTS)
        await self.listed()

    async def listed(self) -> None:
        """Announce that the list of resources has changed."""
        await self.bus.publish(ResourcesListChanged())
        await self._to_older(lambda session, _: session.send_resource_list_changed())

    async def _tell(self, run_id: str, parts: tuple[str, ...]) -> None:
        await self.bus.publish(TaskChanged(run_id))  # pyright: ignore[reportArgumentType] - it rides the same bus
        changed = [RUNS, *(f"{RUNS}/{run_id}{part}" for part in parts)]
        for uri in changed:
            await self.bus.publish(ResourceUpdated(uri=uri))

        async def told(session: ServerSession, uris: set[str]) -> None:
            for uri in changed:
                if uri in uris:
                    await session.send_resource_updated(uri)

        await self._to_older(told)

    def know(self, session: ServerSession) -> set[str]:
        """The addresses that a client of the older protocol has subscribed to; it is told of new lists from now on."""
        known = self._older.setdefault(_connection(session), (session, set()))[1]
        while len(self._older) > _OLDER:
            del self._older[next(iter(self._older))]
        return known

    async def _to_older(self, emit: Callable[[ServerSession, set[str]], Any]) -> None:
        for key, (session, uris) in list(self._older.items()):
            try:
                await emit(session, uris)
            except Exception as error:  # noqa: BLE001 - whatever a broken connection raises, the others are told
                _log.debug("A subscriber is gone: %s", error)
                self._older.pop(key, None)


def _connection(session: ServerSession) -> int:
    # Every request has a session of its own; what the client said of itself belongs to its connection.
    return id(session.client_params)
