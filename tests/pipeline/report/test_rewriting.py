from deepresearch_mcp.pipeline.report.rewriting import aligned, plans_of, reordered, rewrites
from deepresearch_mcp.records.evidence import Claim, FollowUp
from deepresearch_mcp.records.report import (
    Block,
    Draft,
    Review,
    SectionNote,
    SectionPlan,
    Sentence,
    Sketch,
    WrittenSection,
)
from pipeline_fakes import claim, page, prose

ICE = page("https://one.example/ice", "Ice floats. Lakes freeze. Fish live below.")
FLOATS, LAKES, FISH = (claim(ICE, text) for text in ("Ice floats.", "Lakes freeze.", "Fish live below."))
CLAIMS = {one.claim_id: one for one in (FLOATS, LAKES, FISH)}
TABLE = Block(kind="table", head=("a",), rows=((Sentence(text="x", claim_ids=(LAKES.claim_id,)),),))
STEPS = Block(kind="steps", rows=((Sentence(text="x"),),))
DRAFT = Draft(
    title="T",
    sections=(
        prose("A", FLOATS),
        WrittenSection(heading="B", blocks=(TABLE, STEPS)),
        WrittenSection(heading="C", blocks=(STEPS,)),
        WrittenSection(heading="D", blocks=(STEPS.model_copy(update={"kind": "list"}),)),
    ),
)
SKETCH = Sketch(title="T", sections=(SectionPlan(heading="A", thesis="It is so."),))


def test_a_draft_is_planned_again_by_what_it_states():
    plans = plans_of(DRAFT, SKETCH, CLAIMS)

    assert [(one.heading, one.thesis, one.form) for one in plans] == [
        ("A", "It is so.", "prose"), ("B", "", "table"), ("C", "", "steps"), ("D", "", "list"),
    ]  # fmt: skip
    assert plans[1].claim_ids == (LAKES.claim_id,)


def test_a_section_is_taken_in_by_one_other_and_none_that_is_written_again_itself():
    review = Review(
        rewrite=(
            SectionNote(section=0, note="Take in.", takes_in=(1, 2, 9)),
            SectionNote(section=2, note="Stay.", takes_in=(1,)),
            SectionNote(section=7, note="Nowhere."),
        )
    )

    again = rewrites(DRAFT, review, plans_of(DRAFT, SKETCH, CLAIMS), [], CLAIMS)

    assert [(one.at, one.note) for one in again] == [(0, "Take in."), (2, "Stay.")]
    assert again[0].plan.claim_ids == (FLOATS.claim_id, LAKES.claim_id)
    assert [block.kind for block in again[0].present.blocks] == ["prose", "table", "steps"]
    left = reordered(DRAFT, review, {0: prose("A2", FLOATS, LAKES)})
    assert [one.heading for one in left.sections] == ["A2", "C", "D"]
    assert [one.heading for one in reordered(DRAFT, review, {}).sections] == ["A", "B", "C", "D"]


def test_what_a_review_wants_of_a_section_is_wanted_of_what_an_edit_has_made_of_it():
    before = Draft(title="T", sections=(prose("A", FLOATS), prose("B", LAKES), prose("C", FISH)))
    after = Draft(title="T", sections=(prose("Below", FISH, LAKES), prose("Above", FLOATS)))
    review = Review(
        rewrite=(
            SectionNote(section=0, note="Say why.", takes_in=(2, 7)),
            SectionNote(section=1, note="Shorter.", claim_ids=("x",)),
            SectionNote(section=2, note="Warmer.", takes_in=(1,)),
            SectionNote(section=7, note="Nowhere."),
        ),
        order=(2, 1, 0),
    )

    found = aligned(review, before, after, CLAIMS)

    assert found.rewrite == (
        SectionNote(section=1, note="Say why.", takes_in=(0,)),
        SectionNote(section=0, note="Shorter. Warmer.", claim_ids=("x",)),
    )
    assert found.order == (0, 1)


def test_what_a_review_wants_of_a_section_that_an_edit_left_out_is_not_done():
    before = Draft(title="T", sections=(prose("A", FLOATS), prose("B", LAKES)))
    review = Review(rewrite=(SectionNote(section=1, note="Shorter."),), order=(1, 0))

    found = aligned(review, before, Draft(title="T", sections=(prose("A", FLOATS),)), CLAIMS)

    assert (found.rewrite, found.order) == ((), (0,))


def test_unused_facts_are_offered_only_where_a_section_is_written_again():
    plans = plans_of(DRAFT, SKETCH, CLAIMS)

    assert rewrites(DRAFT, Review(), plans, [], CLAIMS, [FISH]) == []
    alone = DRAFT.model_copy(update={"sections": DRAFT.sections[:1]})
    [one] = rewrites(alone, Review(rewrite=(SectionNote(section=0, note="x"),)), plans[:1], [], CLAIMS, [FISH])
    assert FISH.claim_id in one.plan.claim_ids


def test_a_section_gets_the_facts_that_its_reviewer_names():
    note = SectionNote(section=0, note="Say where fish live.", claim_ids=(FISH.claim_id, "cgone"))

    [one] = rewrites(DRAFT, Review(rewrite=(note,)), plans_of(DRAFT, SKETCH, CLAIMS), [], CLAIMS)

    assert one.plan.claim_ids == (FLOATS.claim_id, FISH.claim_id)


def test_an_order_that_names_next_to_nothing_is_a_mistake():
    assert [one.heading for one in reordered(DRAFT, Review(order=(3, 9, 3, 0)), {}).sections] == ["D", "A"]
    assert len(reordered(DRAFT, Review(order=(3,)), {}).sections) == 4


def test_who_writes_a_section_again_is_told_what_the_search_for_it_brought():
    asked = (FollowUp(sub_question="", query="how cold is ice"),)
    note = (SectionNote(section=0, note="Say how cold."),)
    plans = plans_of(DRAFT, SKETCH, CLAIMS)

    def said(review: Review, *new: Claim) -> str:
        return rewrites(DRAFT, review, plans, new, CLAIMS)[0].note

    assert said(Review(rewrite=note)) == "Say how cold."
    assert "brought nothing new" in said(Review(rewrite=note, queries=asked))
    assert "brought new facts" in said(Review(rewrite=note, queries=asked), FLOATS.model_copy(update={"claim_id": "n"}))


def test_what_was_searched_for_and_decides_is_taken_by_a_section_that_is_written_again():
    names = ("ice", "lakes", "fish", "snow", "rain", "hail", "wind")
    known = [claim(page("https://one.example/a", f"The {one} is cold."), f"The {one} is cold.") for one in names]
    draft = Draft(title="T", sections=tuple(prose(one.text, one) for one in known))
    new = [
        claim(page("https://two.example/b", f"The {one} has {at} parts."), f"The {one} has {at} parts.", weight=3)
        for at, one in enumerate(names, 10)
    ]
    trivial = claim(page("https://two.example/c", "The wind is loud."), "The wind is loud.", weight=1)
    claims = {one.claim_id: one for one in (*known, *new, trivial)}
    review = Review(rewrite=(SectionNote(section=6, note="Say more."),))

    again = rewrites(draft, review, plans_of(draft, SKETCH, claims), [*new, trivial], claims)

    assert [one.at for one in again][-1] == 6
    assert all("brought new facts" in one.note for one in again)
    assert len(again) == 3
    taken = {name for one in again for name in one.plan.claim_ids}
    assert {one.claim_id for one in new} <= taken
    few = rewrites(draft, review, plans_of(draft, SKETCH, claims), [trivial], claims)
    assert [one.at for one in few] == [6]
