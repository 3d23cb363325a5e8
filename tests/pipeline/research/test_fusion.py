from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deepresearch_mcp.pipeline.research.fusion import by_words, fuse_hits, within_limits
from deepresearch_mcp.records.request import Filters
from deepresearch_mcp.records.sources import Hit
from deepresearch_mcp.text.urls import normalise_url

URLS = [f"https://d{number}.test/page" for number in range(6)] + [
    "https://d0.test/page/?utm_source=x",
    "http://D1.test/page",
    "library://notes/a.md",
    "junk",
]


def hits(engine: str) -> st.SearchStrategy[list[Hit]]:
    return st.lists(
        st.builds(
            Hit,
            url=st.sampled_from(URLS),
            title=st.sampled_from(["", "Ice", "Ice and water", "Ice and …"]),
            snippet=st.text(max_size=5),
            published=st.none() | st.dates(date(2020, 1, 1), date(2026, 1, 1)),
            engines=st.just((engine,)),
        ),
        max_size=6,
    )


ANSWERS = st.tuples(hits("a"), hits("b"), hits("c"))


def key(hit: Hit) -> str:
    return normalise_url(hit.url) or hit.url


class TestFusing:
    @given(ANSWERS)
    def test_no_page_is_there_twice_and_none_is_lost(self, answers: tuple[list[Hit], ...]) -> None:
        fused = [key(hit) for hit in fuse_hits(answers)]

        assert len(fused) == len(set(fused))
        assert set(fused) == {key(hit) for answer in answers for hit in answer}

    @given(ANSWERS, st.permutations(range(3)))
    def test_the_order_of_the_answers_matters_to_ties_alone(
        self, answers: tuple[list[Hit], ...], order: list[int]
    ) -> None:
        def facts(fused: list[Hit]) -> dict[str, object]:
            return {key(hit): (hit.score, hit.published, len(hit.snippet), set(hit.engines)) for hit in fused}

        one, other = fuse_hits(answers), fuse_hits([answers[number] for number in order])

        assert facts(one) == facts(other)
        assert [hit.score for hit in one] == [hit.score for hit in other]

    @given(ANSWERS)
    def test_fusing_what_is_fused_changes_no_order(self, answers: tuple[list[Hit], ...]) -> None:
        once = fuse_hits(answers)

        assert [hit.model_copy(update={"score": 0.0}) for hit in fuse_hits([once])] == [
            hit.model_copy(update={"score": 0.0}) for hit in once
        ]

    @given(ANSWERS)
    def test_the_best_comes_first(self, answers: tuple[list[Hit], ...]) -> None:
        scores = [hit.score for hit in fuse_hits(answers)]

        assert scores == sorted(scores, reverse=True)

    def test_a_page_that_two_engines_found_beats_one_that_was_first_once(self) -> None:
        one = [Hit(url="https://a.test/"), Hit(url="https://both.test/")]
        other = [Hit(url="https://b.test/"), Hit(url="https://both.test/")]

        assert [hit.url for hit in fuse_hits([one, other])] == [
            "https://both.test/",
            "https://a.test/",
            "https://b.test/",
        ]

    def test_the_earlier_engine_wins_a_tie(self) -> None:
        one, other = [Hit(url="https://a.test/")], [Hit(url="https://b.test/")]

        assert [hit.url for hit in fuse_hits([other, one])] == ["https://b.test/", "https://a.test/"]

    def test_what_is_merged_keeps_the_best_of_each(self) -> None:
        one = Hit(
            url="https://a.test/x?utm_source=n", title="Ice and …", snippet="short", engines=("brave",),
            published=date(2026, 2, 2),
        )  # fmt: skip
        other = Hit(
            url="https://a.test/x", title="Ice and water", snippet="much longer", engines=("tavily",),
            published=date(2026, 1, 1),
        )  # fmt: skip

        [hit] = fuse_hits([[Hit(url="https://b.test/"), other], [one]])[:1]

        assert hit.url == one.url
        assert hit.title == "Ice and water"
        assert hit.snippet == "much longer"
        assert hit.published == date(2026, 1, 1)
        assert hit.engines == ("tavily", "brave")
        assert hit.score == pytest.approx(1 / 61 + 1 / 62)

    def test_a_cut_title_is_better_than_none(self) -> None:
        [hit] = fuse_hits(
            [[Hit(url="https://a.test/", title="Ice …")], [Hit(url="https://a.test/", title="Ice and …")]]
        )

        assert hit.title == "Ice and …"

    def test_nothing_fused_is_nothing(self) -> None:
        assert fuse_hits([]) == fuse_hits([[], []]) == []


