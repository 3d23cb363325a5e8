from datetime import UTC, datetime

from clocks import HandClock
from deepresearch_mcp.evals.lab import Lab, Unrecorded
from deepresearch_mcp.ports.journal import Step
from deepresearch_mcp.records.request import MAX_QUESTION, ResearchRequest
from deepresearch_mcp.records.sources import Document, Hit, Query
from deepresearch_mcp.system_clock import SystemClock
from deepresearch_mcp.thinkers.extractive.thinker import Extractive

PAGE = (
    "Why does ice float on water? Ice floats on water because it is less dense than liquid water. "
    "When water freezes, its molecules form an open lattice that takes up nine percent more room."
)


class OneHit:
    name = "one"

    async def search(self, query: Query, *, needs: tuple[str, ...] = ()) -> list[Hit]:
        return [Hit(url="https://ice.example/floats", title="Ice")]


class OnePage:
    async def fetch(self, url: str, *, needs: tuple[str, ...] = ()) -> Document:
        return Document(
            source_id="s1",
            url=url,
            requested_url=url,
            title="Ice",
            site="ice.example",
            snapshot="0" * 64,
            length=len(PAGE),
            read_at=datetime(2026, 11, 20, tzinfo=UTC),
            text=PAGE,
        )


async def test_a_whole_research_is_run_in_memory_and_its_report_cites_the_page():
    lab = Lab(Extractive(), SystemClock())

    run = await lab.research(ResearchRequest(question="Why does ice float on water?"), [OneHit()], OnePage())

    assert run.status == "completed"
    assert {citation.url for citation in run.citations} == {"https://ice.example/floats"}
    assert run.quotes.located == run.quotes.total > 0


async def test_a_brief_is_the_same_as_a_run_would_make():
    lab = Lab(Extractive(), HandClock())

    brief = lab.brief("Why does  ice float on water?")

    assert (brief.question, brief.language, brief.today) == ("Why does ice float on water?", "en", lab.clock.today())
    assert len(lab.brief("x" * 20_000).question) == MAX_QUESTION


async def test_nothing_is_recorded():
    journal = Unrecorded()

    async def asked() -> int:
        return 7

    assert await journal.step(Step("a"), asked, kind="decision", result=int) == 7
    assert await journal.step(Step("a"), asked, kind="decision", result=int) == 7
    assert await journal.rows() == ()
