"""What a model is shown of finished sentences, and what is read from its answers."""

from collections.abc import Callable
from typing import Any

import pytest

from deepresearch_mcp.records.evidence import Claim
from deepresearch_mcp.records.plan import Brief
from deepresearch_mcp.records.report import Sentence
from deepresearch_mcp.thinkers.audit_tasks import HoldJudgements, HoldSentences, RepairSentences
from deepresearch_mcp.thinkers.base import Doubt, HeldStatement, Sweep
from deepresearch_mcp.thinkers.prompted import holding, lines
from deepresearch_mcp.thinkers.prompted.prompt_spec import Halves
from filled_prompts import Filled, filled

MakeClaim = Callable[..., Claim]


def answered(sheet: Filled, **answer: object) -> Any:
    return sheet.answered(**answer)


def posed(claim: MakeClaim, number: int, text: str) -> Claim:
    """A finished sentence as a claim with the quotes of what it states."""
    return claim(number, text=text).model_copy(update={"claim_id": f"s{number}"})


def test_each_claim_is_shown_once_under_its_page_and_sentences_name_them(brief: Brief, claim: MakeClaim) -> None:
    doubtful = claim(2, verdict="partly")
    both, again = posed(claim, 1, "Both hold."), posed(claim, 2, "It holds.")
    sound = claim(1, verdict="supported")
    stated = {"s1": [sound, doubtful, sound], "s2": [sound]}

    sheet = filled(holding.HOLD, HoldSentences(brief, [both, again], frozenset({"s1"}), stated, {"s2": "Both hold."}))

    shown = sheet.values["claims"]
    assert shown.count("c1: Fact number 1 holds.") == 1
    # Its page carries it in part, so what it says itself is needed.
    assert "c2: Fact number 2 holds. (its page carries it only in part)\n   “words 2”" in shown
    assert "words 1" not in shown
    assert shown.splitlines()[1].startswith("Page")
    assert sheet.values["sentences"].splitlines() == [
        "<sentences>",
        "[s1] (synthesis of c1, c2): Both hold.",
        "[s2] (from c1): It holds. [after s1]",
        "</sentences 8f3a>",
    ]


def test_the_page_s_words_are_shown_where_a_sentence_has_what_no_claim_of_it_says(
    brief: Brief, claim: MakeClaim
) -> None:
    said = posed(claim, 1, "Its words hold.")

    sheet = filled(
        holding.HOLD,
        HoldSentences(brief, [said], frozenset(), {"s1": [claim(1, verdict="supported")]}, {"s1": "An earlier one."}),
    )

    assert "“words 1”" in sheet.values["claims"]
    assert "[s1] (from c1): Its words hold. [after: “An earlier one.”]" in sheet.values["sentences"]


def test_where_no_claims_are_known_the_quotes_stand_for_them(brief: Brief, claim: MakeClaim) -> None:
    sheet = filled(holding.HOLD, HoldSentences(brief, [posed(claim, 1, "One.")]))

    assert "c1: words 1" in sheet.values["claims"]


def test_verdicts_come_back_under_the_sentences_own_names(brief: Brief, claim: MakeClaim) -> None:
    sheet = filled(holding.HOLD, HoldSentences(brief, [posed(claim, 1, "One."), posed(claim, 2, "Two.")]))

    found = answered(
        sheet,
        verdicts=[
            {"sentence_id": "s2", "verdict": "supported", "fault": "order"},
            {"sentence_id": "s1", "verdict": "supported", "fault": "none"},
        ],
    )

    assert [(one.claim_id, one.verdict) for one in found] == [("s2", "unsupported"), ("s1", "supported")]
    assert sheet.limits["verdicts"] == {"minItems": 2, "maxItems": 2}


def test_a_judgement_is_shown_with_its_premises_and_the_question(brief: Brief, claim: MakeClaim) -> None:
    held = [HeldStatement("s1", "Take\nice.", (claim(1), claim(2, verdict="disputed"))), HeldStatement("s2", "First:")]

    sheet = filled(holding.HOLD_JUDGEMENTS, HoldJudgements(brief, held))

    assert sheet.values["premises"].splitlines() == [
        "<premises>",
        "c1: Fact number 1 holds.",
        "c2: Fact number 2 holds. (disputed)",
        "</premises 8f3a>",
    ]
    assert sheet.values["statements"].splitlines() == [
        "<statements>",
        "[j1] (from c1, c2): Take ice.",
        "[j2] (without a source): First:",
        "</statements 8f3a>",
    ]
    assert sheet.values["question"] == "Why does ice float?"


