from clocks import HandClock
from deepresearch_mcp.budget import Ledger
from deepresearch_mcp.pipeline.dependencies import Dependencies, Unasked
from deepresearch_mcp.records.consent import InputRequest, Reply
from deepresearch_mcp.settings.schema import ResearchSettings
from deepresearch_mcp.thinkers.extractive.thinker import Extractive
from pipeline_fakes import FakeWeb, Heard, MemoryJournal, brief


async def test_without_a_user_a_client_or_a_model_a_research_needs_its_ports_alone() -> None:
    clock = HandClock()
    parts = Dependencies(
        thinker=Extractive(),
        last_resort=Extractive(),
        engines=(),
        search_window=0.3,
        web=FakeWeb(),
        journal=MemoryJournal(clock=clock),
        ledger=Ledger(brief().request.shape, clock),
        clock=clock,
        emit=Heard().append,
        settings=ResearchSettings(),
    )

    assert await parts.warm() is None
    assert isinstance(parts.asker, Unasked)
    assert (parts.earlier_answers, parts.in_rounds) == (None, False)


async def test_where_no_one_is_there_plans_are_as_they_are() -> None:
    inquiry = InputRequest(inquiry_id="1", kind="approval", text="So?")

    assert await Unasked().ask(inquiry) == Reply(decision="approve")
