"""A passage goes to one reader of a run, and to a second one only for a thin spot."""

from collections import Counter
from typing import Any

from deepresearch_mcp.pipeline.research.passages_shown import PassagesShown
from deepresearch_mcp.records.evidence import Assessment, ClaimDraft, FollowUp, OpenPoint, Reading
from deepresearch_mcp.records.plan import Deliverable, Scope
from deepresearch_mcp.records.report import ThinSpot
from deepresearch_mcp.records.sources import Document, Passage, Stretch
from pipeline_fakes import Call, FakeEngine, ScriptedThinker, lead, page
from research_world import FACTS, PLAN, World, finds, world


def test_what_is_shown_again_is_known_and_a_sentence_that_leads_over_is_not_shown_again() -> None:
    shown = PassagesShown()

    shown.add([Stretch("a", 0, 2_000)])
    shown.add([Stretch("a", 1_900, 4_000), Stretch("b", 0, 2_000)])
    assert not shown.twice

    shown.add([Stretch("a", 1_000, 1_500), Stretch("b", 500, 3_000)])
    assert shown.twice == {Stretch("a", 1_000, 1_500), Stretch("b", 500, 2_000)}
    assert Stretch("b", 500, 3_000) in shown.stretches


FILLER = "Snow lies about on the ground there. " * 30
DEEP = "How deep seals of frozen lakes dive"
SPOT = "Which seals breathe through holes in frozen lakes"


def long_pages() -> list[Document]:
    return [
        page(
            f"https://site{at}.example/ice",
            "\n\n".join(f"## Part {n}\n\n{FACTS[(at + n) % len(FACTS)]} Page {at} says so. {FILLER}" for n in range(4)),
            title=f"Ice {at}",
        )
        for at in range(16)
    ]


def eventful() -> World:
    """Three rounds, a lead from every reading, two points left open, and two thin spots of the writer."""
    rounds = iter(("seals breathe holes", "icebergs volume water"))

    def read(brief: Any, part: Any, passages: Any, limit: int, step: Any) -> Reading:
        if part.text in {DEEP, SPOT}:
            return Reading()
        own = ScriptedThinker()._defaults.read(brief, part, passages, limit, step)
        return own.model_copy(update={"leads": (lead(query="frozen lakes ice winter fish"),)})

    def assess(brief: Any, parts: Any, queries: int, step: Any) -> Assessment:
        query = next(rounds, "") if queries else ""
        asked = (FollowUp(sub_question="q2", query=query, point="d1"),) if query else ()
        open_points = (OpenPoint(point="d1", missing=DEEP), OpenPoint(point="d1", missing=SPOT))
        return Assessment(sufficiency=2, open=open_points, follow_ups=asked)

    def sketch(brief: Any, found: Any, *rest: Any) -> Any:
        whole = ScriptedThinker()._defaults.sketch(brief, found, *rest)
        spots = tuple(ThinSpot(missing=f"{text} and more", query=text, point="d1") for text in (DEEP, SPOT, SPOT))
        return whole.model_copy(update={"thin": spots})

    scope = Scope(deliverables=(Deliverable(id="d1", kind="explanation", text="Why ice floats"),))
    thinker = ScriptedThinker(plan=PLAN.model_copy(update={"scope": scope}), read=read, assess=assess, sketch=sketch)
    documents = long_pages()
    return world(
        thinker=thinker,
        documents=documents,
        engines=[FakeEngine(finds(*documents))],
        depth=3,
        settings={"passage_tokens": 400},
    )


def overlapping(one: Passage, other: Passage) -> bool:
    shared = min(one.end, other.end) - max(one.start, other.start)
    return one.source_id == other.source_id and shared > len("Snow lies about on the ground there. ") * 9


async def test_a_run_of_several_rounds_shows_a_passage_once_and_again_only_for_a_thin_spot_that_it_matches() -> None:
    run = eventful()
    await run.run()

    readings: list[Call] = run.thinker.called("read")
    assert len({call.args[1].text for call in readings}) > 4, "sub-questions, leads, later queries and spots"
    earlier: list[Passage] = []
    again: Counter[str] = Counter()
    for call in readings:
        part, passages = call.args[1], call.args[2]
        for one in passages:
            times = sum(overlapping(one, other) for other in earlier)
            is_spot = part.text.startswith((DEEP, SPOT))
            assert times <= int(is_spot), f"{one.passage_id} was shown {times} times before for {part.text!r}"
            again[part.text] += times
        earlier += passages
    assert run.findings.rounds == 3
    assert sum(again.values()), "a spot sees again what matches it"


async def test_what_gave_a_claim_of_its_point_is_not_shown_for_a_spot_again() -> None:
    run = eventful()
    honest = run.thinker.script["read"]

    def read(brief: Any, part: Any, passages: Any, limit: int, step: Any) -> Reading:
        own = honest(brief, part, passages, limit, step)
        covering = tuple(ClaimDraft(**{**one.model_dump(), "covers": ("d1",)}) for one in own.claims)
        return own.model_copy(update={"claims": covering})

    run.thinker.script["read"] = read
    await run.run()

    spoken = [(quote.source_id, quote.start, quote.end) for claim in run.findings.claims for quote in claim.quotes]
    for call in run.thinker.called("read"):
        if call.args[1].text.startswith((DEEP, SPOT)):
            for one in call.args[2]:
                assert not any(
                    name == one.source_id and one.start <= start and end <= one.end for name, start, end in spoken
                )