def test_a_sentence_that_is_only_mislabelled_holds(brief: Brief, claim: MakeClaim) -> None:
    sheet = filled(holding.HOLD, HoldSentences(brief, [posed(claim, 1, "One."), posed(claim, 2, "Two.")]))
    ours = filled(holding.HOLD_JUDGEMENTS, HoldJudgements(brief, [HeldStatement("s1", "So.", (claim(1),))]))

    found = answered(
        sheet,
        verdicts=[
            {"sentence_id": "s1", "verdict": "Mislabelled", "fault": "none"},
            {"sentence_id": "s2", "verdict": "mislabelled", "fault": "order"},
        ],
    )
    [judged] = answered(ours, judgements=[{"judgement_id": "j1", "verdict": "mislabelled", "fault": "none"}])

    assert [(one.verdict, one.mislabelled) for one in found] == [("supported", True), ("unsupported", False)]
    assert (judged.verdict, judged.mislabelled) == ("supported", True)


def test_a_fault_is_told_with_the_words_of_the_claim_that_shows_it(brief: Brief, claim: MakeClaim) -> None:
    texts = [posed(claim, number, f"Fact number {number} holds.") for number in (1, 2, 3)]
    sheet = filled(holding.HOLD, HoldSentences(brief, texts, frozenset(), {f"s{n}": [claim(n)] for n in (1, 2, 3)}))

    found = answered(
        sheet,
        verdicts=[
            {"sentence_id": "s1", "verdict": "partly", "fault": "date", "shown_by": "c1"},
            {"sentence_id": "s2", "verdict": "unsupported", "fault": "not_said", "shown_by": "c1"},
            {"sentence_id": "s3", "verdict": "partly", "fault": "scope", "shown_by": "c9"},
        ],
    )

    assert [one.reason for one in found] == [
        "the source gives another date, or none: “words 1”",
        "the source does not say it",
        "the source speaks of less",
    ]


def test_what_does_not_follow_says_why_in_our_words_and_an_order_never_follows(brief: Brief) -> None:
    sheet = filled(holding.HOLD_JUDGEMENTS, HoldJudgements(brief, [HeldStatement(f"s{n}", "So.") for n in range(1, 6)]))

    found = answered(
        sheet,
        judgements=[
            {"judgement_id": "j1", "verdict": "follows", "fault": "none"},
            {"judgement_id": "j2", "verdict": "Does not follow", "fault": "fact"},
            {"judgement_id": "j3", "verdict": "partly", "fault": "sure"},
            {"judgement_id": "j4", "verdict": "follows", "fault": "order"},
            {"judgement_id": "j5", "verdict": "perhaps"},
            {"judgement_id": "j9", "verdict": "follows"},
        ],
    )

    assert [(one.claim_id, one.verdict, one.reason) for one in found] == [
        ("s1", "supported", ""),
        ("s2", "unsupported", "it brings in a fact that its premises do not give"),
        ("s3", "partly", "it is surer or wider than its premises"),
        ("s4", "unsupported", "the words are an instruction to the reader and state no fact"),
    ]
    assert answered(sheet, judgements=[{"judgement_id": "j9", "verdict": "follows"}]) is None


def said(number: int, **given: object) -> Sentence:
    return Sentence.model_validate({"text": f"Sentence {number}.", "claim_ids": (f"cfact{number}",)} | given)


def test_a_doubt_is_shown_with_its_kind_its_place_its_claims_and_what_is_beside_them(
    brief: Brief, claim: MakeClaim
) -> None:
    doubts = [
        Doubt(said(1), "too\nstrong", "a cell of a table, row “Ice”, column “Floats”", ("cfact2", "cgone")),
        Doubt(Sentence(text="So."), "it names no claim"),
    ]

    sheet = filled(holding.REPAIR, RepairSentences(brief, doubts, [claim(1), claim(2)]))

    assert sheet.values["doubts"].splitlines() == [
        '<doubt id="1">',
        "Sentence 1. (fact; a cell of a table, row “Ice”, column “Floats”)",
        "Problem: too strong",
        "Rests on c1: Fact number 1 holds. Page: “words 1”",
        "Also found c2: Fact number 2 holds. Page: “words 2”",
        "</doubt 8f3a>",
        '<doubt id="2">',
        "So. (without a claim)",
        "Problem: it names no claim",
        "</doubt 8f3a>",
    ]


