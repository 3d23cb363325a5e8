from typing import Any

import pytest
from pydantic import ValidationError

from deepresearch_mcp.records.evidence import Assessment, Claim, Quote

QUOTE = Quote(source_id="s1", snapshot="ab", start=4, end=14, text="ice floats")


def claim(**given: Any) -> Claim:
    whole = {"claim_id": "c1", "sub_question": "q1", "text": "Ice floats.", "quotes": [QUOTE]} | given
    return Claim.model_validate(whole)


def test_a_claim_without_a_quote_cannot_be_made() -> None:
    with pytest.raises(ValidationError, match="at least 1 item"):
        claim(quotes=[])


def test_a_claim_is_unverifiable_until_someone_judges_it() -> None:
    assert (claim().verdict, claim().checked_by) == ("unverifiable", "none")


def test_a_claim_cannot_be_changed_and_takes_no_word_it_does_not_know() -> None:
    with pytest.raises(ValidationError, match="frozen"):
        claim().verdict = "supported"  # pyright: ignore[reportAttributeAccessIssue] - the point of the test
    with pytest.raises(ValidationError, match="verdict"):
        claim(verdict="true")
    with pytest.raises(ValidationError, match="proven"):
        claim(proven=True)


def test_a_claim_goes_through_json_unchanged() -> None:
    whole = claim(verdict="disputed", disputes=["c2"], checked_by="model", independent=2)

    assert Claim.model_validate_json(whole.model_dump_json()) == whole


@pytest.mark.parametrize("sufficiency", [0, 11])
def test_sufficiency_is_a_number_from_one_to_ten(sufficiency: int) -> None:
    with pytest.raises(ValidationError, match="sufficiency"):
        Assessment(sufficiency=sufficiency)
