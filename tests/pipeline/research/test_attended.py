from collections.abc import Generator
from contextlib import contextmanager
from typing import Any

import pytest

from deepresearch_mcp.exceptions import ProviderError
from deepresearch_mcp.pipeline.research.attended import AttendedEngine, AttendedWeb, in_rounds
from deepresearch_mcp.records.sources import Query
from deepresearch_mcp.settings.schema import ResearchSettings
from pipeline_fakes import FakeEngine, FakeWeb, hit, page


class Broker:
    """Notes what it is told."""

    def __init__(self) -> None:
        self.seen: list[str] = []

    @contextmanager
    def elsewhere(self) -> Generator[None]:
        self.seen.append("begun")
        try:
            yield
        finally:
            self.seen.append("ended")


async def test_searches_and_fetches_are_known_while_they_last_however_they_end() -> None:
    broker: Any = Broker()
    there = page("https://a.example/1", "Ice floats on water.")
    engine = AttendedEngine(FakeEngine({"ice": [hit(there.url)], "snow": ProviderError("one", "down")}), broker)

    assert [one.url for one in await engine.search(Query("ice"))] == [there.url]
    with pytest.raises(ProviderError):
        await engine.search(Query("snow"))
    assert await AttendedWeb(FakeWeb([there]), broker).fetch(there.url) == there

    assert engine.name == "one"
    assert broker.seen == ["begun", "ended"] * 3


def test_a_research_in_rounds_is_read_at_once_and_follows_nothing_up_within_a_round() -> None:
    usual = ResearchSettings()
    changed = in_rounds(usual)

    assert (changed.passages_per_page, changed.leads, changed.critique, changed.first_pages) == (2, 0, False, 1.0)
    assert in_rounds(usual.model_copy(update={"passages_per_page": 1})).passages_per_page == 1
    assert changed.stop_score == usual.stop_score
