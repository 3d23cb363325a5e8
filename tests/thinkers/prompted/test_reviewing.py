from collections.abc import Callable

from deepresearch_mcp.records.evidence import Claim
from deepresearch_mcp.records.plan import Brief
from deepresearch_mcp.records.report import Block, Draft, Review, SectionNote, Sentence, WrittenSection
from deepresearch_mcp.thinkers.prompted import reviewing
from deepresearch_mcp.thinkers.tasks import ReviewReport
from filled_prompts import Filled, filled

MakeClaim = Callable[..., Claim]
ROW = (Sentence(text="Ice is light.", claim_ids=("cfact1",)),)
DRAFT = Draft(
    title="On ice",
    sections=tuple(WrittenSection(heading=name, blocks=(Block(rows=(ROW,)),)) for name in ("A", "B", "C")),
)


def review(brief: Brief, claim: MakeClaim) -> Filled:
    task = ReviewReport(brief, DRAFT, [claim(2, weight=3)], ["Ice: fish (s1a2): open"], 2)
    return filled(reviewing.REVIEW, task)


def test_a_reviewer_sees_the_numbered_draft_what_it_leaves_out_and_what_is_thin(brief: Brief, claim: MakeClaim) -> None:
    values = review(brief, claim).values

    assert "## 2. B\n\nIce is light." in values["draft"]
    assert values["unused"].splitlines() == ["<unused>", "[u1] Fact number 2 holds. (decides)", "</unused 8f3a>"]
    assert values["thin"].splitlines()[1] == "- Ice: fish (s1a2): open"


def test_what_a_reviewer_asks_for_names_places_that_there_are_and_facts_by_their_words(
    brief: Brief, claim: MakeClaim
) -> None:
    found = review(brief, claim).answered(
        worth="7/10",
        opening="It leaves out u1.",
        rewrite=[
            {"section": 2, "why": "Use u1, not u9.", "form": "table", "takes_in": [3, 2, 8]},
            {"section": "9", "why": "Nowhere."},
            {"section": 1, "why": " "},
        ],
        order=[2, "section 1", 7],
        queries=["ice", "ice density at sea", "salt water ice", "one too many"],
        missing=[{"missing": "The year", "query": "year of ice"}],
    )

    assert found.rewrite == (
        SectionNote(
            section=1,
            note="Use “Fact number 2 holds.”, not u9.",
            form="table",
            takes_in=(2,),
            claim_ids=("cfact2",),
        ),
    )
    assert (found.order, found.worth) == ((1, 0), 7)
    assert (found.opening, found.opening_claim_ids) == ("It leaves out “Fact number 2 holds.”.", ("cfact2",))
    assert [one.query for one in found.queries] == ["ice density at sea", "salt water ice"]
    assert [one.query for one in found.missing] == ["year of ice"]


def test_a_good_draft_is_left_alone(brief: Brief, claim: MakeClaim) -> None:
    assert review(brief, claim).answered(worth=9) == Review(worth=9)
