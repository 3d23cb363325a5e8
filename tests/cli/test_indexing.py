from collections.abc import Callable
from pathlib import Path

import anyio
import pytest

from clocks import HandClock
from deepresearch_mcp.cli.indexing import index, tell_index, watch
from deepresearch_mcp.exceptions import InvalidRequest
from deepresearch_mcp.runtime import open_runtime
from deepresearch_mcp.settings.schema import Settings
from deepresearch_mcp.web.library.indexing import IndexReport


class Days(HandClock):
    """Changes the folder each time that the watch waits, and tells when nothing is left to change."""

    def __init__(self, *changes: Callable[[], object]) -> None:
        super().__init__(auto=True)
        self.over = anyio.Event()
        self._changes = iter(changes)

    async def sleep(self, seconds: float) -> None:
        await super().sleep(seconds)
        if (change := next(self._changes, None)) is None:
            self.over.set()
            await anyio.sleep_forever()
        else:
            change()


async def test_a_watched_collection_follows_its_folder(tmp_path: Path) -> None:
    ice, sea = tmp_path / "notes" / "ice.md", tmp_path / "notes" / "sea.md"
    ice.parent.mkdir()
    ice.write_text("Ice floats.")
    told: list[IndexReport] = []

    def empty() -> None:
        # Perhaps a disk that is not there: what was read is kept.
        ice.unlink()
        sea.unlink()

    clock = Days(lambda: None, lambda: sea.write_text("Salt."), empty, lambda: sea.write_text("Salt."))
    async with open_runtime(Settings(home=tmp_path / "home")) as runtime, anyio.create_task_group() as group:
        group.start_soon(watch, runtime, "notes", [str(ice.parent)], 5.0, told.append, clock)
        await clock.over.wait()
        group.cancel_scope.cancel()

    assert [(one.added, one.removed) for one in told] == [(1, 0), (1, 0), (0, 1)]
    assert set(clock.slept) == {5.0}


async def test_a_source_that_is_not_there_ends_the_watch_at_once(tmp_path: Path) -> None:
    async with open_runtime(Settings(home=tmp_path / "home")) as runtime:
        with pytest.raises(InvalidRequest):
            await watch(runtime, "notes", [str(tmp_path / "missing")], 5.0, lambda _: None)
        with pytest.raises(InvalidRequest):
            await index(runtime, "notes", [], quiet=True)


def test_what_was_not_read_is_told_with_its_reason(capsys: pytest.CaptureFixture[str]) -> None:
    tell_index(IndexReport(2, 1, 1, (("a.pdf", "unparsable"),), (("too_many", 3),)), "Collection notes")

    said = capsys.readouterr().err
    assert "Collection notes: 2 read, 1 unchanged, 1 gone, 1 not readable" in said
    assert "a.pdf (unparsable)" in said
    assert "3 beyond the first 1,000 of a sitemap" in said
