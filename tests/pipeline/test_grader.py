"""Grades within a run."""

from datetime import date
from typing import Any

import pytest

from deepresearch_mcp.pipeline.grader import Grader, linking_sites
from deepresearch_mcp.quality.loading import own_scale
from deepresearch_mcp.records.profile import Profile
from deepresearch_mcp.records.sources import Document
from deepresearch_mcp.settings.schema import ResearchSettings
from pipeline_fakes import brief, claim, page

PROSE = "Ice floats. The ice on a lake grows from above because cold water rises until it freezes. " * 20
OFFICIAL = page("https://www.cdc.gov/ice", PROSE)
FARM = page("https://www.ehow.com/ice", PROSE)
PAPER = page("https://www.thelancet.com/ice", PROSE)
SHELF = page("library://notes/ice.md", "Ice floats.")


def grader(**given: Any) -> Grader:
    return Grader(brief(**given), own_scale())


def graded_under(name: str) -> Grader:
    profile = Profile(name=name, grades=name)
    return Grader(brief().model_copy(update={"profile": profile}), own_scale())


def by_id(*documents: Document) -> dict[str, Document]:
    return {document.source_id: document for document in documents}


def asked(**given: Any) -> ResearchSettings:
    return ResearchSettings.model_validate(given)


def test_without_demands_every_page_is_read():
    assert [grader().objection(one, asked()) for one in (OFFICIAL, FARM, PAPER, SHELF)] == [None] * 4


def test_a_page_below_the_quality_asked_for_is_not_read_and_says_why():
    settings = asked(min_source_quality=0.5)

    refused = grader().objection(FARM, settings)

    assert refused is not None
    assert (refused.url, refused.reason) == (FARM.url, "low_quality")
    assert "asks for 0.50" in refused.detail
    assert grader().objection(OFFICIAL, settings) is None


def test_under_peer_review_only_reviewed_pages_are_read():
    settings = asked(require_peer_review=True)

    refused = grader().objection(OFFICIAL, settings)

    assert refused is not None
    assert (refused.reason, "require_peer_review" in refused.detail) == ("not_peer_reviewed", True)
    assert grader().objection(PAPER, settings) is None


def test_what_its_owner_put_on_a_shelf_is_not_judged():
    assert grader().objection(SHELF, asked(min_source_quality=1, require_peer_review=True)) is None


def test_the_profile_and_the_question_decide_what_counts():
    assert graded_under("medical").alone(PAPER).authority == 1.0
    assert grader(question="What is the latest news?").topic == "current_events"
    assert graded_under("academic").topic == "science"
    assert graded_under("unknown").topic == grader().topic


@pytest.mark.parametrize(
    ("profile", "reason", "said"),
    [
        (Profile(name="strict", least_quality=0.9), "low_quality", "the profile strict asks for 0.90"),
        (Profile(name="papers", peer_review=True), "not_peer_reviewed", "which the profile papers asks for"),
        (Profile(), "", ""),
    ],
)
def test_a_profile_can_ask_for_better_pages_than_the_settings_do(profile: Profile, reason: str, said: str):
    held = Grader(brief().model_copy(update={"profile": profile}), own_scale())

    refused = held.objection(FARM, ResearchSettings())

    assert (refused.reason if refused else "") == reason
    assert said in (refused.detail if refused else "")


def test_two_pages_with_one_text_have_grades_of_their_own():
    one = grader()

    assert one.alone(FARM).kind == "content_farm"
    assert one.alone(OFFICIAL).kind == "official"
    assert one.alone(OFFICIAL) is one.alone(OFFICIAL)


def test_a_claim_is_marked_with_the_standing_of_its_source():
    documents = by_id(OFFICIAL, FARM)

    marks = [grader().marked(claim(one, "Ice floats."), documents).standing for one in (OFFICIAL, FARM)]

    assert marks == ["good", "poor"]
    fair = claim(page("https://ice.example/", PROSE), "Ice floats.")
    assert grader().marked(fair, by_id(page("https://ice.example/", PROSE))) is fair


def test_in_the_end_links_engines_and_other_witnesses_are_known():
    linking = page("https://blog.example/", PROSE, links=("https://www.cdc.gov/ice/", "https://blog.example/2"))
    documents = by_id(OFFICIAL, linking)
    both = claim(OFFICIAL, "Ice floats.", independent=2)
    alone = claim(OFFICIAL, "The ice on a lake grows from above because cold water rises until it freezes.")

    one = grader()
    grades = one.all(documents, [both, alone], {"https://www.cdc.gov/ice": {"brave", "tavily"}})

    official = grades[OFFICIAL.source_id]
    assert official.external == pytest.approx(one.alone(OFFICIAL).external + 0.15 + 0.1)
    assert official.corroboration == 0.5
    assert official.relevance > 0
    assert grades[linking.source_id].external == one.alone(linking).external
    assert "single_source" not in official.flags


def test_links_count_once_a_site_and_never_from_the_same_one():
    first = page("https://a.example/1", "x", links=("https://b.example/", "https://b.example/?utm_source=a"))
    second = page("https://www.a.example/2", "y", links=("https://b.example/",))
    target = page("https://b.example/", "z", links=("https://b.example/", "https://sub.b.example/"))
    below = page("https://sub.b.example/", "w")
    shelf = page("library://notes/x.md", "v", links=("https://b.example/",))

    assert linking_sites(by_id(first, second, target, below)) == {target.source_id: {"a.example"}}
    assert linking_sites(by_id(target, shelf)) == {target.source_id: {shelf.source_id}}


def test_a_run_that_failed_before_it_knew_the_day_can_still_be_graded():
    early = Grader(brief().model_copy(update={"today": date.min}), own_scale())

    assert early.alone(OFFICIAL.model_copy(update={"published": date(2020, 1, 1)})).recency == 1.0


def test_what_was_graded_during_the_run_is_graded_the_same_in_the_end():
    documents = by_id(OFFICIAL, FARM, PAPER)
    used, fresh = grader(), grader()
    for one in documents.values():
        used.alone(one)

    assert used.all(documents, [], {}) == fresh.all(documents, [], {})


def test_what_a_better_source_disputes_lowers_the_worse_one_alone():
    documents = by_id(OFFICIAL, FARM)
    right, wrong = claim(OFFICIAL, "Ice floats."), claim(FARM, "Ice floats.")
    right = right.model_copy(update={"standing": "good", "disputes": (wrong.claim_id,)})
    wrong = wrong.model_copy(update={"standing": "poor", "disputes": (right.claim_id,)})

    grades = grader().all(documents, [right, wrong], {})

    assert (grades[OFFICIAL.source_id].disputed, grades[FARM.source_id].disputed) == (0.0, 1.0)
    assert grades[FARM.source_id].score < grader().alone(FARM).score
