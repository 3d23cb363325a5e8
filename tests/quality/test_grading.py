"""The card of weights over pages."""

from dataclasses import replace
from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as some

from deepresearch_mcp.quality.grading import SourceContext, grade, points_of, recency_of, standing_of
from deepresearch_mcp.quality.loading import own_scale
from deepresearch_mcp.records.quality import Quality
from deepresearch_mcp.records.sources import Document
from pipeline_fakes import page

SCALE = own_scale()
TODAY = date(2026, 11, 20)
KNOWN = SourceContext(TODAY, "reference")
PROSE = "The ice on a lake grows from above because cold water rises until it freezes. " * 30


def source(url: str, text: str = PROSE, days: int | None = None, author: str = "", title: str = "") -> Document:
    published = None if days is None else TODAY - timedelta(days)
    return page(url, text, title=title).model_copy(update={"published": published, "author": author})


def graded(url: str, text: str = PROSE, known: SourceContext = KNOWN, **given: object) -> Quality:
    return grade(source(url, text, **given), known, SCALE)  # type: ignore[arg-type]  # as source() takes them


def test_the_score_is_the_weighted_mean_of_the_four_parts_and_of_nothing_else():
    quality = graded("https://www.postgresql.org/docs/", days=9)

    parts = 0.4 * quality.authority + 0.2 * (quality.author + quality.content + quality.external)
    assert quality.score == pytest.approx(parts, abs=0.001)
    assert graded("https://www.postgresql.org/docs/", days=900).score == quality.score
    doubled = replace(SCALE, weights=replace(SCALE.weights, authority=0.8, author=0.4, content=0.4, external=0.4))
    assert grade(source("https://www.postgresql.org/docs/", days=9), KNOWN, doubled).score == quality.score


def test_sources_come_in_the_order_that_a_careful_reader_would_give_them():
    official = graded("https://www.cdc.gov/x", days=30)
    paper = graded("https://www.thelancet.com/x", days=30, author="Jane Doe")
    newspaper = graded("https://www.theguardian.com/x", days=30, author="Jane Doe")
    unknown = graded("https://ice.example/x", days=30)
    blog = graded("https://x.blogspot.com/x", days=30)
    farm = graded("https://www.ehow.com/x", days=30)

    scores = [one.score for one in (paper, official, newspaper, unknown, blog, farm)]
    assert scores == sorted(scores, reverse=True)
    assert [one.standing for one in (paper, official, newspaper, unknown, blog, farm)] == [
        "good", "good", "good", "fair", "poor", "poor",
    ]  # fmt: skip
    assert "low_authority" in blog.flags
    assert unknown.flags == ()
    assert (paper.peer_reviewed, official.peer_reviewed) == (True, False)


def test_layout_alone_makes_no_unlisted_site_good_or_poor_and_an_author_with_credentials_may():
    bare = graded("https://ice.example/x", "Ice floats.")
    rich = graded(
        "https://ice.example/x",
        f"By Jane Doe\n\n# Ice\n\n{PROSE}\n\n# More\n\n9 of 10, 20 of 30, 40 of 50.\n\n## References\n\n{PROSE}",
        days=3,
    )

    assert bare.score < rich.score
    assert (bare.standing, rich.standing) == ("fair", "fair")
    signed = graded(
        "https://ice.example/x", f"By Jane Doe, PhD\n\n# Ice\n\n{PROSE}\n\n## References\n\n{PROSE}", days=3
    )
    assert signed.author > rich.author


@pytest.mark.parametrize(
    ("topic", "days", "recency"),
    [("current_events", 100, 0.135), ("technology", 100, 0.368), ("history", 100, 0.951), ("science", -5, 1.0)],
)
def test_recency_decays_exponentially_at_the_topics_rate(topic: str, days: int, recency: float):
    assert recency_of(TODAY - timedelta(days), SourceContext(TODAY, topic), SCALE) == pytest.approx(recency, abs=0.001)


def test_the_same_age_is_outdated_for_one_topic_and_not_for_another():
    for topic, outdated in (("technology", True), ("history", False)):
        quality = graded("https://www.theguardian.com/x", known=SourceContext(TODAY, topic), days=800)
        assert ("outdated" in quality.flags) is outdated
        assert (quality.standing == "poor") is outdated


def test_a_page_without_a_date_is_neither_new_nor_outdated():
    quality = graded("https://ice.example/x", known=SourceContext(TODAY, "current_events"))

    assert quality.recency == SCALE.thresholds.undated
    assert "outdated" not in quality.flags


def test_links_and_engines_can_only_raise_the_score_and_not_without_end():
    alone = graded("https://ice.example/x")
    linked = graded("https://ice.example/x", known=replace(KNOWN, linked_from=1))
    found = graded("https://ice.example/x", known=replace(KNOWN, linked_from=1, engines=2))
    most = graded("https://ice.example/x", known=replace(KNOWN, linked_from=99, engines=99))

    assert alone.score < linked.score < found.score < most.score
    assert most.external == pytest.approx(alone.external + 0.5)
    assert graded("https://ice.example/x", known=replace(KNOWN, engines=0)).score == alone.score


def test_corroboration_is_the_share_of_claims_that_others_carry_too():
    none = graded("https://ice.example/x", known=replace(KNOWN, claims=3))
    some_of_them = graded("https://ice.example/x", known=replace(KNOWN, claims=3, shared=1))

    assert (none.corroboration, some_of_them.corroboration) == (0.0, 0.333)
    assert "single_source" in none.flags
    assert "single_source" not in (*some_of_them.flags, *graded("https://ice.example/x").flags)


