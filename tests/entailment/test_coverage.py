import gzip
import json
from pathlib import Path
from statistics import median

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.stopwatch import spent

from deepresearch_mcp.entailment.coverage import SHOWN, SentenceIndex, covered, held_terms, lost_words

DATA = Path(__file__).parents[2] / ".." / "shared" / "data" / "verify_wice"
PAGE = SentenceIndex(
    [
        "The lighthouse at Cape Orran was built in 1871.",
        "It was designed by the engineer Marta Elling.",
        "Its lamp burns paraffin and is seen for thirty miles.",
        "Visitors may climb the stairs in summer.",
        "A café stands beside it.",
    ]
)


def test_the_sentence_that_says_it_comes_first() -> None:
    assert PAGE.best("The lamp can be seen for thirty miles.")[0] == 2


def test_each_further_sentence_is_chosen_for_what_is_still_missing() -> None:
    twice = SentenceIndex(
        ["The harbour of Lund closed in 1950.", "Lund harbour closed in 1950.", "A museum of whaling opened there."]
    )

    assert set(twice.best("The harbour of Lund closed in 1950 and a museum opened.", 2)) in ({0, 2}, {1, 2})


def test_sentences_without_a_word_of_the_claim_are_left_out() -> None:
    assert PAGE.best("Visitors climb in summer.") == [3]


def test_no_more_sentences_come_than_were_asked_for() -> None:
    many = SentenceIndex(["Ice floats on water."] * 20)

    assert len(many.best("Ice floats.", 3)) == 3
    assert len(many.best("Ice floats.")) == SHOWN


def test_the_earlier_of_two_equal_sentences_is_taken() -> None:
    assert SentenceIndex(["Ice floats.", "Wood burns.", "Lead sinks.", "Ice floats."]).best("Ice floats.", 1) == [0]


@pytest.mark.parametrize(
    "less",
    [
        "The lighthouse at Cape Orran was built in 1872.",
        "The lighthouse at Cape Torren was built in 1871.",
        "The windmill at Cape Orran was painted in 1871.",
        "The lighthouse at Cape Orran was never built in 1871.",
    ],
)
def test_a_claim_with_another_detail_word_or_polarity_is_carried_less(less: str) -> None:
    assert PAGE.score(less) < PAGE.score("The lighthouse at Cape Orran was built in 1871.")


def test_a_claim_carried_by_two_sentences_together_beats_one_carried_in_part() -> None:
    both = "The lighthouse at Cape Orran, designed by Marta Elling, was built in 1871."
    half = "The lighthouse at Cape Orran, praised by sailors everywhere, was built in 1871."

    assert PAGE.score(both) > PAGE.score(half)


def test_accents_and_endings_do_not_matter() -> None:
    assert PAGE.score("Cafes stand beside it.") == pytest.approx(PAGE.score("A café stands beside it."), abs=0.05)


def test_a_word_of_the_same_family_counts_in_part() -> None:
    page = SentenceIndex(["She directed the play in Oslo."])

    same, kin, other = (page.score(f"The {word} of the play in Oslo.") for word in ("directed", "director", "teapot"))

    assert same > kin > other


def test_nothing_is_carried_by_nothing() -> None:
    assert SentenceIndex([]).score("Ice floats.") == 0
    assert SentenceIndex(["…", ""]).score("Ice floats.") == 0
    assert PAGE.score("…") == 0
    assert PAGE.best("") == []


def test_a_claim_of_small_words_is_held_against_them() -> None:
    assert SentenceIndex(["To be or not to be."]).best("to be") == [0]


def test_text_is_split_into_its_sentences() -> None:
    page = SentenceIndex.of("Ice floats on water. Lead sinks at once.")

    assert page.best("Lead sinks.", 1) == [1]


def test_a_script_without_spaces_is_compared_by_its_characters() -> None:
    page = SentenceIndex(["水の上に氷が浮かんでいる。", "猫は窓のそばで眠る。"])

    assert page.best("氷が浮かんでいる。", 1) == [0]
    assert page.score("氷が浮かんでいる。") > page.score("犬は庭を走る。")


def test_words_that_no_sentence_has_are_uncarried_and_the_small_word_before_them() -> None:
    tokens = ["The", "lighthouse", "at", "Cape", "Orran", "was", "built", "of", "granite", "."]

    told = PAGE.uncarried(tokens)

    assert [token for token, out in zip(tokens, told, strict=True) if out] == ["of", "granite"]


def test_a_word_met_by_accident_beside_an_uncarried_one_is_uncarried_too() -> None:
    page = SentenceIndex(["The old mill by the river was sold.", "Summer was dry."])

    told = page.uncarried(["The", "mill", "was", "sold", "after", "flooding", "summer"])

    assert told == [False, False, False, False, True, True, True]


def test_a_word_that_keeps_its_neighbour_stays_carried() -> None:
    told = PAGE.uncarried(["The", "grumpy", "engineer", "Marta", "Elling", "designed", "it"])

    assert told == [True, True, False, False, False, False, False]


def test_without_evidence_every_meaning_word_is_uncarried() -> None:
    assert SentenceIndex([]).uncarried(["Ice", "floats", "."]) == [True, True, False]
    assert SentenceIndex([]).uncarried([]) == []


@given(st.lists(st.text(max_size=60), max_size=8), st.text(max_size=80))
def test_any_text_gets_a_score_between_0_and_1_and_a_mark_for_each_token(found: list[str], claim: str) -> None:
    page = SentenceIndex(found)

    best = page.best(claim)

    assert 0 <= page.score(claim) <= 1
    assert len(set(best)) == len(best) <= SHOWN
    assert all(0 <= at < len(found) for at in best)
    assert len(page.uncarried(claim.split())) == len(claim.split())


@pytest.mark.skipif(not DATA.exists(), reason="the public sets lie beside the repository, not in it")
def test_an_article_of_a_hundred_sentences_is_weighed_in_ten_milliseconds() -> None:
    with gzip.open(next(DATA.glob("claim_*.jsonl.gz")), "rt", encoding="utf-8") as lines:
        cases = [row for row in map(json.loads, lines) if 100 <= len(row["evidence"]) <= 140]
    times: list[float] = []
    for row in cases:
        with spent() as taken:
            SentenceIndex(row["evidence"]).score(row["claim"])
        times.append(taken.seconds)

    assert median(times) < 0.010


def test_the_share_of_words_is_of_those_with_content_whatever_their_accents_and_endings() -> None:
    page = "A café stood beside the old bridges."

    assert covered("The cafe beside the bridge.", page) == 1
    assert covered("The cafe beside the windmill.", page) == pytest.approx(2 / 3)
    assert held_terms("A windmill.", page) == frozenset()
    assert lost_words("The cafe beside a windmill.", page) == ["windmill"]


def test_an_adverb_is_a_word_of_its_own() -> None:
    assert lost_words("It is historically small.", "A historical and small town.") == ["historically"]


def test_small_words_are_those_of_the_language_that_is_given() -> None:
    said = "Eis ist leicht"

    assert lost_words(said, "Eis leicht", "de") == []
    assert lost_words(said, "Eis leicht", "en") == ["ist"]


def test_a_statement_of_small_words_is_covered_by_them() -> None:
    assert covered("to be", "To be or not to be.") == 1
    assert covered("", "To be.") == 0
