from collections.abc import Callable
from typing import Any

from deepresearch_mcp.records.evidence import Claim
from deepresearch_mcp.records.plan import Brief
from deepresearch_mcp.records.report import Sentence
from deepresearch_mcp.thinkers.base import Doubt
from deepresearch_mcp.thinkers.prompted import mending
from deepresearch_mcp.thinkers.tasks import RepairSentences
from filled_prompts import Filled, filled

MakeClaim = Callable[..., Claim]


def answered(sheet: Filled, **answer: object) -> Any:
    return sheet.answered(**answer)


def said(number: int) -> Sentence:
    return Sentence(text=f"Sentence {number}.", claim_ids=(f"cfact{number}", "cgone"))


def test_repaired_sentences_come_back_in_order_and_what_is_missing_is_dropped(brief: Brief, claim: MakeClaim) -> None:
    doubts = [Doubt(said(1), "too strong"), Doubt(said(2), "wrong year"), Doubt(said(3), "no such claim")]
    sheet = filled(mending.REPAIR, RepairSentences(brief, doubts, [claim(1), claim(2)]))

    found = answered(
        sheet,
        sentences=[{"n": 3, "text": ""}, {"n": 2, "text": "In 1998 [c2]."}, {"n": 7, "text": "Nowhere."}],
    )

    assert [(one.text, one.claim_ids) for one in found] == [
        ("", ("cfact1", "cgone")),
        ("In 1998.", ("cfact2", "cgone")),
        ("", ("cfact3", "cgone")),
    ]
    assert answered(sheet, sentences=[{"n": 7, "text": "Nowhere."}]) is None
    assert sheet.limits["sentences"] == {"minItems": 3, "maxItems": 3}


def test_a_doubt_is_shown_with_its_claims_and_the_pages_words(brief: Brief, claim: MakeClaim) -> None:
    sheet = filled(mending.REPAIR, RepairSentences(brief, [Doubt(said(1), "too\nstrong")], [claim(1), claim(2)]))

    assert sheet.values["doubts"].splitlines() == [
        '<doubt id="1">',
        "Sentence 1.",
        "Problem: too strong",
        "Claim: Fact number 1 holds. Page: “words 1”",
        "</doubt 8f3a>",
    ]
