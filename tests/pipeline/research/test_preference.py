"""Which hits come first among those that engines place alike."""

from datetime import timedelta
from typing import Any

import pytest

from deepresearch_mcp.pipeline.research.fusion import fuse_hits
from deepresearch_mcp.pipeline.research.preference import Preference, preference_of
from deepresearch_mcp.quality.loading import own_scale
from deepresearch_mcp.records.profile import Profile
from deepresearch_mcp.records.sources import Hit
from pipeline_fakes import TODAY, brief

PLAIN = [Hit(url=f"https://site{number}.example/page") for number in range(9)]


def order(hits: list[Hit], **given: Any) -> list[str]:
    preferring = Preference(own_scale(), today=TODAY, **given)
    return [hit.url for hit in preferring.ordered(fuse_hits([hits]))]


def test_hits_that_nothing_tells_apart_stay_in_their_order() -> None:
    assert order(PLAIN) == [hit.url for hit in PLAIN]


@pytest.mark.parametrize(
    ("url", "given"),
    [
        ("https://www.wanted.org/a", {"domains": ("wanted.org",)}),
        ("https://www.wanted.org/a", {"profile": Profile(prefer_domains=("wanted.org",))}),
        ("https://stats.agency.gov.example/a", {"profile": Profile(prefer_suffixes=(".gov.example",))}),
    ],
)
def test_a_preferred_page_comes_from_the_end_of_an_answer_to_its_beginning(url: str, given: dict[str, Any]) -> None:
    hits = [*PLAIN, Hit(url=url)]

    assert order(hits, **given)[0] == url
    assert set(order(hits, **given)) == {hit.url for hit in hits}
    assert order(hits)[-1] == url


def test_a_page_that_two_engines_returned_stays_before_one_that_only_the_profile_prefers() -> None:
    wanted = "https://wanted.org/"
    both = fuse_hits([PLAIN, [PLAIN[0], Hit(url=wanted)]])

    by_profile = Preference(own_scale(), profile=Profile(prefer_domains=("wanted.org",)))

    assert by_profile.ordered(both)[0].url == PLAIN[0].url


def test_the_domains_that_a_request_prefers_come_first_whatever_engines_say_and_not_alone() -> None:
    last = [Hit(url=f"https://{name}wanted.org/") for name in ("docs.", "")]
    found = fuse_hits([PLAIN, PLAIN, [*PLAIN, *last]])

    order = [hit.url for hit in Preference(own_scale(), domains=("wanted.org",)).ordered(found)]

    assert order == [*(hit.url for hit in last), *(hit.url for hit in PLAIN)]


def test_a_better_kind_of_site_gains_some_places_and_no_more() -> None:
    official = "https://www.cdc.gov/ice"
    at = order([*PLAIN, Hit(url=official)]).index(official)

    assert 3 <= at <= 7


def test_new_pages_come_first_where_the_profile_is_about_what_is_new() -> None:
    old, new = (
        Hit(url=f"https://{name}.example/", published=TODAY - timedelta(days))
        for name, days in (("old", 90), ("new", 2))
    )

    assert order([old, new], profile=Profile(fresh_days=30)) == [new.url, old.url]
    assert order([old, new]) == [old.url, new.url]


def test_what_a_research_prefers_is_what_its_request_and_its_profile_say() -> None:
    asked = brief()
    request = asked.request.model_copy(update={"prefer_domains": ("a.org",)})
    profile = Profile(name="birds")

    made = preference_of(asked.model_copy(update={"request": request, "profile": profile}), own_scale())

    assert (made.domains, made.profile, made.today) == (("a.org",), profile, asked.today)