class TestAdmitting:
    def verdict(self, hit: Hit, filters: Filters, *, strict: bool = False) -> str:
        admitted, refused = within_limits([hit], filters, strict_dates=strict)
        assert len(admitted) + len(refused) == 1
        return refused[0].reason if refused else "admitted"

    @pytest.mark.parametrize(
        ("url", "verdict"),
        [
            ("https://a.org/x", "admitted"),
            ("https://www.sub.a.org/x", "admitted"),
            ("https://bad.a.org/x", "off_limits"),
            ("https://nota.org/x", "off_limits"),
            ("library://notes/x.md", "address_refused"),
            ("ftp://a.org/x", "address_refused"),
            ("javascript:alert(1)", "address_refused"),
            ("", "address_refused"),
        ],
    )
    def test_domains_are_held_to(self, url: str, verdict: str) -> None:
        filters = Filters(include_domains=("a.org",), exclude_domains=("bad.a.org",))

        assert self.verdict(Hit(url=url), filters) == verdict

    @pytest.mark.parametrize(
        ("published", "verdict"),
        [
            (date(2026, 1, 1), "admitted"),
            (date(2026, 2, 1), "admitted"),
            (date(2025, 12, 31), "off_limits"),
            (date(2026, 2, 2), "off_limits"),
            (None, "admitted"),
        ],
    )
    @pytest.mark.parametrize("url", ["https://a.org/", "library://notes/x.md"])
    def test_dates_are_held_to_with_both_ends(self, url: str, published: date | None, verdict: str) -> None:
        filters = Filters(published_after=date(2026, 1, 1), published_before=date(2026, 2, 1))

        assert self.verdict(Hit(url=url, published=published, engines=("local",)), filters) == verdict

    def test_a_collection_is_opened_by_its_own_engine_alone(self) -> None:
        limits = Filters(include_domains=("a.org",))

        assert self.verdict(Hit(url="library://notes/x.md", engines=("local",)), limits) == "admitted"
        assert self.verdict(Hit(url="library://diary/x.md", engines=("searxng",)), limits) == "address_refused"

    def test_an_undated_page_goes_only_where_dates_are_strict_and_asked_for(self) -> None:
        undated = Hit(url="https://a.org/")

        assert self.verdict(undated, Filters(published_after=date(2026, 1, 1)), strict=True) == "off_limits"
        assert self.verdict(undated, Filters(), strict=True) == "admitted"

    def test_the_order_stays_and_each_refusal_has_its_reason(self) -> None:
        found = [Hit(url="https://b.org/"), Hit(url="https://a.org/"), Hit(url="mailto:x"), Hit(url="https://c.org/")]

        admitted, refused = within_limits(found, Filters(exclude_domains=("a.org",)), strict_dates=False)

        assert [hit.url for hit in admitted] == ["https://b.org/", "https://c.org/"]
        assert [(row.url, row.reason) for row in refused] == [
            ("https://a.org/", "off_limits"),
            ("mailto:x", "address_refused"),
        ]
        assert all(row.detail for row in refused)


def test_a_hit_whose_snippet_answers_the_query_comes_before_those_that_only_name_its_words():
    notes = [
        Hit(url=f"https://d.test/{n}", title="Release notes", snippet="Fixed a crash of contains.", score=1 / (60 + n))
        for n in range(1, 7)
    ]
    page = Hit(url="https://d.test/q", title="Queries", snippet="contains is not supported on SQLite", score=1 / 67)

    found = by_words("JSONField contains not supported on SQLite", [*notes, page])

    assert [hit.url for hit in found] == [page.url, *(hit.url for hit in notes)]


def test_files_of_a_library_keep_the_order_that_their_whole_text_gave_them():
    files = [Hit(url=f"library://notes/{n}.md", snippet="ice " * n, score=1 / (60 + n)) for n in range(1, 4)]
    page = Hit(url="https://d.test/", snippet="ice", score=1 / 61)

    assert by_words("ice", files) == files
    assert [hit.url for hit in by_words("ice", [*files, page]) if hit != page][:1] == [files[0].url]


@given(hits("one"))
def test_words_change_the_order_of_hits_and_nothing_else(answer: list[Hit]):
    fused = fuse_hits([answer])

    assert sorted(hit.url for hit in by_words("ice", fused)) == sorted(hit.url for hit in fused)
    assert by_words("of", fused) == fused
    assert by_words("nothing-like-it", fused) == fused
