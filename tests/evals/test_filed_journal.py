from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import anyio
import pytest

from deepresearch_mcp.evals.filed_journal import FiledJournal, open_filed_journal
from deepresearch_mcp.exceptions import DuplicateStep
from deepresearch_mcp.ports.journal import Step, Used


class Share:
    """What the day's ceilings are told."""

    def __init__(self) -> None:
        self.told: list[float] = []

    async def begin(self, usd: float) -> str:
        self.told.append(usd)
        return "key"

    async def correct(self, key: str, usd: float) -> None:
        self.told.append(usd)


async def journal_at(tmp_path: Path, share: Any = None) -> FiledJournal:
    return await open_filed_journal(anyio.Path(tmp_path) / "evals" / "one.jsonl", share or Share())


async def bound() -> Used:
    return Used(usd=0.5)


def asked(calls: list[str], says: str) -> Callable[[], Awaitable[str]]:
    async def ask() -> str:
        calls.append(says)
        return says

    return ask


async def test_what_was_answered_is_read_back_by_the_next_process_and_counts_for_the_day(tmp_path: Path) -> None:
    calls, share = list[str](), Share()
    paid: dict[str, Any] = {"used": lambda _: Used(usd=0.1), "hold": bound}
    first = await journal_at(tmp_path, share)
    await first.step(Step("a"), asked(calls, "yes"), kind="model", result=str, request="r", **paid)
    second = await journal_at(tmp_path, share)

    again = await second.step(Step("a"), asked(calls, "no"), kind="model", result=str, request="r", **paid)

    assert (again, calls, share.told) == ("yes", ["yes"], [0.5, 0.1])
    assert (second.left("a"), second.left("b")) == ("done", None)
    assert (tmp_path / "evals" / "one.jsonl").stat().st_mode & 0o077 == 0


async def test_another_request_and_one_that_failed_are_asked_again(tmp_path: Path) -> None:
    async def fail() -> str:
        raise ValueError("no answer")

    calls = list[str]()
    first = await journal_at(tmp_path)
    await first.step(Step("a"), asked(calls, "yes"), kind="model", result=str, request="r")
    with pytest.raises(ValueError, match="no answer"):
        await first.step(Step("b"), fail, kind="model", result=str)
    with pytest.raises(DuplicateStep):
        await first.step(Step("a"), asked(calls, "yes"), kind="model", result=str, request="r")
    with (tmp_path / "evals" / "one.jsonl").open("a") as file:
        file.write('{"key": "c", "requ')
    second = await journal_at(tmp_path)

    await second.step(Step("a"), asked(calls, "other"), kind="model", result=str, request="s")
    await second.step(Step("b"), asked(calls, "now"), kind="model", result=str)

    assert calls == ["yes", "other", "now"]
