from collections.abc import Callable

import pytest

from deepresearch_mcp.records.evidence import Claim, Judgement
from deepresearch_mcp.thinkers.extractive.judging import judge

Make = Callable[..., Claim]
QUOTE = "In 1912 the **Titanic** sank in the Atlantic with about 1,500 people on board.[2]"


def one(claim: Claim) -> Judgement:
    [judgement] = judge([claim], "en")
    assert judgement.claim_id == claim.claim_id
    return judgement


def test_a_claim_that_is_its_quote_is_supported(claim: Make) -> None:
    text = "In 1912 the Titanic sank in the Atlantic with about 1,500 people on board."

    assert one(claim(text, quote=QUOTE)).verdict == "supported"


def test_a_claim_in_other_words_with_the_same_details_is_supported(claim: Make) -> None:
    assert one(claim("The Titanic sank in 1912 in the Atlantic.", quote=QUOTE)).verdict == "supported"


def test_a_changed_number_is_named_and_not_supported(claim: Make) -> None:
    judgement = one(claim("The Titanic sank in the Atlantic in 1913.", quote=QUOTE))

    assert judgement.verdict != "supported"
    assert "1913" in judgement.reason


def test_a_claim_that_goes_beyond_its_quote_is_partly_supported(claim: Make) -> None:
    judgement = one(claim("In 1912 the Titanic sank in the Atlantic after hitting icebergs.", quote=QUOTE))

    assert judgement.verdict == "partly"
    assert "icebergs" in judgement.reason


def test_a_name_that_is_missing_is_told_once_whatever_its_capitals(claim: Make) -> None:
    reason = one(claim("Carpathia and CARPATHIA sank.", quote=QUOTE)).reason

    assert reason.casefold().count("carpathia") == 1


def test_a_denial_of_what_the_quote_says_is_unsupported(claim: Make) -> None:
    judgement = one(claim("In 1912 the Titanic never sank in the Atlantic with 1,500 people on board.", quote=QUOTE))

    assert judgement.verdict == "unsupported"


def test_a_claim_about_something_else_is_unsupported(claim: Make) -> None:
    assert one(claim("Bees dance to show where the flowers are.", quote=QUOTE)).verdict == "unsupported"


def test_a_small_piece_of_a_quote_is_not_taken_at_its_word(claim: Make) -> None:
    quote = "The minister denied that the bridge is not safe for traffic at all in winter."

    assert one(claim("The bridge is safe.", quote=quote)).verdict != "supported"


def test_a_claim_without_words_is_not_supported(claim: Make) -> None:
    assert one(claim("…", quote=QUOTE)).verdict == "unsupported"
    assert one(claim("It was not so.", quote=QUOTE)).verdict == "unsupported"


def test_a_claim_that_is_its_quote_scores_1_and_others_by_degrees(claim: Make) -> None:
    whole = one(claim("In 1912 the Titanic sank in the Atlantic with about 1,500 people on board.", quote=QUOTE))
    same = one(claim("The Titanic sank in 1912 in the Atlantic.", quote=QUOTE))
    more = one(claim("In 1912 the Titanic sank in the Atlantic after hitting icebergs.", quote=QUOTE))
    other = one(claim("Bees dance to show where the flowers are.", quote=QUOTE))

    assert whole.score == 1
    assert None not in (same.score, more.score, other.score)
    assert 1 > (same.score or 0) > (more.score or 0) > (other.score or 0)


def test_a_wrong_name_in_a_claim_that_otherwise_stands_is_not_supported(claim: Make) -> None:
    judgement = one(claim("In 1912 the Olympic sank in the Atlantic with about 1,500 people on board.", quote=QUOTE))

    assert judgement.verdict != "supported"
    assert "Olympic" in judgement.reason


def test_a_long_claim_with_a_few_things_in_other_words_is_carried_in_part_until_a_model_judges(claim: Make) -> None:
    quote = (
        "The Orran lighthouse, built in 1871 by Marta Elling and restored in 1990, "
        "still guides ships through the strait with a lamp of paraffin."
    )
    text = (
        "Built in 1871 by Marta Elling and restored in 1990, the Orran lighthouse still leads vessels "
        "through the strait with a paraffin lamp."
    )

    judgement = one(claim(text, quote=quote))

    assert judgement.verdict == "partly"
    assert judgement.reason == "not in the quoted words: leads, vessels"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("Strict is the default mode in Kestrel.", "the page says “Lenient”, not “Strict”"),
        (
            "The default mode in Kestrel is Lenient since 2019.",
            "the words stand there, but not together (2019); no model judged it",
        ),
        ("Only Lenient is the default mode in Kestrel.", "not in the quoted words: only"),
    ],
)
def test_words_of_several_sentences_are_not_stitched_together(claim: Make, text: str, reason: str) -> None:
    quote = "Lenient is the default mode in Kestrel. Strict mode came in 2019."
    judgement = one(claim(text, quote=quote))

    assert (judgement.verdict, judgement.reason) == ("partly", reason)


def test_a_sentence_that_calls_it_it_is_read_below_its_heading(claim: Make) -> None:
    quote = "It opened in 1904 and was widened later."

    assert one(claim("The Selmar canal opened in 1904.", quote=quote, heading="Selmar canal")).verdict == "supported"
    assert one(claim("The Velby tunnel opened in 1904.", quote=quote, heading="Selmar canal")).verdict != "supported"


def test_words_that_someone_only_claimed_or_denied_are_not_taken_at_their_word(claim: Make) -> None:
    quote = "The mayor denied that the old lighthouse on the cape was sold to a hotel in 1990."

    assert one(claim("The old lighthouse on the cape was sold to a hotel in 1990.", quote=quote)).verdict != "supported"


def test_two_words_that_are_there_are_too_few_to_be_sure(claim: Make) -> None:
    judgement = one(claim("People sank.", quote=QUOTE))

    assert judgement.verdict == "partly"
    assert judgement.reason == "the words stand there, but not as they are put here; no model judged it"


def test_a_quote_in_another_language_is_judged_by_its_words(claim: Make) -> None:
    text = "Das Eis schwimmt auf dem Wasser."

    [judgement] = judge([claim(text)], "")

    assert judgement.verdict == "supported"
