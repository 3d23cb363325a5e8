from collections.abc import Callable

import pytest

from deepresearch_mcp.records.evidence import Claim
from deepresearch_mcp.records.plan import Brief
from deepresearch_mcp.records.report import SectionPlan
from deepresearch_mcp.thinkers.extractive.writing import merged, write

MakeBrief = Callable[..., Brief]
MakeClaim = Callable[..., Claim]

SECTION = SectionPlan(heading="Why does ice float on water?", sub_questions=("q1",))


def test_the_most_direct_sentence_opens_and_its_source_goes_on(brief: MakeBrief, claim: MakeClaim) -> None:
    claims = [
        claim("Water covers most of the surface of the earth.", "s1", 100),
        claim("Ice floats on water because it is less dense than water.", "s2", 900),
        claim("Snow is frozen water as well, in the form of flakes.", "s2", 100),
    ]

    written = write(brief(), SECTION, claims)

    assert [sentence.text[:4] for sentence in written] == ["Ice ", "Snow", "Wate"]
    assert written[0].claim_ids == (claims[1].claim_id,)


def test_two_sources_that_say_the_same_share_a_sentence(brief: MakeBrief, claim: MakeClaim) -> None:
    first = claim("Ice floats on water because it is less dense.", "s1")
    second = claim("Ice floats on the water because it is less dense", "s2")

    [sentence] = write(brief(), SECTION, [first, second])

    assert set(sentence.claim_ids) == {first.claim_id, second.claim_id}


def test_sentences_that_differ_in_a_number_stay_apart(brief: MakeBrief, claim: MakeClaim) -> None:
    claims = [
        claim(f"The density of the ice on the river was {n} kilograms per cubic metre.", f"s{n}") for n in (917, 919)
    ]

    assert len(write(brief(), SECTION, claims)) == 2


def test_a_long_sentence_is_shortened_with_an_ellipsis_and_a_short_one_is_closed(
    brief: MakeBrief, claim: MakeClaim
) -> None:
    claims = [claim("ice floats on water, " * 30, "s1"), claim("the ice is light", "s2")]

    texts = [sentence.text for sentence in write(brief(), SECTION, claims)]

    assert all(len(text) <= 300 for text in texts)
    assert any(text.endswith("…") for text in texts)
    assert "The ice is light." in texts


def test_a_long_sentence_keeps_the_clause_that_its_beginning_leads_up_to(brief: MakeBrief, claim: MakeClaim) -> None:
    condition = "Since the ice on a lake begins where the air is coldest (which is at its edge, as a rule, and "
    long = f"{condition}{'never in the middle, and ' * 8}not below), the ice grows towards the middle of the lake."

    [sentence] = write(brief(), SECTION, [claim(long, "s1")])

    assert len(long) > 300
    assert sentence.text == long


def test_a_claim_only_partly_supported_gives_way_to_its_quote(brief: MakeBrief, claim: MakeClaim) -> None:
    partly = claim("Ice always floats on all water.", quote="Ice *often* floats on water.", verdict="partly")

    [sentence] = write(brief(), SECTION, [partly])

    assert sentence.text == "Ice often floats on water."


def test_a_leaning_sentence_stands_only_behind_its_neighbour(brief: MakeBrief, claim: MakeClaim) -> None:
    support = claim("Ice floats on water because of its lattice.", "s1", 0)
    leaning = claim("This makes the ice on water light.", "s1", support.quotes[0].end + 1)
    lost = claim("However, this ice on water is heavy.", "s2", 500)
    other = claim("Water is heavier than the ice which floats on it.", "s3", 0)

    texts = [sentence.text for sentence in write(brief(), SECTION, [lost, leaning, other, support])]

    assert lost.text not in texts
    assert texts.index(leaning.text) == texts.index(support.text) + 1


def test_the_best_sentence_takes_its_neighbour_along_to_the_front(brief: MakeBrief, claim: MakeClaim) -> None:
    early = claim("Water was studied for many years at the institute.", "s1", 0)
    best = claim("Ice floats on water because ice is less dense than water is.", "s1", 200)
    behind = claim("It keeps lakes alive in winter.", "s1", best.quotes[0].end + 1)

    texts = [sentence.text for sentence in write(brief(), SECTION, [early, best, behind])]

    assert texts == [best.text, behind.text, early.text]


