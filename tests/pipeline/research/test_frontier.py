from collections import Counter
from datetime import date
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from deepresearch_mcp.pipeline.research.frontier import Frontier
from deepresearch_mcp.records.request import Filters
from deepresearch_mcp.records.sources import Hit, Link, Unread
from deepresearch_mcp.text.urls import normalise_url, site_of
from pipeline_fakes import hit, page

HERE = "https://a.example/page"


def frontier(cap: int = 10, *, strict: bool = False, **limits: Any) -> Frontier:
    return Frontier(Filters.model_validate(limits), cap, strict_dates=strict)


def of(*urls: str) -> list[Hit]:
    return [hit(url) for url in urls]


def urls(hits: list[Hit]) -> list[str]:
    return [one.url for one in hits]


def test_the_best_hits_are_chosen_up_to_what_is_wanted() -> None:
    hits = of("https://a.example/1", "https://b.example/1", "https://c.example/1")

    assert urls(frontier().choose(hits, 2, "q1")) == ["https://a.example/1", "https://b.example/1"]


def test_an_address_is_read_once_however_it_is_written() -> None:
    one = frontier()
    one.choose(of("https://a.example/page"), 4, "q1")

    again = of("https://A.example/page/?utm_source=x", "https://a.example:443/page#part", "https://a.example/other")

    assert urls(one.choose(again, 4, "q1")) == ["https://a.example/other"]


def test_one_address_twice_among_the_hits_takes_one_place() -> None:
    assert len(frontier().choose(of(HERE, f"{HERE}/", HERE), 4, "q1")) == 1


def test_a_page_of_another_sub_question_is_read_for_both_when_it_is_among_the_best_two() -> None:
    one = frontier()
    one.choose(of("https://a.example/1", "https://a.example/2", "https://a.example/3"), 4, "q1")

    hits = of("https://a.example/1", "https://b.example/1", "https://a.example/3")

    assert urls(one.choose(hits, 4, "q2")) == ["https://a.example/1", "https://b.example/1"]


def test_a_page_is_never_given_twice_to_one_sub_question() -> None:
    one = frontier()
    one.choose(of(HERE), 4, "q1")
    one.choose(of(HERE), 4, "q2")

    assert one.choose(of(HERE), 4, "q2") == []


def test_one_answer_full_of_one_domain_stays_below_its_cap() -> None:
    hits = of(*(f"https://{host}.a.example/{n}" for n in range(5) for host in ("www", "docs")), "https://b.example/1")

    assert urls(frontier(cap=3).choose(hits, 10, "q1")) == [*urls(hits[:3]), "https://b.example/1"]


def test_the_cap_holds_over_the_whole_run_and_all_sub_questions() -> None:
    one = frontier(cap=2)

    chosen = [one.choose(of(f"https://a.example/{n}"), 4, f"q{n}") for n in range(4)]

    assert [len(hits) for hits in chosen] == [1, 1, 0, 0]


def test_what_is_still_missing_is_read_however_many_pages_of_its_site_were_and_what_is_passed_over_is_known() -> None:
    one = frontier(cap=2)
    one.choose(of(*(f"https://a.example/{n}" for n in range(3))), 4, "q1")
    best, second, third = (f"https://a.example/best/{n}" for n in range(3))

    one.pass_over(of(best, second, third))
    assert {unread.url: unread.reason for unread in one.crowded_out.values()} == dict.fromkeys(
        (best, second), "domain_cap"
    )

    assert urls(one.choose(of(best, second, third), 4, "q1 again", later=True)) == [best, second]
    assert one.crowded_out == {}


def test_a_shared_page_does_not_count_twice_against_its_domain() -> None:
    one = frontier(cap=2)
    one.choose(of(HERE), 4, "q1")
    one.choose(of(HERE), 4, "q2")

    assert len(one.choose(of("https://a.example/other"), 4, "q2")) == 1


def test_a_persons_own_documents_have_no_cap() -> None:
    hits = [hit(f"library://notes/{n}.md", "local") for n in range(5)]

    assert frontier(cap=1).choose(hits, 10, "q1") == hits


