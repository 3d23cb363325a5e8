from deepresearch_mcp.pipeline.report.editing import (
    judged_edit,
    loss,
    opening_of,
    positions_now,
    renamed,
    stated,
    with_proposals,
)
from deepresearch_mcp.records.plan import Deliverable
from deepresearch_mcp.records.report import Block, Draft, Position, Sentence, WrittenSection
from pipeline_fakes import claim, page, prose

ICE = page("https://one.example/ice", "Ice floats. Lakes freeze. Fish live below. Ice holds all. Salt helps.")
FLOATS, LAKES = claim(ICE, "Ice floats.", weight=3), claim(ICE, "Lakes freeze.", weight=1)
FISH = claim(ICE, "Fish live below.", weight=2)
HOLDS, SALT = claim(ICE, "Ice holds all.", weight=2), claim(ICE, "Salt helps.", weight=2)
CLAIMS = {one.claim_id: one for one in (FLOATS, LAKES, FISH, HOLDS, SALT)}
BEFORE = Draft(title="T", sections=(prose("A", FLOATS, LAKES, FISH),))


def test_an_edit_stands_that_keeps_what_weighs_and_says_what_it_lost():
    after = Draft(title="New", sections=(prose("B", FLOATS, FISH),))

    held = judged_edit(BEFORE, after, CLAIMS)

    assert (held.draft, held.lost, held.kept) == (after, (LAKES,), True)


def test_a_section_that_an_edit_lost_most_of_stands_where_it_was_but_a_brief_edit_may_lose_more():
    after = Draft(title="New", sections=(prose("B", FLOATS), prose("C", FISH)))

    held = judged_edit(BEFORE, after, CLAIMS)

    assert (held.draft.title, held.draft.sections, held.kept) == ("New", after.sections, True)
    only = after.model_copy(update={"sections": (prose("B", LAKES),)})
    assert judged_edit(BEFORE, only, CLAIMS).draft.sections == BEFORE.sections
    assert judged_edit(BEFORE, only, CLAIMS).lost == ()
    brief = judged_edit(BEFORE, Draft(title="T", sections=(prose("B", FISH),)), CLAIMS, brief=True)
    assert (brief.kept, brief.lost) == (True, (FLOATS, LAKES))


def test_other_sections_take_the_edit_and_what_became_of_nothing_comes_back_in_its_place():
    before = Draft(title="T", sections=(prose("A", FLOATS), prose("B", FISH), prose("C", LAKES)))
    after = Draft(title="New", sections=(prose("Floating", FLOATS), prose("Lakes", LAKES)))

    held = judged_edit(before, after, CLAIMS)

    assert [one.heading for one in held.draft.sections] == ["Floating", "B", "Lakes"]
    assert (held.draft.title, held.lost, held.kept) == ("New", (), False)


def test_what_an_edit_merged_and_lost_in_part_comes_back_as_its_blocks():
    before = Draft(title="T", sections=(prose("A", LAKES, FLOATS), prose("B", FISH, HOLDS, SALT)))
    after = Draft(title="T", sections=(prose("All", LAKES, FISH, HOLDS, SALT),))

    (section,) = judged_edit(before, after, CLAIMS).draft.sections

    assert section.heading == "All"
    assert [one.claim_ids for one in section.blocks[-1].sentences] == [(LAKES.claim_id,), (FLOATS.claim_id,)]


def test_an_opening_without_claims_is_not_taken():
    first = Sentence(text="It floats.", claim_ids=(FLOATS.claim_id,))
    before = BEFORE.model_copy(update={"in_short": (first,)})
    bare = BEFORE.model_copy(update={"in_short": (Sentence(text="Fine."),)})
    good = BEFORE.model_copy(update={"in_short": (Sentence(text="Fish live.", claim_ids=(FISH.claim_id,)),)})

    assert judged_edit(before, bare, CLAIMS).draft.in_short == before.in_short
    assert judged_edit(before, good, CLAIMS).draft.in_short == good.in_short
    assert loss([], []) == 0


def test_an_edit_without_sections_gives_back_all_of_them():
    assert judged_edit(BEFORE, Draft(title="New"), CLAIMS).draft.sections == BEFORE.sections


def test_an_opening_by_rule_tells_a_judgement_from_what_the_facts_say():
    asked = (Deliverable(id="d1", text="x"), Deliverable(id="d2", kind="verdict", text="y"))
    positions = (
        Position(deliverable="d2", position="It holds.", premises=("a",)),
        Position(deliverable="d1", position="It floats.", premises=("a",)),
        Position(deliverable="d9", position="It does both.", premises=("a", "b")),
    )

    assert [(one.kind, one.rests_on) for one in opening_of(positions, asked)] == [
        ("fact", ("a",)), ("judgement", ("a",)), ("synthesis", ("a", "b")),
    ]  # fmt: skip


