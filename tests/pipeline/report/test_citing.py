"""So many citations and no more: which places stay, and which sentences with them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deepresearch_mcp.pipeline.numbering import QuotePlace, numbered_quotes, place_of_quote
from deepresearch_mcp.pipeline.report.citing import CitedDraft, within
from deepresearch_mcp.records.evidence import Claim, Quote
from deepresearch_mcp.records.report import Draft, Sentence, WrittenSection


def made(name: str, *at: str, **given: object) -> Claim:
    """A claim resting on places written as source and offset: "a0" are the first words of a."""
    quotes = tuple(
        Quote(source_id=one[0], snapshot=one[0], start=int(one[1:]), end=int(one[1:]) + 5, text="Words") for one in at
    )
    return Claim.model_validate({"claim_id": name, "sub_question": "q1", "text": name, "quotes": quotes} | given)


def said(*names: str) -> Sentence:
    return Sentence(text=" and ".join(names), claim_ids=names)


def draft(*body: Sentence, short: tuple[Sentence, ...] = (), differences: tuple[Sentence, ...] = ()) -> Draft:
    sections = (WrittenSection(heading="Body", paragraphs=(body,)),) if body else ()
    return Draft(title="Report", in_short=short, sections=sections, differences=differences)


def by_id(*claims: Claim) -> dict[str, Claim]:
    return {one.claim_id: one for one in claims}


def kept(cited: CitedDraft) -> set[str]:
    """The places as `made` takes them."""
    assert cited.places is not None
    return {f"{source}{start}" for source, start, _ in cited.places}


def sentences(whole: Draft) -> list[Sentence]:
    body = [one for section in whole.sections for one in section.sentences]
    return [*whole.in_short, *body, *whole.differences]


def texts(whole: Draft) -> list[str]:
    return [one.text for one in sentences(whole)]


def test_nought_means_all_and_leaves_the_draft_as_it_is():
    one = made("one", "a0")
    whole = draft(said("one"), said())
    cited = within(whole, by_id(one), 0)

    assert cited.draft == whole
    assert cited.places is None
    assert cited.may(one)


def test_a_report_with_fewer_places_than_it_may_have_keeps_every_sentence():
    whole = draft(said("one"), short=(said("two"),), differences=(said("one", "two"),))
    cited = within(whole, by_id(made("one", "a0"), made("two", "b0", "c0")), 9)

    assert cited.draft == whole
    assert kept(cited) == {"a0", "b0", "c0"}


def test_what_the_opening_cites_stays_before_anything_better():
    claims = by_id(made("poor", "a0", score=0.1, verdict="partly"), made("best", "b0", score=1.0, verdict="supported"))
    cited = within(draft(said("best"), said("poor"), short=(said("poor"),)), claims, 1)

    assert kept(cited) == {"a0"}
    assert texts(cited.draft) == ["poor", "poor"]
    assert cited.may(claims["poor"])
    assert not cited.may(claims["best"])


def test_an_opening_that_cites_one_source_twice_keeps_both_before_another_source_has_a_place():
    claims = by_id(made("one", "a0"), made("two", "a9"), made("else", "b0", score=1.0))

    assert kept(within(draft(said("else"), short=(said("one", "two"),)), claims, 2)) == {"a0", "a9"}


def test_two_claims_of_the_opening_on_the_same_words_take_one_place_of_those_it_may_have():
    claims = by_id(
        made("one", "a0", score=0.9), made("same", "a0", score=0.8), made("two", "a9"), made("else", "b0", score=1.0)
    )

    assert kept(within(draft(said("else"), short=(said("one", "same", "two"),)), claims, 2)) == {"a0", "a9"}


def test_an_opening_with_too_many_places_keeps_its_best_claims():
    claims = by_id(made("low", "a0", score=0.2), made("high", "b0", score=0.7), made("mid", "c0", score=0.5))
    cited = within(draft(short=(said("low"), said("high"), said("mid"))), claims, 2)

    assert texts(cited.draft) == ["high", "mid"]


def test_one_place_of_each_source_stays_before_a_second_of_any():
    claims = by_id(made("one", "a0", score=0.9), made("two", "a9", score=0.8), made("three", "b0", score=0.1))
    whole = draft(said("one"), said("two"), said("three"))

    assert kept(within(whole, claims, 2)) == {"a0", "b0"}
    assert kept(within(whole, claims, 3)) == {"a0", "a9", "b0"}


def test_the_words_that_every_claim_rests_on_stay_before_second_witnesses():
    claims = by_id(made("one", "a0", "b0", "c0", score=0.9), made("two", "d0", score=0.1))
    cited = within(draft(said("one"), said("two")), claims, 2)

    assert kept(cited) == {"a0", "d0"}
    assert texts(cited.draft) == ["one", "two"]


def test_a_claim_that_loses_a_witness_stays_by_another():
    claims = by_id(made("one", "a9", "b0", score=0.5), made("two", "a0", score=0.9))
    cited = within(draft(said("one"), said("two")), claims, 2)

    assert kept(cited) == {"a0", "b0"}
    assert texts(cited.draft) == ["one", "two"]


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ({"verdict": "supported", "score": 0.1}, {"verdict": "partly", "score": 0.9}),
        ({"score": 0.9, "independent": 1}, {"score": 0.1, "independent": 4}),
        ({"independent": 2}, {"independent": 1}),
    ],
)
def test_the_better_supported_and_better_scored_and_wider_witnessed_claim_stays(
    better: dict[str, object], worse: dict[str, object]
):
    claims = by_id(made("aaa", "a0", **worse), made("zzz", "z0", **better))

    assert kept(within(draft(said("aaa"), said("zzz")), claims, 1)) == {"z0"}


def test_equal_claims_stay_by_their_ids_wherever_they_stand():
    claims = by_id(made("one", "a0"), made("two", "b0"))

    assert (
        kept(within(draft(said("one"), said("two")), claims, 1))
        == kept(within(draft(said("two"), said("one")), claims, 1))
        == {"a0"}
    )


def test_a_sentence_of_several_claims_stays_with_those_that_have_a_place():
    claims = by_id(made("one", "a0", score=0.9), made("two", "b0", score=0.1))
    cited = within(draft(said("one", "two")), claims, 1)

    assert sentences(cited.draft) == [Sentence(text="one and two", claim_ids=("one",))]


def test_claims_on_the_same_words_need_one_place():
    claims = by_id(made("one", "a0", score=0.9), made("same", "a0"), made("two", "b0", score=0.5))

    assert texts(within(draft(said("one"), said("same"), said("two")), claims, 1).draft) == ["one", "same"]


def test_paragraphs_and_sections_without_a_sentence_go_and_the_rest_of_the_draft_stays():
    claims = by_id(made("one", "a0", score=0.9), made("two", "b0"))
    mixed = WrittenSection(heading="Mixed", paragraphs=((said("two"),), (said("one"), said("two"))))
    bare = WrittenSection(heading="Bare", paragraphs=((said("two"),),))
    whole = Draft(title="Report", sections=(bare, mixed), differences=(said("two"),))

    assert within(whole, claims, 1).draft == Draft(
        title="Report",
        sections=(WrittenSection(heading="Mixed", paragraphs=((said("one"),),)),),
    )


def test_sentences_without_a_known_claim_go_and_take_no_place():
    cited = within(draft(said(), said("unknown"), said("one")), by_id(made("one", "a0")), 1)

    assert texts(cited.draft) == ["one"]
    assert kept(cited) == {"a0"}


PLACES = st.lists(st.sampled_from([f"{source}{at}" for source in "abcde" for at in (0, 9)]), min_size=1, max_size=5)
NAMES = [f"c{number}" for number in range(7)]
SENTENCES = st.lists(st.lists(st.sampled_from([*NAMES, "gone"]), max_size=3, unique=True), max_size=5).map(
    lambda rows: tuple(said(*row) for row in rows)
)


@st.composite
def reports(choose: st.DrawFn) -> tuple[Draft, dict[str, Claim]]:
    claims = by_id(
        *(
            made(
                name,
                *choose(PLACES),
                score=choose(st.sampled_from([0.0, 0.5, 1.0])),
                verdict=choose(st.sampled_from(["supported", "partly"])),
            )
            for name in NAMES
        )
    )
    return draft(*choose(SENTENCES), short=choose(SENTENCES), differences=choose(SENTENCES)), claims


def places_in(whole: Draft, claims: dict[str, Claim]) -> list[set[QuotePlace]]:
    """What each sentence could cite."""
    known = [[claims[name] for name in one.claim_ids if name in claims] for one in sentences(whole)]
    return [{place_of_quote(quote) for claim in some for quote in numbered_quotes(claim)} for some in known]


@given(reports(), st.integers(1, 12))
def test_never_more_places_than_allowed_and_a_kept_one_behind_every_kept_sentence(
    report: tuple[Draft, dict[str, Claim]], most: int
):
    whole, claims = report
    cited = within(whole, claims, most)
    assert cited.places is not None
    could = set[QuotePlace]().union(*places_in(whole, claims))
    does = set[QuotePlace]().union(*places_in(cited.draft, claims))

    assert len(cited.places) == min(most, len(could))
    assert cited.places <= does <= could
    assert all(places & cited.places for places in places_in(cited.draft, claims))
    assert all(cited.may(claims[name]) for one in sentences(cited.draft) for name in one.claim_ids)


@given(reports(), st.integers(1, 12))
def test_a_sentence_goes_only_when_no_place_of_it_is_kept(report: tuple[Draft, dict[str, Claim]], most: int):
    whole, claims = report
    cited = within(whole, claims, most)
    assert cited.places is not None
    could = zip(sentences(whole), places_in(whole, claims), strict=True)

    assert texts(cited.draft) == [one.text for one, places in could if places & cited.places]


@given(reports(), st.integers(1, 12))
def test_holding_a_draft_twice_changes_nothing_more(report: tuple[Draft, dict[str, Claim]], most: int):
    whole, claims = report
    once = within(whole, claims, most)

    assert within(once.draft, claims, most) == once