def test_repaired_sentences_come_back_in_order_and_what_is_missing_is_dropped(brief: Brief, claim: MakeClaim) -> None:
    doubts = [Doubt(said(1), "too strong"), Doubt(said(2), "wrong year"), Doubt(said(3), "no such claim")]
    sheet = filled(holding.REPAIR, RepairSentences(brief, doubts, [claim(1), claim(2)]))

    found = answered(
        sheet,
        sentences=[{"n": 3, "text": ""}, {"n": 2, "text": "In 1998 [c2]."}, {"n": 7, "text": "Nowhere."}],
    )

    assert [(one.text, one.claim_ids) for one in found] == [
        ("", ("cfact1",)),
        ("In 1998.", ("cfact2",)),
        ("", ("cfact3",)),
    ]
    assert answered(sheet, sentences=[{"n": 7, "text": "Nowhere."}]) is None
    assert sheet.limits["sentences"] == {"minItems": 3, "maxItems": 3}


@pytest.mark.parametrize(
    ("answer", "kind", "claim_ids", "premises"),
    [
        ({"kind": "judgement", "claims": ["c1", "c2"]}, "judgement", (), ("cfact1", "cfact2")),
        ({"kind": "synthesis", "claims": ["c1, c2"]}, "synthesis", ("cfact1", "cfact2"), ()),
        ({"kind": "synthesis", "claims": ["c1"]}, "fact", ("cfact1",), ()),
        ({"kind": "fact", "claims": ["c2"]}, "fact", ("cfact2",), ()),
        ({"kind": "fact", "claims": ["c3"]}, "fact", ("cfact3",), ()),  # it was shown for another sentence
        ({"kind": "?"}, "fact", ("cfact1",), ()),
    ],
)
def test_a_repair_may_call_a_sentence_what_it_is_and_rest_it_on_what_it_was_shown(
    brief: Brief,
    claim: MakeClaim,
    answer: dict[str, object],
    kind: str,
    claim_ids: tuple[str, ...],
    premises: tuple[str, ...],
) -> None:
    doubts = [Doubt(said(1), "too strong", "", ("cfact2",))]
    sheet = filled(holding.REPAIR, RepairSentences(brief, doubts, [claim(1), claim(2), claim(3)]))

    [found] = answered(sheet, sentences=[{"n": 1, "text": "Better.", **answer}])

    assert (found.kind, found.claim_ids, found.premises) == (kind, claim_ids, premises)


def test_the_plain_form_of_a_repair_may_leave_out_kind_and_claims() -> None:
    answer = lines.repair("1 | Better.\n2 | judgement | c1, c3 | So be it.\n3 | fact | | Good.\n4 | fact | c2 |")

    assert answer
    assert [(one.n, one.kind, one.claims, one.text) for one in answer.sentences] == [
        ("1", "", [], "Better."),
        ("2", "judgement", ["c1", "c3"], "So be it."),
        ("3", "fact", [], "Good."),
        ("4", "fact", ["c2"], ""),
    ]


def test_the_plain_form_of_judgements_is_read() -> None:
    answer = lines.hold_judgements("j1 | follows\nj2 | partly | sure")

    assert answer
    assert [(one.judgement_id, one.verdict, one.fault) for one in answer.judgements] == [
        ("j1", "follows", ""),
        ("j2", "partly", "sure"),
    ]
    assert lines.hold_judgements("I cannot.") is None


def test_what_is_too_long_is_asked_in_halves_each_with_its_own_claims(brief: Brief, claim: MakeClaim) -> None:
    doubts = [Doubt(said(1), "a"), Doubt(said(2), "b", "", ("cfact3",))]

    def halved(spec: Any, task: Any) -> Any:
        assert isinstance(spec.halves, Halves)
        return spec.halves.split(task)

    first, rest = halved(holding.REPAIR, RepairSentences(brief, doubts, [claim(1), claim(2), claim(3)]))
    assert ([one.claim_id for one in first.claims], [one.claim_id for one in rest.claims]) == (
        ["cfact1"],
        ["cfact2", "cfact3"],
    )
    held = [HeldStatement("s1", "a"), HeldStatement("s2", "b")]
    assert [one.statements for one in halved(holding.HOLD_JUDGEMENTS, HoldJudgements(brief, held))] == [
        held[:1],
        held[1:],
    ]
    posed_ = [posed(claim, 1, "a"), posed(claim, 2, "b")]
    assert [one.claims for one in halved(holding.HOLD, HoldSentences(brief, posed_))] == [posed_[:1], posed_[1:]]


