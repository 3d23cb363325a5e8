"""Runs that are asked for before the engine is open: their callers are answered in time, and they begin when it is."""

from collections import OrderedDict
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

import anyio

if TYPE_CHECKING:
    from anyio.abc import TaskGroup

    Start = Callable[[str], Awaitable[str]]
    """Is given the id that a new run is to have; returns the run's, which is another where a run was joined."""

_MANY = 256
"""Beginnings that are remembered; the oldest goes."""


class StillOpening(Exception):
    """The engine is not open yet, and the caller waits no longer: it is told how far its run is."""

    def __init__(self, run_id: str) -> None:
        super().__init__(run_id)
        self.run_id = run_id


class Beginning:
    """A run that begins as soon as it can."""

    def __init__(self, run_id: str) -> None:
        self.run_id = run_id
        self._over = anyio.Event()
        self._failure: Exception | None = None
        self._scope = anyio.CancelScope()

    def give_up(self) -> None:
        """Begin nothing, if nothing has begun."""
        self._scope.cancel()

    async def begun(self) -> str:
        """Wait for the run; its id.

        Raises:
            DeepResearchError: Why it did not begin.
        """
        await self._over.wait()
        if self._failure is not None:
            raise self._failure
        return self.run_id

    async def carry_out(self, start: "Start") -> None:
        """Start it; never raises an error, which would end the server: it is kept for those who ask."""
        try:
            with self._scope:
                self.run_id = await start(self.run_id)
        except Exception as error:  # noqa: BLE001 - raised where the run is asked for
            self._failure = error
        finally:
            self._over.set()


class Beginnings:
    """Those of one server, by caller and by the id that the caller was told."""

    def __init__(self, tasks: "TaskGroup") -> None:
        """They are carried out in `tasks`: a request that is answered, or left, ends none."""
        self._tasks = tasks
        self._known: OrderedDict[tuple[str, str], Beginning] = OrderedDict()

    def begin(self, caller: str, run_id: str, start: "Start") -> Beginning:
        """Begin a run in the background."""
        self._known[caller, run_id] = one = Beginning(run_id)
        if len(self._known) > _MANY:
            self._known.popitem(last=False)
        self._tasks.start_soon(one.carry_out, start)
        return one

    def named(self, caller: str, run_id: str, opening: "Start") -> Beginning:
        """The run that this caller was told of by this id; of one that is not known here, only `opening` is done."""
        if (known := self._known.get((caller, run_id))) is not None:
            return known
        one = Beginning(run_id)
        self._tasks.start_soon(one.carry_out, opening)
        return one
