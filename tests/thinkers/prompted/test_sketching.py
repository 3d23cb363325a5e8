from collections.abc import Callable
from typing import Any

from deepresearch_mcp.records.evidence import Claim
from deepresearch_mcp.records.plan import Brief, Deliverable, Scope
from deepresearch_mcp.records.report import ThinSpot
from deepresearch_mcp.thinkers.prompted import sketching
from deepresearch_mcp.thinkers.tasks import SketchReport
from filled_prompts import filled
from pipeline_fakes import page

MakeClaim = Callable[..., Claim]
ICE = page("https://one.example/ice", "Ice floats.", title="Ice 18.2")
SECTION: dict[str, Any] = {
    "heading": "## 1. Density.",
    "thesis": "Ice is\nlight.",
    "form": "Table",
    "answers": ["[D1]", "d9"],
    "facts": ["c1, c2"],
}


def asked(brief: Brief) -> Brief:
    deliverables = (Deliverable(id="d1", text="Why"), Deliverable(id="d2", kind="recommendation", text="What to do"))
    return brief.model_copy(update={"scope": Scope(deliverables=deliverables)})


def test_a_sketch_names_facts_by_their_ids_and_drops_what_there_is_not(brief: Brief, claim: MakeClaim) -> None:
    first, second = claim(1), claim(2)
    sheet = filled(
        sketching.SKETCH,
        SketchReport(asked(brief), [first, second], {"s2": ICE.model_copy(update={"source_id": "s2"})}, 900, 4),
    )

    sketch = sheet.answered(
        title="# On ice.",
        positions=[
            {
                "deliverable": "[D2]",
                "label": "**What to do:**",
                "position": "Stay off [c1].",
                "premises": ["c2", "c9"],
                "would_change": "Salt.",
            },
            {"deliverable": "d7", "position": "Nothing asked this.", "premises": ["c1"]},
            {"deliverable": "d1", "position": " "},
        ],
        sections=[SECTION, {"heading": " ", "facts": ["c1"]}, {"heading": "Ghosts", "facts": ["c9"]}],
        described=[{"text": "Ice 18.2", "shown_by": ["s1"]}, {"text": "Ice 19", "shown_by": ["s8"]}],
        trifles=["c2", "c9"],
        thin=[{"missing": "How dense", "query": "ice density", "point": "D1.", "decisive": True}, {"missing": ""}],
    )

    assert sketch.title == "On ice"
    assert [(one.deliverable, one.position, one.premises) for one in sketch.positions] == [
        ("d2", "Stay off.", (second.claim_id,))
    ]
    assert sketch.positions[0].label == "What to do"
    assert sketch.trifles == (second.claim_id,)
    [section] = sketch.sections
    assert (section.heading, section.thesis, section.form) == ("Density", "Ice is light.", "table")
    assert section.claim_ids == (first.claim_id, second.claim_id)
    assert section.answers == ("d1",)
    assert [(one.text, one.claim_ids) for one in sketch.described] == [("Ice 18.2", (second.claim_id,))]
    assert sketch.thin == (ThinSpot(missing="How dense", query="ice density", point="d1", decisive=True),)
    assert "and 4 lesser facts" in sheet.values["facts"]
    assert sheet.answered(title="On ice", sections=[]) is None


def test_a_sketch_sees_what_is_asked_and_the_facts_with_weight_points_doubts_and_source(
    brief: Brief, claim: MakeClaim
) -> None:
    sharp = claim(1, weight=3, covers=("d1", "s1a1"))
    half = claim(2, verdict="partly")
    sheet = filled(
        sketching.SKETCH,
        SketchReport(asked(brief), [sharp, half], {"s1": ICE.model_copy(update={"source_id": "s1"})}, 900),
    )

    assert "d2 (recommendation): What to do" in sheet.values["asked"]
    assert sheet.values["facts"].splitlines()[1:-1] == [
        "# d1 Why",
        "[c1] 3 s1 | Fact number 1 holds.",
        "# Other",
        "[c2] 2 | Fact number 2 holds. (partly: the page says “words 2”)",
    ]
    assert "s1: “Ice 18.2”, one.example, undated" in sheet.values["sources"]


def test_with_less_room_the_decisive_facts_stay(brief: Brief, claim: MakeClaim) -> None:
    facts = [claim(number, weight=3 if number == 4 else 1) for number in range(1, 5)]

    less = filled(sketching.SKETCH, SketchReport(brief, facts, {}, 900), 0.25).values["facts"]

    assert "Fact number 4" in less
    assert "Fact number 1" not in less
    assert "and 3 lesser facts" in less