def test_hits_outside_the_limits_are_refused_with_the_reason() -> None:
    one = frontier(strict=True, exclude_domains=("bad.example",), published_after="2020-01-01")
    good = hit("https://a.example/1", published=date(2021, 1, 1))
    bad = [
        hit("https://x.bad.example/1", published=date(2021, 1, 1)),
        hit("https://a.example/old", published=date(2019, 1, 1)),
        hit("https://a.example/undated"),
        hit("ftp://a.example/file"),
    ]

    assert one.choose([*bad, good], 10, "q1") == [good]
    assert {unread.url: unread.reason for unread in one.refused.values()} == {
        "https://x.bad.example/1": "off_limits",
        "https://a.example/old": "off_limits",
        "https://a.example/undated": "off_limits",
        "ftp://a.example/file": "address_refused",
    }


def test_what_was_chosen_before_a_crash_counts() -> None:
    one = frontier(cap=2)

    one.restore(["https://a.example/1", "https://a.example/1/", "https://a.example/2"], "q1")

    assert one.choose(of("https://a.example/1", "https://a.example/3"), 4, "q1") == []


# Leads


def test_a_lead_may_go_where_a_hit_or_a_link_of_the_page_goes_and_nowhere_else() -> None:
    one = frontier()
    one.notice(of("https://hit.example/1"))
    links = [Link(url="https://linked.example/1")]

    assert one.may_follow("https://HIT.example/1/", links)
    assert one.may_follow("https://linked.example/1#part", links)
    assert not one.may_follow("https://made-up.example/1", links)
    assert not one.may_follow("javascript:alert(1)", [Link(url="javascript:alert(1)")])
    assert not one.may_follow("", [Link(url="")])


def test_a_lead_goes_nowhere_twice_and_never_over_the_cap() -> None:
    one = frontier(cap=2)
    links = [Link(url=f"https://a.example/{n}") for n in range(3)]
    one.choose(of("https://a.example/0"), 4, "q1")

    assert not one.may_follow("https://a.example/0", links)
    assert one.may_follow("https://a.example/1", links)
    one.restore(["https://a.example/1"], "q1")
    assert not one.may_follow("https://a.example/2", links)


@pytest.mark.parametrize("limits", [{"exclude_domains": ("a.example",)}, {"include_domains": ("b.example",)}])
def test_a_lead_stays_within_the_domains(limits: dict[str, Any]) -> None:
    links = [Link(url=HERE), Link(url="https://b.example/1")]
    one = frontier(**limits)

    assert not one.may_follow(HERE, links)
    assert one.may_follow("https://b.example/1", links)


def test_a_link_to_a_page_whose_date_was_refused_is_not_followed() -> None:
    one = frontier(published_after="2020-01-01")
    one.notice([hit(HERE, published=date(2019, 1, 1))])

    assert not one.may_follow(HERE, [Link(url=HERE)])


def test_a_page_whose_own_date_or_address_lies_outside_the_limits_is_not_read_though_no_engine_said_so() -> None:
    one = frontier(published_after="2020-01-01", exclude_domains=("bad.example",))

    def read(url: str, published: date | None) -> Unread | None:
        return one.objection(page(url, "Ice floats.").model_copy(update={"published": published}))

    old = read(HERE, date(2019, 12, 31))
    assert old == Unread(url=HERE, reason="off_limits", detail="It is of 2019-12-31, outside the dates asked for.")
    led_elsewhere = read("https://bad.example/1", None)
    assert led_elsewhere
    assert led_elsewhere.detail == "Its domain is excluded."
    assert [read(HERE, date(2020, 1, 1)), read(HERE, None), read("library://notes/ice.md", None)] == [None] * 3


def test_a_page_without_a_date_of_its_own_is_read_where_dates_are_strict_and_the_engine_gave_one() -> None:
    assert frontier(strict=True, published_after="2020-01-01").objection(page(HERE, "Ice floats.")) is None


ADDRESSES = st.one_of(
    st.builds(
        "https://{}{}.example/{}{}".format,
        st.sampled_from(["", "www.", "x."]),
        st.sampled_from("abc"),
        st.integers(0, 5),
        st.sampled_from(["", "/", "?utm_source=1", "#x"]),
    ),
    st.text(max_size=10),
)
ANSWERS = st.lists(st.tuples(st.lists(ADDRESSES, max_size=8), st.integers(0, 5), st.sampled_from(["q1", "q2", "q3"])))


