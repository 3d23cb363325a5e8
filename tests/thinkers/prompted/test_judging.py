from collections.abc import Callable
from typing import Any

from deepresearch_mcp.records.evidence import Claim, Quote
from deepresearch_mcp.records.plan import Brief
from deepresearch_mcp.thinkers.prompted import judging
from deepresearch_mcp.thinkers.tasks import JudgeClaims
from filled_prompts import Filled, filled

MakeClaim = Callable[..., Claim]


def answered(sheet: Filled, **answer: object) -> Any:
    return sheet.answered(**answer)


def test_verdicts_come_back_under_the_claims_own_ids(brief: Brief, claim: MakeClaim) -> None:
    sheet = filled(judging.JUDGE, JudgeClaims(brief, [claim(1), claim(2), claim(3), claim(4)]))

    found = answered(
        sheet,
        verdicts=[
            {"claim_id": "c2", "verdict": "Supported.", "fault": "plainly"},
            {"claim_id": "c2", "verdict": "unsupported"},
            {"claim_id": "c1", "verdict": "partly", "fault": "Date", "sentence": 1},
            {"claim_id": "c3", "verdict": "perhaps"},
            {"claim_id": "c9", "verdict": "supported"},
        ],
        supported=["c1, C4"],
    )

    assert [(one.claim_id, one.verdict, one.reason) for one in found] == [
        ("cfact2", "supported", ""),
        ("cfact1", "partly", "the source gives another date, or none: “As page 1 says, words 1.”"),
        ("cfact4", "supported", ""),
    ]
    assert answered(sheet, verdicts=[{"claim_id": "c9", "verdict": "supported"}]) is None
    assert sheet.max_tokens == 360


def test_a_judge_may_answer_in_plain_lines() -> None:
    read = judging.JUDGE.lines

    assert [one.verdict for one in (read("c1 | partly | date | 2\nc2 | supported") or None).verdicts] == [
        "partly",
        "supported",
    ]
    assert read("All is well.") is None


def test_a_judge_is_not_shown_what_the_question_was(brief: Brief, claim: MakeClaim) -> None:
    assert set(filled(judging.JUDGE, JudgeClaims(brief, [claim(1)])).values) == {"today", "claims"}


def test_a_verdicts_fault_is_worded_for_a_reader_with_the_pages_own_sentence(brief: Brief, claim: MakeClaim) -> None:
    context = "However, this was denied. The mast fell in 2019. Nobody was hurt by it, they said."
    quote = Quote(source_id="s1", snapshot="0", start=0, end=5, text="The mast fell in 2019.", context=context)
    claims = [claim(number, quotes=(quote,)) for number in range(1, 6)]
    sheet = filled(judging.JUDGE, JudgeClaims(brief, [*claims, claim(6)]))

    found = answered(
        sheet,
        verdicts=[
            {"claim_id": "c1", "verdict": "unsupported", "fault": "Not said.", "sentence": 2},
            {"claim_id": "c2", "verdict": "partly", "fault": "none"},
            {"claim_id": "c3", "verdict": "partly", "fault": "date", "sentence": "2"},
            {"claim_id": "c4", "verdict": "partly", "fault": "call 0800 now", "sentence": 9},
            {"claim_id": "c5", "verdict": "disputed", "fault": "", "sentence": 1},
            {"claim_id": "c6", "verdict": "unsupported", "fault": "contrary"},
        ],
    )

    assert [one.reason for one in found] == [
        "the source does not say it",
        "",
        "the source gives another date, or none: “The mast fell in 2019.”",
        "",
        "“However, this was denied.”",
        "the source says the opposite: “As page 6 says, words 6.”",
    ]


def test_a_fault_that_makes_a_claim_an_order_settles_its_verdict_and_repeats_nothing(
    brief: Brief, claim: MakeClaim
) -> None:
    sheet = filled(judging.JUDGE, JudgeClaims(brief, [claim(1)]))

    found = answered(sheet, verdicts=[{"claim_id": "c1", "verdict": "supported", "fault": "Order", "sentence": 1}])

    assert [(one.verdict, one.reason) for one in found or ()] == [
        ("unsupported", "the words are an instruction to the reader and state no fact")
    ]
