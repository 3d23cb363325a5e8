import pytest

from deepresearch_mcp.exceptions import BudgetExceeded, KeyRefused, UnreadableAnswer
from deepresearch_mcp.pipeline.research.verifier import verify
from deepresearch_mcp.ports.journal import Step
from deepresearch_mcp.records.evidence import Claim, Judgement, Verdict
from pipeline_fakes import ScriptedThinker, brief, claim, page

AT = Step("verify/q1/1", ("read/q1/1",))
TEXT = "In 1996 Ada Lovelace Hall opened in Oslo. It holds 420 people. It does not close at night."
HALL = page("https://a.example/hall", TEXT, title="Ada Lovelace Hall")
DOCUMENTS = {HALL.source_id: HALL}


def read(quote: str, text: str = "") -> Claim:
    return claim(HALL, quote, text, verdict="unverifiable")


def judging(verdict: Verdict, reason: str = "") -> ScriptedThinker:
    def judge(brief: object, claims: list[Claim], step: Step) -> list[Judgement]:
        return [Judgement(claim_id=one.claim_id, verdict=verdict, reason=reason) for one in claims]

    return ScriptedThinker(judge=judge)


UNSURE = page(
    "https://a.example/lock",
    "Other transactions are prevented from changing or locking the rows until the lock is released.",
)


@pytest.mark.parametrize(
    ("judge", "verdict"),
    [
        (judging("supported"), "supported"),
        (judging("partly"), "partly"),
        (judging("unverifiable"), "unsupported"),
        (ScriptedThinker(judge=[]), "unsupported"),
        (ScriptedThinker(judge=UnreadableAnswer("openai", "gibberish")), "unsupported"),
        (
            ScriptedThinker(
                judge=lambda brief, claims, at: [
                    Judgement(claim_id=one.claim_id, verdict="supported", by="machine") for one in claims
                ]
            ),
            "unsupported",
        ),
    ],
    ids=["supports", "limits", "no-opinion", "no-answer", "unreadable", "words-compared-once-more"],
)
async def test_a_denial_that_may_be_none_is_left_to_a_reader_and_counts_without_one(
    judge: ScriptedThinker, verdict: Verdict
) -> None:
    own = claim(UNSURE, UNSURE.text, "Other transactions cannot change or lock the rows until the lock is released.")
    flat = claim(HALL, "It does not close at night.", "It does close at night.")

    checked = await verify(brief(), [own, flat], {UNSURE.source_id: UNSURE, **DOCUMENTS}, judge, AT)

    assert [one.verdict for one in checked] == [verdict, "unsupported"]
    assert all(one.claim_id == own.claim_id for call in judge.called("judge") for one in call.args[1])


# Gate 2


async def test_only_claims_that_passed_the_machine_are_judged_and_all_come_back_in_order() -> None:
    good, bad = read("It holds 420 people."), read("It holds 420 people.", "It holds 900 people.")
    thinker = judging("partly", "nothing on the year")

    checked = await verify(brief(), [bad, good], DOCUMENTS, thinker, AT)

    assert [one.claim_id for one in checked] == [bad.claim_id, good.claim_id]
    assert [one.verdict for one in checked] == ["unsupported", "partly"]
    assert [one.checked_by for one in checked] == ["machine", "model"]
    assert checked[1].reason == "nothing on the year"
    [call] = thinker.calls
    assert [one.claim_id for one in call.args[1]] == [good.claim_id]
    assert call.step == AT


async def test_no_one_is_asked_when_no_claim_passes() -> None:
    thinker = ScriptedThinker()

    checked = await verify(brief(), [read("It holds 420 people.", "It holds 900 people.")], DOCUMENTS, thinker, AT)

    assert thinker.calls == []
    assert checked[0].verdict == "unsupported"


async def test_a_judge_cannot_lift_what_the_machine_refused_nor_speak_of_other_claims() -> None:
    good, bad = read("It holds 420 people."), read("It holds 420 people.", "It holds 900 people.")
    verdicts = [Judgement(claim_id=name, verdict="supported") for name in (bad.claim_id, "c0000000000")]

    checked = await verify(brief(), [good, bad], DOCUMENTS, ScriptedThinker(judge=verdicts), AT)

    assert [(one.verdict, one.checked_by) for one in checked] == [("supported", "machine"), ("unsupported", "machine")]


@pytest.mark.parametrize("error", [UnreadableAnswer("x", "no shape"), BudgetExceeded("max_usd", 1, 1)])
async def test_without_a_judge_the_machines_verdict_stands_and_says_whose_it_is(error: Exception) -> None:
    [checked] = await verify(brief(), [read("It holds 420 people.")], DOCUMENTS, ScriptedThinker(judge=error), AT)

    assert (checked.verdict, checked.checked_by) == ("supported", "machine")


async def test_a_refused_key_is_heard() -> None:
    thinker = ScriptedThinker(judge=KeyRefused("x", "refused"))

    with pytest.raises(KeyRefused):
        await verify(brief(), [read("It holds 420 people.")], DOCUMENTS, thinker, AT)


@pytest.mark.parametrize("verdict", ["partly", "disputed", "unsupported", "unverifiable"])
async def test_every_verdict_but_supported_has_a_reason_no_matter_who_judged(verdict: Verdict) -> None:
    [checked] = await verify(brief(), [read("It holds 420 people.")], DOCUMENTS, judging(verdict, ""), AT)

    assert (checked.verdict, bool(checked.reason)) == (verdict, True)


async def test_a_supported_claim_needs_no_reason() -> None:
    thinker = judging("supported", "it stands there")

    [checked] = await verify(brief(), [read("It holds 420 people.")], DOCUMENTS, thinker, AT)

    assert checked.reason == ""


# Gate 3


# Contradictions
