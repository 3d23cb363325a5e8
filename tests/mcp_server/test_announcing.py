from pathlib import Path
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


def heard_by(announcer: Announcer) -> list[Any]:
    heard: list[Any] = []
    announcer.bus.subscribe(heard.append)
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
    announcer.know(gone)
    announcer.know(here).add("research://runs/r/plan")
    jobs: Any = Jobs(HandClock(), [1.0])

    await announcer.watch(jobs, "r", "local")

    assert here.heard == ["list", "research://runs/r/plan", "research://runs/r/plan", "list"]
    assert gone.heard == []


async def test_a_store_that_fails_ends_the_watch_and_not_the_server(tmp_path: Path) -> None:
    announcer = Announcer()
    jobs: Any = Jobs(HandClock(), [], StoreError("The disk is full.", "Make room."))

    await announcer.watch(jobs, "r", "local")

    assert announcer.begin("r")
