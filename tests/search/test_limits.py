from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deepresearch_mcp.records.request import Filters
from deepresearch_mcp.search.limits import (
    country_code,
    day_range,
    days_outside,
    domain_list,
    first_words,
    google_tbs,
    key_terms,
    language_code,
    leaves_out,
    shifted,
    since,
    unix_time,
    with_sites,
)

TODAY = date(2026, 11, 20)


class TestSites:
    def test_few_domains_become_operators(self) -> None:
        assert with_sites("ice", Filters(include_domains=("a.org",))) == "ice site:a.org"
        assert with_sites("ice", Filters(include_domains=("a.org", "b.org"))) == "ice (site:a.org OR site:b.org)"
        assert with_sites("ice", Filters(exclude_domains=("a.org", "b.org"))) == "ice -site:a.org -site:b.org"

    def test_many_domains_are_left_to_the_stage(self) -> None:
        many, others = (tuple(f"{letter}{number}.org" for number in range(7)) for letter in "de")

        assert with_sites("ice", Filters(include_domains=many, exclude_domains=others)) == "ice"

    def test_a_long_query_is_cut_and_its_operators_kept(self) -> None:
        text = with_sites("word " * 200, Filters(include_domains=("a.org",)))

        assert text.endswith(" site:a.org")
        assert len(text) <= 400
        assert len(text.split()) <= 50

    def test_a_list_of_domains_is_whole_or_left_out(self) -> None:
        assert domain_list(("a.org", "b.org"), 2) == ["a.org", "b.org"]
        assert domain_list(("a.org", "b.org"), 1) == []

    @given(st.text(min_size=1), st.integers(1, 60), st.integers(1, 9))
    def test_a_shortened_text_fits(self, text: str, characters: int, words: int) -> None:
        short = first_words(text, characters, words)

        assert len(short) <= characters
        assert bool(short) == bool(text.strip())


class TestCodes:
    @pytest.mark.parametrize(
        ("given", "code"), [("de", "de"), ("DE-at", "de"), ("pt_BR", "pt"), ("evil.com/", ""), ("", ""), ("german", "")]
    )
    def test_a_language_is_a_code_or_nothing(self, given: str, code: str) -> None:
        assert language_code(Filters(language=given)) == code

    @pytest.mark.parametrize(("given", "code"), [("DE", "de"), ("d/", ""), ("deu", ""), ("", "")])
    def test_a_region_is_a_code_or_nothing(self, given: str, code: str) -> None:
        assert country_code(Filters(region=given)) == code


class TestDates:
    @pytest.mark.parametrize(
        ("after", "span"),
        [
            (None, None),
            (date(2026, 11, 25), "day"),
            (TODAY, "day"),
            (date(2026, 11, 19), "week"),
            (date(2026, 11, 1), "month"),
            (date(2026, 1, 1), "year"),
            (date(2020, 1, 1), None),
        ],
    )
    def test_the_shortest_span_that_holds_all_wanted_days_is_taken(self, after: date | None, span: str | None) -> None:
        assert since(Filters(published_after=after), TODAY) == span

    def test_a_range_has_both_ends(self) -> None:
        first, last = date(2026, 1, 2), date(2026, 2, 3)

        assert day_range(Filters(), TODAY) is None
        assert day_range(Filters(published_after=first), TODAY) == (first, TODAY)
        assert day_range(Filters(published_before=last), TODAY) == (date(1990, 1, 1), last)
        assert google_tbs(Filters(), TODAY) == ""
        both = Filters(published_after=first, published_before=last)
        assert google_tbs(both, TODAY) == "cdr:1,cd_min:01/02/2026,cd_max:02/03/2026"
        assert days_outside(both) == (date(2026, 1, 1), date(2026, 2, 4))
        assert days_outside(Filters()) == (None, None)

    def test_days_stay_within_the_calendar(self) -> None:
        assert shifted(date.min, -1) == date.min
        assert shifted(date.max, 1) == date.max
        assert shifted(TODAY, 1) == date(2026, 11, 21)


@pytest.mark.parametrize(
    ("filters", "left_out"),
    [
        (Filters(), False),
        (Filters(include_domains=("arxiv.org", "a.org")), False),
        (Filters(include_domains=("a.org",)), True),
        (Filters(exclude_domains=("arxiv.org",)), True),
        (Filters(exclude_domains=("a.org",)), False),
    ],
)
def test_a_source_of_one_site_is_left_out_by_domains_that_exclude_it(filters: Filters, left_out: bool) -> None:
    assert leaves_out("https://arxiv.org", filters) is left_out


def test_a_day_in_unix_time_has_a_first_and_a_last_second() -> None:
    assert unix_time(date(2026, 1, 1)) == 1_767_225_600
    assert unix_time(date(2026, 1, 1), end=True) == 1_767_225_600 + 86_399
    assert unix_time(date(1970, 1, 1)) == 0


def test_key_terms_leave_out_what_no_page_needs_to_say() -> None:
    assert key_terms('What does Marie Curie say about "cold fusion"?', 6, 300) == "Marie Curie say cold fusion"
    assert key_terms("why is it", 6, 300) == "why is it"
    assert key_terms("ice snow rain hail", 2, 300) == "ice snow"
    assert key_terms("ice snow", 6, 5) == "ice"