def test_what_leans_is_shown_with_the_sentence_that_it_will_stand_behind(brief: Brief, claim: MakeClaim) -> None:
    doubt = Doubt(said(2), "it leans", before="Two locks matter.", standing="Writers wait.")
    sheet = filled(holding.REPAIR, RepairSentences(brief, [doubt], [claim(2)]))

    assert sheet.values["doubts"].splitlines()[1:3] == ["Before it: Two locks matter.", "If that goes: Writers wait."]


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        ("Set a.b to on, or a.b.c.", "Set `a.b` to on, or `a.b.c`."),
        ("Set `x` and a.b.", "Set `x` and a.b."),
        ("Set data.b.", "Set data.b."),
    ],
)
def test_a_repaired_sentence_keeps_its_code_words(brief: Brief, claim: MakeClaim, answer: str, text: str) -> None:
    doubt = Doubt(said(1, text="Never set `a.b` or `a.b.c`."), "too strong")
    sheet = filled(holding.REPAIR, RepairSentences(brief, [doubt], [claim(1)]))

    [found] = answered(sheet, sentences=[{"n": 1, "text": answer}])

    assert found.text == text


def test_an_absence_is_held_to_the_passages_that_come_nearest(brief: Brief, claim: MakeClaim) -> None:
    absent = HeldStatement("s1", "The pages name no limit.", (claim(1),), absence=True)
    nothing = HeldStatement("s2", "The pages name no price.", absence=True)
    sheet = filled(holding.HOLD_JUDGEMENTS, HoldJudgements(brief, [absent, nothing]))

    assert "[j1] (an absence; the nearest passages: c1): The pages name no limit." in sheet.values["statements"]
    assert "[j2] (an absence; the nearest passages: none): The pages name no price." in sheet.values["statements"]
    assert "c1: Fact number 1 holds." in sheet.values["premises"]


def test_sentences_and_judgements_are_shown_under_the_headings_of_their_sections(
    brief: Brief, claim: MakeClaim
) -> None:
    said = [posed(claim, 1, "Both hold."), posed(claim, 2, "3.8 – Loop – Then: it holds.")]
    task = HoldSentences(brief, said, sections={"s1": "", "s2": "What changed"})
    ours = [HeldStatement("j1", "Take ice.", (claim(1),), section="What to do")]

    assert "\n# What changed\n[s2] (" in filled(holding.HOLD, task).values["sentences"]
    assert "\n# What to do\n[j1] (" in filled(holding.HOLD_JUDGEMENTS, HoldJudgements(brief, ours)).values["statements"]


def test_words_that_may_go_too_far_are_named_with_what_else_is_known(brief: Brief, claim: MakeClaim) -> None:
    said, other = posed(claim, 1, "Only it holds."), claim(2, verdict="supported")
    sweep = Sweep(("only",), (other,))
    own = claim(1, verdict="supported")

    sheet = filled(holding.HOLD, HoldSentences(brief, [said], frozenset(), {"s1": [own]}, sweeps={"s1": sweep}))
    ours = HeldStatement("j", "Only it holds.", (own,), sweep=sweep, may_be_plain=True)
    judged = filled(holding.HOLD_JUDGEMENTS, HoldJudgements(brief, [ours]))

    assert "[s1] (from c1; look at: “only”; also known: c2): Only it holds." in sheet.values["sentences"]
    assert "c2: Fact number 2 holds." in sheet.values["claims"]
    shown = "(from c1; look at: “only”; also known: c2; no word of advice, value or inference)"
    assert shown in judged.values["statements"]
    assert "c2: Fact number 2 holds." in judged.values["premises"]


def test_a_doubt_names_the_words_that_may_go_too_far(brief: Brief, claim: MakeClaim) -> None:
    own = claim(1)
    doubt = Doubt(Sentence(text="Only it holds.", claim_ids=(own.claim_id,)), "its sources say less", words=("only",))

    sheet = filled(holding.REPAIR, RepairSentences(brief, [doubt], [own]))

    assert "Problem: its sources say less (look at: “only”)" in sheet.values["doubts"]
