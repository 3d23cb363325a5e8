"""The few passages of a round are one reading."""

from typing import Any

from deepresearch_mcp.records.evidence import Assessment, ClaimDraft, FollowUp, OpenPoint, Reading
from deepresearch_mcp.records.plan import Deliverable, Scope
from pipeline_fakes import FakeEngine, ScriptedThinker, lead, page
from research_world import FACTS, PLAN, World, finds, world


def later_round() -> World:
    """A second round with a query for each of two sub-questions, on pages that the first round did not find."""
    late = [
        page("https://late1.example/seals", "Ice below seals is dense water. They dive deep.", title="Seals"),
        page(
            "https://late2.example/bears", "Floating ice of lakes brings bears to fish. They hunt seals.", title="Bears"
        ),
    ]
    early = [page(f"https://site{at}.example/ice", f"{FACTS[at]} It is so.", title=f"Ice {at}") for at in range(4)]
    known = {"why is ice dense water": late[0], "floating ice lakes fish": late[1]}
    usual = finds(*early)

    def answer(query: Any) -> Any:
        return finds(known[query.text])(query)[:1] if query.text in known else usual(query)

    def assess(brief: Any, parts: Any, queries: int, step: Any) -> Assessment:
        asked = (
            FollowUp(sub_question="q1", query="why is ice dense water", point="d1"),
            FollowUp(sub_question="q2", query="floating ice lakes fish", point="d1"),
        )
        missing = (OpenPoint(point="d1", missing="Which animals live on the ice"),)
        return Assessment(sufficiency=2, open=missing, follow_ups=asked if queries else ())

    def read(brief: Any, part: Any, passages: Any, limit: int, step: Any) -> Reading:
        drafts = tuple(
            ClaimDraft(text=said, quote=said, passage_id=one.passage_id)
            for one in passages
            for said in [one.text.split(".")[0] + "."]
        )
        return Reading(claims=drafts, leads=(lead(query="what bears eat"),))

    scope = Scope(deliverables=(Deliverable(id="d1", kind="explanation", text="Why ice floats"),))
    thinker = ScriptedThinker(plan=PLAN.model_copy(update={"scope": scope}), assess=assess, read=read)
    return world(thinker=thinker, documents=[*early, *late], engines=[FakeEngine(answer)], depth=2)


async def test_the_remnants_of_a_round_are_one_reading_and_each_claim_belongs_to_its_sub_question() -> None:
    run = later_round()
    await run.run()

    joined = [task for task in run.thinker.tasks if getattr(task, "others", ())]
    assert len(joined) == 1
    assert {joined[0].sub_question.id, *(one.id for one in joined[0].others)} == {"q1", "q2"}
    of = {claim.text: claim.sub_question for claim in run.findings.claims}
    assert of["Ice below seals is dense water."] == "q1"
    assert of["Floating ice of lakes brings bears to fish."] == "q2"
    held = {name: {claim.text for claim in run.findings.of(name).claims} for name in ("q1", "q2")}
    assert "Ice below seals is dense water." in held["q1"] - held["q2"]
    assert "Floating ice of lakes brings bears to fish." in held["q2"] - held["q1"]
    assert "what bears eat" in run.findings.of("q1").leads
