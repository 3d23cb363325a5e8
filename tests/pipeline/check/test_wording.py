"""What a comparison of words may say."""

import pytest

from deepresearch_mcp.pipeline.check.wording import HEADINGS, ORDER, worded
from deepresearch_mcp.records.checks import CheckedClaim
from deepresearch_mcp.records.evidence import Quote, Verdict


def compared(verdict: Verdict, text: str, page: str, reason: str = "") -> CheckedClaim:
    quote = Quote(source_id="s1", snapshot="0", start=0, end=len(page), text=page)
    return worded(CheckedClaim(claim_id="k1", text=text, verdict=verdict, reason=reason, quotes=(quote,)))


@pytest.mark.parametrize(
    ("verdict", "page", "wording"),
    [
        ("supported", "Ice is 9 percent less dense than water.", "similar words found"),
        ("partly", "Ice is 9 percent less dense.", "similar words found in part"),
        ("partly", "Ice is 8 percent less dense than water.", "numbers differ"),
        ("disputed", "Ice is 8 percent less dense than water.", "numbers differ"),
        ("disputed", "Ice is not 9 percent less dense than water.", "a negation differs"),
        ("unsupported", "Fish swim.", "not found"),
        ("unverifiable", "Fish swim.", "not checked"),
    ],
)
def test_words_say_what_was_compared_and_the_verdict_stays(verdict: Verdict, page: str, wording: str) -> None:
    check = compared(verdict, "Ice is 9 percent less dense than water.", page)

    assert check.wording == wording
    assert check.verdict == verdict


def test_a_reason_does_not_say_what_only_a_reader_can() -> None:
    figure = compared("disputed", "It is 9.", "It is 8.", "the page says otherwise; it does not have: 9")
    denial = compared("disputed", "It is so.", "It is not so.", "the page says the opposite")

    assert figure.reason == "the page does not have: 9"
    assert denial.reason == "only one of the two has a negation"


def test_every_wording_has_its_place_and_its_heading() -> None:
    assert set(ORDER) == set(HEADINGS)