def test_relevance_is_the_share_of_the_questions_words_whatever_their_endings():
    quality = graded("https://ice.example/x", known=replace(KNOWN, question="Why do lakes freeze in Vienna?"))

    assert quality.relevance == pytest.approx(2 / 3, abs=0.001)
    assert graded("https://ice.example/x", known=replace(KNOWN, question="Was it?")).relevance == 0.0
    assert graded("https://a.example/", "冰浮在水面", replace(KNOWN, question="冰浮")).relevance == 1.0


def test_a_withdrawn_paper_is_reviewed_no_more():
    quality = graded("https://www.thelancet.com/x", title="RETRACTED: On ice")

    assert not quality.peer_reviewed
    assert quality.content == 0.0
    assert quality.standing == "poor"
    assert "low_authority" in quality.flags


def test_a_paper_on_a_universitys_shelf_counts_as_reviewed_and_one_on_a_blog_does_not():
    text = f"doi:10.1000/xyz123\nAccepted: 3 May 2020\n{PROSE}\n\n## References\n\n{PROSE}"

    assert graded("https://eprints.example.edu/1", text).peer_reviewed
    assert not graded("https://x.blogspot.com/1", text).peer_reviewed
    assert not graded("https://eprints.example.edu/1").peer_reviewed


def test_machines_sellers_and_walls_are_flagged():
    machine = graded("https://ice.example/x", PROSE + "As an AI language model, I cannot see.")
    sold = graded("https://ice.example/x", "Sponsored content. " + PROSE)
    release = graded("https://www.prnewswire.com/x")
    walled = grade(source("https://ice.example/x").model_copy(update={"flags": ("undated", "paywalled")}), KNOWN, SCALE)

    assert machine.flags == ("machine_generated",)
    assert machine.standing == "poor"
    assert sold.flags == ("potential_bias",)
    assert "potential_bias" in release.flags
    assert walled.flags == ("paywalled",)
    assert max(machine.content, sold.content, walled.content) < graded("https://ice.example/x").content


@given(
    url=some.sampled_from(["https://a.example/", "https://www.cdc.gov/x", "library://a/b", "junk"]),
    text=some.text(max_size=200),
    days=some.none() | some.integers(-100, 40_000),
    known=some.builds(SourceContext, some.just(TODAY), some.sampled_from(sorted(SCALE.topics)), some.text(max_size=40),
                      some.integers(0, 9), some.integers(0, 9)),
    profile=some.sampled_from(sorted(SCALE.profiles)),
)  # fmt: skip
def test_every_grade_lies_between_nothing_and_all_and_is_the_same_again(url, text, days, known, profile):
    document = (
        source(url, text, days) if url != "junk" else source("https://a.example/").model_copy(update={"url": url})
    )
    scale = SCALE.under(profile)

    quality = grade(document, known, scale)

    for value in (quality.score, quality.authority, quality.author, quality.content, quality.external, quality.recency,
                  quality.relevance, quality.corroboration):  # fmt: skip
        assert 0 <= value <= 1
    assert grade(document, known, scale) == quality
    assert grade(document, replace(known, linked_from=0, engines=1), scale).score <= quality.score


@pytest.mark.parametrize("host", ["www.theonion.com", "www.infowars.com", "www.beforeitsnews.com", "www.rt.com"])
def test_satire_and_misinformation_stand_below_a_forum_however_well_they_are_made(host: str):
    rich = f"By Jane Doe, PhD\n\n# Ice\n\n{PROSE}\n\n## References\n\n{PROSE}"
    answer = graded("https://stackoverflow.com/questions/1", "Ice floats.")

    made_up = graded(
        f"https://{host}/x", rich, known=replace(KNOWN, linked_from=9, engines=9), days=3, author="Jane Doe"
    )

    assert made_up.kind in {"satire", "misinformation"}
    assert made_up.score < SCALE.thresholds.corroborates <= answer.score
    assert made_up.standing == "poor"


@given(
    url=some.sampled_from(
        ["https://www.cdc.gov/x", "https://ice.example/x", "https://x.blogspot.com/x", "https://www.ehow.com/x",
         "https://www.theonion.com/x", "https://www.thelancet.com/x", "https://stackoverflow.com/q/1"]
    ),
    days=some.one_of(some.none(), some.integers(0, 20_000)),
    topic=some.sampled_from(sorted(SCALE.topics)),
    engines=some.integers(0, 4),
    disputed=some.integers(0, 3),
    author=some.sampled_from(["", "Jane Doe"]),
)  # fmt: skip
def test_a_name_and_a_number_never_contradict_each_other(
    url: str, days: int | None, topic: str, engines: int, disputed: int, author: str
):
    known = SourceContext(TODAY, topic, engines=engines, claims=3, disputed=disputed)

    quality = graded(url, known=known, days=days, author=author)

    shown = points_of(quality.score)
    assert quality.standing == ("poor" if shown < 28 else "good" if shown >= 60 else "fair")
    assert quality.standing == standing_of(quality.score, SCALE)
    if {"outdated", "low_authority", "machine_generated"} & set(quality.flags):
        assert quality.standing == "poor"


def test_what_better_sources_dispute_loses_points():
    none, half, all_of_it = (
        graded("https://ice.example/x", known=replace(KNOWN, claims=2, disputed=number)) for number in (0, 1, 2)
    )

    assert none.score == pytest.approx(half.score + 0.15) == pytest.approx(all_of_it.score + 0.3)
    assert (none.disputed, half.disputed, all_of_it.disputed) == (0.0, 0.5, 1.0)
    assert graded("https://www.theonion.com/", known=replace(KNOWN, claims=1, disputed=1)).score == 0.0
