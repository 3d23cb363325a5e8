from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
import pytest

from clocks import HandClock
from deepresearch_mcp.events import Event
from deepresearch_mcp.jobs.asking import checked_request
from deepresearch_mcp.ports.journal import Journal, Step, Used
from deepresearch_mcp.store.sqlite import open_sqlite_store
from deepresearch_mcp.telemetry.observing import At, Observer, SeenStep, observed, where


class Notes(Observer):
    """Writes down what it sees."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.steps: list[SeenStep] = []

    def began(self, run_id: str) -> None:
        self.lines.append(f"began {run_id}")

    def happened(self, run_id: str, event: Event) -> None:
        self.lines.append(event.kind)

    def step_began(self, step: SeenStep) -> None:
        self.lines.append(f"step {step.name}")

    def step_ended(self, step: SeenStep) -> None:
        self.lines.append(f"step {step.name} ended")
        self.steps.append(step)

    def ended(self, run_id: str) -> None:
        self.lines.append(f"ended {run_id}")


@asynccontextmanager
async def journal(home: Path, notes: Notes, clock: HandClock, *, make: bool = True) -> AsyncGenerator[Journal]:
    async with open_sqlite_store(home, clock) as store:
        await store.runs.create("r1", "local", checked_request({"question": "Why?"}), "f", 1.0)
        async with observed(store.journal("r1"), "r1", [notes], clock, lambda _: "reading") as seen:
            yield seen


async def test_a_step_is_seen_with_its_time_its_use_and_its_place(tmp_path: Path) -> None:
    notes, clock, places = Notes(), HandClock(), list[At]()

    async def work() -> int:
        places.append(where())
        clock.advance(2.5)
        return 7

    async with journal(tmp_path, notes, clock) as seen:
        used = Used("openai:m", "reader", 0.1, 10, 2)
        assert await seen.step(Step("read/q1"), work, kind="model", result=int, used=lambda _: used) == 7
        assert where() == At("r1")
        assert [row.key for row in await seen.rows()] == ["read/q1"]

    [step] = notes.steps
    assert (step.seconds, step.used, step.error, step.stage, step.kind) == (2.5, used, "", "reading", "model")
    assert places == [At("r1", "read/q1")]
    assert notes.lines == ["began r1", "step read", "step read ended", "ended r1"]
    assert where() == At()


async def test_a_failed_and_a_cancelled_step_are_seen_as_what_they_are(tmp_path: Path) -> None:
    notes, clock = Notes(), HandClock()

    async def fail() -> int:
        raise ValueError("secret words of a page")

    async with journal(tmp_path, notes, clock) as seen:
        with pytest.raises(ValueError, match="secret"):
            await seen.step(Step("read/q1"), fail, kind="model", result=int, lost=lambda _: Used("openai:m"))
        with anyio.move_on_after(0.05):
            await seen.step(Step("read/q2"), anyio.sleep_forever, kind="model", result=Any)

    assert [(one.error, bool(one.used)) for one in notes.steps] == [("ValueError", True), ("Cancelled", False)]
