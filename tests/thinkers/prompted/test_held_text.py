"""The claims behind finished sentences, as a last reader is shown them."""

from collections.abc import Callable

from deepresearch_mcp.records.evidence import Claim
from deepresearch_mcp.thinkers.prompted.held_text import (
    behind,
    claim_labels,
    claimed,
    claims_text,
    under_headings,
    words_needed,
)

MakeClaim = Callable[..., Claim]


def at(claim: Claim, source: str, heading: str) -> Claim:
    place = claim.quotes[0].model_copy(update={"source_id": source, "heading": heading})
    return claim.model_copy(update={"quotes": (place,)})


def test_claims_of_one_place_stand_together_and_the_place_is_named_once(claim: MakeClaim) -> None:
    ice, sea, again = at(claim(1), "s1", "Ice"), at(claim(2), "s2", "Sea"), at(claim(3), "s1", "Ice")

    labels = claim_labels([ice, sea, again, ice])
    shown = claims_text(labels, set(), "8f3a")

    assert [one.claim_id for one in labels.items] == [ice.claim_id, again.claim_id, sea.claim_id]
    assert shown.count("“Ice”:") == shown.count("“Sea”:") == 1
    assert shown.index("“Ice”") < shown.index("c1:") < shown.index("c2:") < shown.index("“Sea”") < shown.index("c3:")


def test_a_page_s_words_are_needed_where_they_say_what_the_sentence_says_and_no_claim_does(claim: MakeClaim) -> None:
    sound, doubtful = claim(1, verdict="supported"), claim(2, verdict="partly")

    assert words_needed("Fact number 1 holds.", [sound]) == set()
    assert words_needed("Its words hold.", [sound]) == {sound.claim_id}
    assert words_needed("Fact number 2 holds.", [doubtful]) == {doubtful.claim_id}


def test_a_doubt_about_a_claim_is_told(claim: MakeClaim) -> None:
    assert claimed(claim(1, verdict="disputed")) == "Fact number 1 holds. (disputed)"


def test_the_sentence_before_is_named_where_it_is_shown_too_and_quoted_where_not() -> None:
    assert behind("One.", {"One.": "s4"}) == " [after s4]"
    assert behind("One.", {}) == " [after: “One.”]"
    assert behind("", {}) == ""


def test_rows_stand_under_the_heading_of_their_section_and_the_opening_under_none() -> None:
    assert under_headings(["s1", "s2", "s3", "s4"], ["", "Ice", "Ice", ""]) == "s1\n# Ice\ns2\ns3\n# –\ns4"