def test_every_sentence_names_the_claims_that_stand_and_none_that_there_is_not():
    twin = LAKES.model_copy(update={"claim_id": "ctwin"})
    ours = Sentence(text="Take it.", kind="judgement", premises=("ctwin", LAKES.claim_id, "cgone"))
    cell = Sentence(text="Yes", claim_ids=("ctwin",))
    table = Block(kind="table", head=("a",), rows=((cell,), (cell,)))
    twice = Block(rows=((ours,),))
    draft = Draft(title="T", in_short=(ours,), sections=(WrittenSection(heading="A", blocks=(twice, table, twice)),))

    found = renamed(draft, CLAIMS | {"ctwin": LAKES})

    assert twin.claim_id not in {name for one in found.sections[0].sentences for name in one.rests_on}
    assert found.in_short[0].premises == (LAKES.claim_id,)
    assert [block.kind for block in found.sections[0].blocks] == ["prose", "table"]
    assert len(found.sections[0].blocks[1].rows) == 2
    assert stated(found.sections[0].sentences, CLAIMS) == [LAKES]


def test_a_section_of_proposals_that_all_failed_is_empty():
    section = WrittenSection(heading="A", blocks=(Block(rows=((Sentence(text="x", claim_ids=("n1",)),),)),))

    assert with_proposals(section, {}, {"c1", "c2"}).blocks == ()
    assert with_proposals(section, {"n1": FISH}, ()).sentences[0].claim_ids == (FISH.claim_id,)


def test_a_sentence_goes_that_rests_on_an_invented_claim_alone():
    row = (Sentence(text="x", claim_ids=("c99",)), Sentence(text="y", claim_ids=("c1", "c99")))
    section = WrittenSection(heading="A", blocks=(Block(rows=(row,)),))

    assert [one.rests_on for one in with_proposals(section, {}, {"c1"}).sentences] == [("c1",)]


def test_a_sentence_keeps_its_other_claims_where_a_proposed_one_failed():
    row = (Sentence(text="x", claim_ids=("c1", "n1")), Sentence(text="y", kind="judgement", premises=("n1", "c2")))
    section = WrittenSection(heading="A", blocks=(Block(rows=(row,)),))

    assert [one.rests_on for one in with_proposals(section, {}, {"c1", "c2"}).sentences] == [("c1",), ("c2",)]


def test_an_opening_that_nobody_edited_begins_each_answer_with_its_label():
    asked = (Deliverable(id="d1", text="Why"), Deliverable(id="d2", text="What"))
    positions = (
        Position(deliverable="d1", label="The reason", position="It is light. So it floats.", premises=("a",)),
        Position(deliverable="d2", label="The thing", position="It is ice.", premises=("a",)),
    )

    assert [one.label for one in opening_of(positions, asked)] == ["The reason", "", "The thing"]
    assert [one.label for one in opening_of(positions[:1], asked)] == ["", ""]


def test_the_positions_of_an_edited_draft_are_those_that_its_opening_tells():
    opening = (
        Sentence(text="Take ice.", kind="judgement", premises=(SALT.claim_id,)),
        Sentence(text="It floats.", claim_ids=(FLOATS.claim_id,), opens=True, label="Why ice"),
        Sentence(text="It holds.", claim_ids=(HOLDS.claim_id, FLOATS.claim_id)),
        Sentence(text="Nothing is known.", opens=True, label="Salt"),
    )
    positions = (
        Position(
            deliverable="d1",
            label="Why ice and not wood",
            position="Old.",
            premises=(FISH.claim_id,),
            would_change="Salt.",
        ),
        Position(deliverable="d2", label="Salt", position="It helps.", premises=(SALT.claim_id,)),
        Position(deliverable="d3", position="Whole.", premises=(SALT.claim_id,)),
    )

    first, *others = positions_now(Draft(title="T", in_short=opening), positions)

    assert (first.deliverable, first.position, first.would_change) == ("d1", "It floats. It holds.", "Salt.")
    assert first.premises == (FLOATS.claim_id, HOLDS.claim_id)
    assert others == list(positions[1:])
    [same] = positions_now(Draft(title="T", in_short=opening), [positions[0].model_copy(update={"label": "why ICE"})])
    assert same.position == first.position