@example([(["https://a.example/0"], 1, "q1"), (["https://a.example/0", "https://b.example/0"], 1, "q2")], 1)
@given(ANSWERS, st.integers(1, 3))
def test_whatever_is_found_no_domain_passes_its_cap_and_no_one_reads_a_page_twice(
    answers: list[tuple[list[str], int, str]], cap: int
) -> None:
    one = frontier(cap, exclude_domains=("c.example",))
    read: Counter[tuple[str, str]] = Counter()
    for found, wanted, sub_question in answers:
        known = {address for address, _ in read}
        chosen = one.choose(of(*found), wanted, sub_question)
        # What another one has admitted comes beside these.
        assert len({normalise_url(each.url) for each in chosen} - known) <= wanted
        read.update((normalise_url(each.url), sub_question) for each in chosen)

    pages = {address for address, _ in read}
    assert max(Counter(map(site_of, pages)).values(), default=0) <= cap
    assert set(read.values()) <= {1}
    assert "" not in pages
    assert not any("c.example" in address for address in pages)


def test_it_is_known_which_engines_returned_a_page_however_they_wrote_it() -> None:
    one = frontier(exclude_domains=("b.example",))

    one.notice([hit(HERE, "brave"), hit(f"{HERE}/?utm_source=x", "tavily"), hit("https://b.example/1", "brave")])
    one.notice([hit(HERE, "brave")])

    assert one.returned == {HERE: {"brave", "tavily"}}


def test_what_is_followed_is_spelled_as_the_page_or_the_engine_spells_it() -> None:
    one = frontier()
    one.notice([hit("https://hit.example/1")])
    links = [Link(url="https://linked.example/1")]

    for typed in ("https://user@HIT.example/1/", "https://hit.example:443/1#x"):
        assert one.may_follow(typed, links)
        assert one.as_known(typed, links) == "https://hit.example/1"
    assert one.as_known("https://u:p@linked.example/1#part", links) == "https://linked.example/1"
    for trick in (
        "https://hit.example@evil.example/1",
        "https://hit.example\\@evil.example/1",
        "https://hit.example.evil.example/1",
    ):
        assert not one.may_follow(trick, links)


def test_a_page_that_several_queries_found_stands_above_one_that_a_single_query_placed_first() -> None:
    frontier = Frontier(Filters(), 10, strict_dates=False)
    for key in ("a", "a", "b"):
        frontier.place(key, [Hit(url=f"https://{key}.example/"), Hit(url="https://both.example/")])

    standing = frontier.standing()

    assert max(standing, key=standing.__getitem__) == "https://both.example/"
    assert standing["https://both.example/"] == 1
    assert standing["https://a.example/"] == standing["https://b.example/"] < 1
    assert Frontier(Filters(), 10, strict_dates=False).standing() == {}


def test_without_the_web_only_the_pages_of_the_request_and_of_collections_are_read() -> None:
    frontier = Frontier(Filters(), 10, strict_dates=False, web=False)
    own, other, shelf = "https://own.example/a", "https://other.example/b", "library://notes/ice.md"
    hits = [Hit(url=own), Hit(url=other), Hit(url=shelf, engines=("local",))]

    assert frontier.given([own]) == (own,)
    assert [hit.url for hit in frontier.choose(hits, 5, "q1")] == [own, shelf]
    assert not frontier.may_follow(other, [Link(url=other)])


def test_a_given_page_is_read_whatever_else_the_request_limits_but_no_excluded_one() -> None:
    frontier = Frontier(Filters(include_domains=("a.example",), exclude_domains=("c.example",)), 10, strict_dates=False)

    assert frontier.given(["https://b.example/", "https://c.example/"]) == ("https://b.example/",)
    assert frontier.objection(page("https://b.example/", "Ice floats.")) is None
    assert frontier.objection(page("https://d.example/", "Ice floats.")) is not None
    assert list(frontier.refused) == ["https://c.example/"]


def test_another_address_of_a_page_that_was_read_is_admitted_and_takes_no_place() -> None:
    one = frontier(cap=2)
    one.choose(of("https://a.example/page"), 4, "q1")

    one.is_also_at("https://a.example/page", ["https://a.example/page?page=2"])

    assert urls(one.choose(of("https://a.example/page?page=2", "https://a.example/b"), 4, "q1")) == [
        "https://a.example/b"
    ]
    assert urls(one.choose(of("https://a.example/page?page=2"), 4, "q2")) == ["https://a.example/page?page=2"]
    assert one.choose(of("https://a.example/page"), 4, "q2") == []
