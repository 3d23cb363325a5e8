import pytest
from pydantic import ValidationError

from deepresearch_mcp.records.report import Citation, ClaimCount, Draft, Sentence, WrittenSection


def test_a_draft_is_sentences_that_name_their_claims() -> None:
    stated = Sentence(text="Ice floats.", claim_ids=("c1",))
    draft = Draft(title="Ice", in_short=(stated,), sections=(WrittenSection(heading="Why", paragraphs=((stated,),)),))

    assert Draft.model_validate_json(draft.model_dump_json()) == draft


def test_a_citation_without_its_words_cannot_be_made() -> None:
    with pytest.raises(ValidationError) as caught:
        Citation.model_validate({"number": 1, "claim_ids": ["c1"], "url": "https://a.example/", "link": ""})

    assert {error["loc"][0] for error in caught.value.errors()} == {"source_id", "snapshot", "start", "end", "quote"}


def test_verdicts_are_counted_under_their_own_names_only() -> None:
    assert ClaimCount(claims=2, verdicts={"supported": 2}).verdicts == {"supported": 2}
    with pytest.raises(ValidationError, match="verdicts"):
        ClaimCount.model_validate({"verdicts": {"true": 2}})
