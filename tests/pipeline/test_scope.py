from datetime import date
from typing import Any

import pytest

from deepresearch_mcp.pipeline.scope import default_plan, limits_of, scope
from deepresearch_mcp.records.profile import Profile
from deepresearch_mcp.records.request import ResearchRequest
from deepresearch_mcp.settings.schema import ResearchSettings
from deepresearch_mcp.text.urls import in_domains
from pipeline_fakes import TODAY, brief


def test_a_brief_holds_the_question_on_one_line_and_the_request_as_it_came() -> None:
    request = ResearchRequest(question="  Why does ice\n\tfloat   on water? ", effort="quick")

    made = scope(request, TODAY, "An earlier run found that water is odd.")

    assert made.question == "Why does ice float on water?"
    assert made.request is request
    assert made.today == TODAY
    assert made.background == "An earlier run found that water is odd."


def test_the_report_is_in_the_language_of_the_question_unless_another_is_asked_for() -> None:
    german = "Warum schwimmt das Eis auf dem Wasser und sinkt nicht?"

    assert scope(ResearchRequest(question=german), TODAY).language == "de"
    assert scope(ResearchRequest(question=german, language="fr"), TODAY).language == "fr"


def test_a_very_long_question_makes_a_plan_of_bearable_length() -> None:
    plan = default_plan(brief("ice water " * 900))

    assert len(plan.sub_questions[0].text) <= 1000
    assert all(len(query) <= 300 for query in plan.sub_questions[0].queries)


def reachable(domain: str, profile: Profile, settings: dict[str, Any], **asked: Any) -> bool:
    limits = limits_of(
        ResearchRequest(question="Why?", **asked), TODAY, profile, ResearchSettings.model_validate(settings)
    )
    url = f"https://www.{domain}/page"
    inside = not limits.include_domains or in_domains(url, limits.include_domains)
    return inside and not in_domains(url, limits.exclude_domains)


@pytest.mark.parametrize(
    ("settings", "asked", "read"),
    [
        ({}, {}, ["a.org", "b.org", "farm.org"]),
        ({"deny_domains": ["b.org"]}, {}, ["a.org", "farm.org"]),
        ({"allow_domains": ["a.org", "c.org"]}, {}, ["a.org"]),
        # A request narrows what is allowed.
        ({"allow_domains": ["a.org", "b.org"]}, {"include_domains": ("b.org",)}, ["b.org"]),
        ({"allow_domains": ["a.org"]}, {"include_domains": ("b.org",)}, []),
        ({"allow_domains": ["org"]}, {"include_domains": ("b.org",)}, ["b.org"]),
        ({"allow_domains": ["www.a.org"]}, {"include_domains": ("a.org",)}, ["a.org"]),
        # Nothing opens what the settings deny.
        ({"deny_domains": ["b.org"]}, {"include_domains": ("b.org",)}, []),
        ({"deny_domains": ["b.org"]}, {"include_domains": ("a.org", "b.org")}, ["a.org"]),
        ({"allow_domains": ["a.org", "b.org"], "deny_domains": ["b.org"]}, {}, ["a.org"]),
    ],
)
def test_lasting_lists_hold_for_every_request(settings: dict[str, Any], asked: dict[str, Any], read: list[str]) -> None:
    domains = ("a.org", "b.org", "farm.org")

    assert [one for one in domains if reachable(one, Profile(), settings, **asked)] == read


def test_a_domain_that_is_asked_for_is_read_although_the_profile_excludes_it() -> None:
    profile = Profile(exclude_domains=("farm.org",))

    assert not reachable("farm.org", profile, {})
    assert reachable("farm.org", profile, {}, include_domains=("farm.org",))
    assert reachable("farm.org", profile, {}, include_domains=("www.farm.org",))


def test_a_profile_of_the_newest_pages_sets_the_first_day_unless_the_request_does() -> None:
    profile = Profile(newest_days=30)
    given = date(2020, 1, 1)

    def first_day(**asked: Any) -> date | None:
        request = ResearchRequest(question="Why?", **asked)
        return limits_of(request, TODAY, profile, ResearchSettings()).published_after

    assert (TODAY - (first_day() or TODAY)).days == 30
    assert first_day(published_after=given) == given
    assert first_day(published_before=given) == given
    assert limits_of(ResearchRequest(question="Why?"), date.min, profile, ResearchSettings()).published_after is None