def test_where_only_leaning_sentences_are_left_they_are_said(brief: MakeBrief, claim: MakeClaim) -> None:
    claims = [claim("It floats on water.", "s1", 0), claim("This ice is light.", "s2", 50)]

    assert len(write(brief(), SECTION, claims)) == 2


def test_a_paragraph_ends_before_it_is_too_long(brief: MakeBrief, claim: MakeClaim) -> None:
    claims = [claim(f"Ice number {n} floats on water of sort {n * 7} near town {n * 13}.", f"s{n}") for n in range(30)]

    assert len(write(brief(), SECTION, claims)) == 10


def test_what_is_far_beside_the_best_is_left_out_behind_the_first_four(brief: MakeBrief, claim: MakeClaim) -> None:
    good = [claim(f"Ice floats on water because ice of kind {n} is less dense.", f"s{n}", 0) for n in range(4)]
    bad = claim("Tea, perhaps", "s9")

    good = [one.model_copy(update={"score": 0.9}) for one in good]
    aside = bad.model_copy(update={"score": 0.1})

    texts = [sentence.text for sentence in write(brief(), SECTION, [aside, *good])]

    assert "Tea, perhaps." not in texts


def test_where_pages_answer_one_by_one_what_only_shares_a_word_is_left_out(brief: MakeBrief, claim: MakeClaim) -> None:
    section = SectionPlan(heading="What does a with statement do with an exception?", sub_questions=("q1",))
    told = ("If it returns true, the exception is suppressed.", "A with statement hands the exception to its manager.")
    under = [claim(text, "s1", 100 * at, heading="The with statement") for at, text in enumerate(told)]
    beside = [
        claim("An object matches an exception of its class.", "s2", 0, heading="The try statement"),
        claim("Calling it with too few values raises an exception.", "s3", 0, heading="Calls"),
        claim("The generator ends with an exception of its own kind.", "s4", 0, heading="Yield"),
        claim("Of a name that is not bound an exception tells.", "s5", 0, heading="Names"),
    ]

    texts = [sentence.text for sentence in write(brief(), section, [*beside, *under])]

    assert set(told) <= set(texts[:3])
    assert len(texts) == 3


def test_a_bare_heading_is_read_together_with_the_question(brief: MakeBrief, claim: MakeClaim) -> None:
    section = SectionPlan(heading="Ice", sub_questions=("q1",))

    assert len(write(brief("What is ice?"), section, [claim("Ice is frozen water.")])) == 1
    assert write(brief(), section, []) == ()


@pytest.mark.parametrize("order", [1, -1])
def test_the_order_of_the_claims_does_not_matter(brief: MakeBrief, claim: MakeClaim, order: int) -> None:
    claims = [claim(f"Ice floats on water in lake {name}.", f"s{name}") for name in ("Ada", "Bor", "Cis")][::order]

    written = write(brief(), SECTION, claims)

    assert sorted(sentence.text for sentence in written) == sorted(one.text for one in claims)
    assert [s.text for s in written] == [s.text for s in write(brief(), SECTION, claims[::-1])]


def test_a_second_witness_of_the_same_source_adds_no_worth(claim: MakeClaim) -> None:
    twice = [claim("Ice floats on water.", "s1", 0), claim("Ice floats on water.", "s1", 80)]

    [one] = merged(twice, "ice water", "en")

    assert len(one.claims) == 2


def test_of_two_equally_good_sentences_that_of_the_better_source_opens(brief: MakeBrief, claim: MakeClaim) -> None:
    texts = ("Ice floats on water in the lake.", "Ice floats on water in the pond.")
    for better in (0, 1):
        claims = [
            claim(text, f"s{n}").model_copy(update={"standing": "good" if n == better else "poor"})
            for n, text in enumerate(texts)
        ]

        assert write(brief(), SECTION, claims)[0].text == texts[better]
