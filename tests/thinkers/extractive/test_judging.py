from collections.abc import Callable

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


def test_a_long_claim_may_put_a_few_small_things_in_other_words(claim: Make) -> None:
    quote = (
        "The Orran lighthouse, built in 1871 by Marta Elling and restored in 1990, "
        "still guides ships through the strait with a lamp of paraffin."
    )
    text = (
        "Built in 1871 by Marta Elling and restored in 1990, the Orran lighthouse still leads vessels "
        "through the strait with a paraffin lamp."
    )

    assert one(claim(text, quote=quote)).verdict == "supported"


def test_two_words_that_are_there_are_too_few_to_be_sure(claim: Make) -> None:
    judgement = one(claim("People sank.", quote=QUOTE))

    assert judgement.verdict == "partly"
    assert judgement.reason == "its words are there, but too few to be sure"


def test_a_quote_in_another_language_is_judged_by_its_words(claim: Make) -> None:
    text = "Das Eis schwimmt auf dem Wasser."

    [judgement] = judge([claim(text)], "")

    assert judgement.verdict == "supported"
