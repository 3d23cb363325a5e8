from pathlib import Path
from types import SimpleNamespace
from typing import Any

import anyio
from mcp.shared.subscriptions import ResourcesListChanged, ResourceUpdated

from clocks import HandClock
from deepresearch_mcp.exceptions import StoreError
from deepresearch_mcp.mcp_server.announcing import Announcer, TaskChanged
from deepresearch_mcp.progress import Progress


class Jobs:
    """Jobs with one run, which tells of itself as often as asked for."""

    def __init__(self, clock: HandClock, gaps: list[float], failure: Exception | None = None) -> None:
        self.runtime: Any = self
        self.clock, self.gaps, self.failure = clock, gaps, failure

    async def follow(self, run_id: str, caller: str, *, on_progress: Any, every: float) -> None:
        for gap in self.gaps:
            self.clock.advance(gap)
            await on_progress(Progress(run_id))
        if self.failure:
            raise self.failure


class Session:
    """An older client's connection."""

    def __init__(self, name: str, *, broken: bool = False) -> None:
        self.client_params, self.broken = name, broken
        self.heard: list[str] = []

    async def send_resource_updated(self, uri: str) -> None:
        self.heard.append(uri)

    async def send_resource_list_changed(self) -> None:
        if self.broken:
            raise anyio.BrokenResourceError
        self.heard.append("list")


def heard_by(announcer: Announcer, caller: str = "local") -> list[Any]:
    """What concerns a caller; nothing else is on the bus."""
    heard: list[Any] = []

    def hear(told: Any) -> None:
        if told.caller == caller:
            heard.append(told.event)

    announcer.bus.subscribe(hear)
    return heard


async def test_a_run_that_tells_much_is_announced_once_a_second_and_whole_at_its_end() -> None:
    announcer = Announcer()
    heard = heard_by(announcer)
    jobs: Any = Jobs(HandClock(), [0.1] * 25)

    await announcer.watch(jobs, "r", "local")

    assert heard.count(TaskChanged("r")) == 3 + 1
    assert heard[-1] == ResourcesListChanged()
    assert heard.count(ResourceUpdated(uri="research://runs/r/report")) == 1
    assert ResourceUpdated(uri="research://runs") in heard


async def test_a_run_is_watched_once_and_again_after_it_rested() -> None:
    announcer = Announcer()
    jobs: Any = Jobs(HandClock(), [])

    assert (announcer.begin("r"), announcer.begin("r")) == (True, False)
    await announcer.watch(jobs, "r", "local")
    assert announcer.begin("r")


async def test_older_clients_hear_of_their_addresses_and_one_that_is_gone_harms_no_one() -> None:
    announcer = Announcer()
    gone: Any = Session("gone", broken=True)
    here: Any = Session("here")
    other: Any = Session("other")
    announcer.know(gone, "local")
    announcer.know(here, "local").add("research://runs/r/plan")
    announcer.know(other, "token:1").add("research://runs/r/plan")
    jobs: Any = Jobs(HandClock(), [1.0])

    await announcer.watch(jobs, "r", "local")

    assert here.heard == ["list", "research://runs/r/plan", "research://runs/r/plan", "list"]
    assert gone.heard == other.heard == []


async def test_no_caller_hears_that_another_has_done_anything() -> None:
    announcer = Announcer()
    mine, foreign = heard_by(announcer, "token:1"), heard_by(announcer, "token:2")
    jobs: Any = Jobs(HandClock(), [1.0])

    await announcer.watch(jobs, "r", "token:1")

    assert ResourcesListChanged() in mine
    assert foreign == []


class Listed:
    """Jobs of a store that other servers change too: each look finds the next list."""

    def __init__(self, *lists: list[tuple[str, str]]) -> None:
        self.runtime: Any = self
        self.clock, self._lists, self.looks = HandClock(auto=True), list(lists), anyio.Event()

    async def find(self, caller: str, *, limit: int) -> list[Any]:
        assert (caller, limit) == ("token:1", 50)
        if len(self._lists) == 1:
            self.looks.set()
        found = self._lists[0] if len(self._lists) == 1 else self._lists.pop(0)
        return [SimpleNamespace(run_id=run_id, status=status) for run_id, status in found]


async def test_a_list_that_another_server_changed_is_announced_while_its_caller_listens() -> None:
    announcer = Announcer()
    mine, foreign = heard_by(announcer, "token:1"), heard_by(announcer, "token:2")
    begun, ended = [("r", "running")], [("r", "completed")]
    jobs: Any = Listed([], [], begun, begun, ended, ended)
    assert announcer.begin_list("token:1")

    async with anyio.create_task_group() as tasks:
        with announcer.listening("token:1", lists=True):
            tasks.start_soon(announcer.watch_list, jobs, "token:1")
            await jobs.looks.wait()

    assert (mine, foreign) == ([ResourcesListChanged()] * 2, [])
    assert announcer.begin_list("token:1")


async def test_a_store_that_fails_ends_the_watch_and_not_the_server(tmp_path: Path) -> None:
    announcer = Announcer()
    jobs: Any = Jobs(HandClock(), [], StoreError("The disk is full.", "Make room."))

    await announcer.watch(jobs, "r", "local")

    assert announcer.begin("r")
