"""Decisions by what a run has used, kept for its later lives."""

from deepresearch_mcp.pipeline.research.first_decisions import FirstDecisions
from deepresearch_mcp.records.request import ResearchRequest
from pipeline_fakes import MemoryJournal

SHAPE = ResearchRequest(question="Why does ice float?").shape
WIDER = ResearchRequest(question="Why does ice float?", max_tokens=900_000).shape


async def test_a_later_life_decides_as_the_first_one_did_though_it_has_used_more():
    journal = MemoryJournal()
    first = FirstDecisions(journal, SHAPE)
    assert await first.of(["ice", "salt"], list[int], now=[300, 0]) == [300, 0]
    assert await first.of(["ice"], bool, now=True)

    later = FirstDecisions(journal.next_life(), SHAPE)

    assert await later.of(["ice", "salt"], list[int], now=[0, 0]) == [300, 0]
    assert await later.of(["ice"], bool, now=False)
    assert not await later.of(["snow"], bool, now=False)


async def test_what_is_wanted_again_is_decided_again_and_so_is_everything_under_other_ceilings():
    journal = MemoryJournal()
    first = FirstDecisions(journal, SHAPE)
    assert [await first.of(["ice"], bool, now=now) for now in (False, True)] == [False, True]

    assert not await FirstDecisions(journal.next_life(), SHAPE).of(["ice"], bool, now=True)
    assert await FirstDecisions(journal.next_life(), WIDER).of(["ice"], bool, now=True)
