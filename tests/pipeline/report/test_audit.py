"""Sentences held against their claims for the last time."""

from typing import Any

import anyio
import pytest

from deepresearch_mcp.exceptions import BudgetExceeded, KeyRefused, ProviderError
from deepresearch_mcp.pipeline.report.audit import Audited, audit, problem_of
from deepresearch_mcp.pipeline.report.unbacked import unbacked, unproven
from deepresearch_mcp.pipeline.signal import leaf
from deepresearch_mcp.ports.journal import Step
from deepresearch_mcp.records.evidence import Claim, Judgement, Verdict
from deepresearch_mcp.records.report import Draft, Sentence, WrittenSection
from deepresearch_mcp.thinkers.tasks import HoldRewordedSentences, HoldSentences
from pipeline_fakes import ScriptedThinker, brief, claim, page

SEA = page(
    "https://one.example/sea",
    "Sea ice covers about 15 million square kilometres in March. It shrinks to 4 million in September.",
    title="Sea ice of the Arctic",
)
MARCH = claim(SEA, "Sea ice covers about 15 million square kilometres in March.")
SEPTEMBER = claim(SEA, "It shrinks to 4 million in September.", "Sea ice shrinks to 4 million in September.")
CLAIMS = {one.claim_id: one for one in (MARCH, SEPTEMBER)}
TITLES = {SEA.source_id: SEA.title}

GOOD = Sentence(text=MARCH.text, claim_ids=(MARCH.claim_id,))
WRONG = Sentence(text="Sea ice covers about 16 million square kilometres in March.", claim_ids=(MARCH.claim_id,))
BARE = Sentence(text="Sea ice is beautiful.")


def drafted(*sentences: Sentence, **more: Any) -> Draft:
    return Draft(title="Sea ice", sections=(WrittenSection(heading="A", paragraphs=(sentences,)),), **more)


async def audited(draft: Draft, thinker: ScriptedThinker | None = None, claims: dict[str, Claim] = CLAIMS) -> Audited:
    return await audit(brief(), draft, claims, TITLES, thinker or ScriptedThinker(), Step("audit"))


async def test_a_sound_draft_stays_as_it_is_and_no_one_is_asked():
    thinker = ScriptedThinker()

    result = await audited(drafted(GOOD), thinker)

    assert (result.draft, result.removed) == (drafted(GOOD), ())
    assert thinker.calls == []


async def test_a_sentence_that_names_no_claim_is_removed_and_told_of():
    result = await audited(drafted(GOOD, BARE))

    assert result.draft == drafted(GOOD)
    assert [(one.text, one.reason) for one in result.removed] == [("Sea ice is beautiful.", "it names no claim")]


async def test_a_wrong_number_is_repaired_once():
    thinker = ScriptedThinker(repair=[GOOD])

    result = await audited(drafted(WRONG), thinker)

    assert (result.draft, result.removed) == (drafted(GOOD), ())
    [call] = thinker.called("repair")
    assert call.step.key == "audit"
    assert call.args[2] == [MARCH]
    assert "16" in call.args[1][0].problem


@pytest.mark.parametrize("repair", [[WRONG], [], [Sentence(text="", claim_ids=GOOD.claim_ids)]])
async def test_what_the_repair_does_not_mend_is_dropped(repair: list[Sentence]):
    result = await audited(drafted(GOOD, WRONG), ScriptedThinker(repair=repair))

    assert result.draft == drafted(GOOD)
    assert len(result.removed) == 1


@pytest.mark.parametrize("error", [ProviderError("openai", "away"), BudgetExceeded("max_usd", 1, 1)])
async def test_when_no_one_can_repair_the_sentence_is_dropped(error: Exception):
    result = await audited(drafted(GOOD, WRONG), ScriptedThinker(repair=error))

    assert result.draft == drafted(GOOD)


async def test_a_refused_key_stops_the_audit():
    with pytest.raises(ExceptionGroup) as caught:
        await audited(drafted(WRONG), ScriptedThinker(repair=KeyRefused("openai", "no such key")))

    assert isinstance(leaf(caught.value), KeyRefused)


async def test_marks_that_a_writer_typed_are_taken_out():
    typed = Sentence(text=f"{MARCH.text[:-1]} [3][12].", claim_ids=(MARCH.claim_id, MARCH.claim_id))

    result = await audited(drafted(typed))

    assert result.draft == drafted(GOOD)


async def test_a_sentence_of_nothing_but_marks_is_removed():
    result = await audited(drafted(GOOD, Sentence(text="[1].", claim_ids=(MARCH.claim_id,))))

    assert result.draft == drafted(GOOD)
    assert result.removed[0].reason == "it says nothing"


async def test_paragraphs_and_sections_that_lose_every_sentence_go():
    draft = Draft(
        title="Sea ice",
        in_short=(GOOD, BARE),
        sections=(
            WrittenSection(heading="A", paragraphs=((BARE,), (GOOD,))),
            WrittenSection(heading="B", paragraphs=((BARE,),)),
        ),
        differences=(BARE,),
    )

    result = await audited(draft)

    assert result.draft.in_short == (GOOD,)
    assert result.draft.sections == (WrittenSection(heading="A", paragraphs=((GOOD,),)),)
    assert result.draft.differences == ()
    assert len(result.removed) == 1  # the same sentence, wherever it stood


def problem(text: str, *claims: Claim, **more: Any) -> str:
    known = {one.claim_id: one for one in claims}
    return problem_of(Sentence(text=text, claim_ids=tuple(known)), known, TITLES, **more)


def test_a_sentence_may_not_name_a_claim_that_there_is_not():
    sentence = Sentence(text=MARCH.text, claim_ids=(MARCH.claim_id, "cnone"))

    assert problem_of(sentence, CLAIMS, TITLES) == "it names a claim that there is not"


def test_a_sentence_may_not_rest_on_a_claim_that_was_refused():
    refused = MARCH.model_copy(update={"verdict": "unsupported"})

    assert problem(MARCH.text, refused) == "its claim is not supported"


def test_a_name_may_come_from_the_title_of_the_source():
    assert problem("Sea ice in the Arctic covers about 15 million square kilometres in March.", MARCH) == ""


def test_a_sentence_about_something_else_is_found_out():
    assert (
        problem("Penguins march quickly over frozen southern plains.", MARCH)
        == "most of its words are not in its sources"
    )


def test_a_partly_supported_claim_lends_none_of_its_own_words():
    stretched = SEPTEMBER.model_copy(
        update={"text": "Sea ice vanishes almost completely each autumn.", "verdict": "partly"}
    )

    assert problem("Sea ice vanishes almost completely each autumn.", stretched)
    assert problem("It shrinks to 4 million in September.", stretched) == ""


def test_a_translated_sentence_is_held_to_its_numbers_not_to_its_words():
    said = "Das Meereis bedeckt im März etwa 15 Millionen Quadratkilometer und ist damit am größten."
    wrong = said.replace("15", "16")

    assert problem(said, MARCH, language="de") == ""
    assert "16" in problem(wrong, MARCH, language="de")
    # In a report of the sources' language it would be a sentence about something else.
    assert problem(said, MARCH, language="en")
    assert problem(said, MARCH)


def test_words_without_content_need_no_source():
    assert problem("It is so.", MARCH) == ""


async def test_two_sentences_handed_in_as_one_are_held_apart():
    both = Sentence(text=f"{MARCH.text} Yes. The moon is made of green cheese.", claim_ids=(MARCH.claim_id,))
    sound = Sentence(text=f"Yes. {MARCH.text}", claim_ids=(MARCH.claim_id,))
    late = Sentence(text=f"{MARCH.text} Yes.", claim_ids=(MARCH.claim_id,))

    result = await audited(drafted(both, sound, late))

    assert result.draft == drafted(GOOD, sound, late)
    assert [one.text for one in result.removed] == ["Yes. The moon is made of green cheese."]


async def test_a_repair_of_two_sentences_counts_only_when_both_are_carried():
    half = Sentence(text=f"{MARCH.text} The moon is made of cheese.", claim_ids=(MARCH.claim_id,))
    whole = Sentence(text=f"{MARCH.text} Sea ice covers square kilometres.", claim_ids=(MARCH.claim_id,))
    parted = (GOOD, Sentence(text="Sea ice covers square kilometres.", claim_ids=(MARCH.claim_id,)))

    assert (await audited(drafted(WRONG), ScriptedThinker(repair=[half]))).repaired == 0
    assert (await audited(drafted(WRONG), ScriptedThinker(repair=[whole]))).draft == drafted(*parted)


@pytest.mark.parametrize("typed", ["(www.evil.example)", "as evil.example/ice says", "at http://evil.example"])
def test_an_address_that_no_source_holds_is_not_written(typed: str):
    sentence = Sentence(text=f"{MARCH.text[:-1]} {typed}.", claim_ids=(MARCH.claim_id,))

    assert "do not hold the address" in problem_of(sentence, CLAIMS, TITLES)


def test_what_carries_no_citation_may_hold_no_figure_or_address_of_its_own():
    known = "Why does ice float since 1996? See asyncio.run."

    assert unbacked("Ice since 1996, with asyncio.run and Ada Lovelace", known) == ()
    assert unbacked("Ice since 1879", known) == ("1879",)
    assert unbacked("Ice at evil.example", known) == ("evil.example",)


GREY = Sentence(text="In March some 15 million square kilometres are ice at sea.", claim_ids=(MARCH.claim_id,))
"""Neither wrong, as far as words show, nor a repetition."""


def finds(verdict: Verdict, reason: str = "", **by: Any):
    def judge(_brief, claims, _at):
        return [Judgement(claim_id=one.claim_id, verdict=verdict, reason=reason, **by) for one in claims]

    return judge


async def test_what_is_neither_wrong_nor_a_repetition_is_held_to_its_quotes_in_one_call():
    thinker = ScriptedThinker()
    other = Sentence(text="In September it is down to 4 million.", claim_ids=(SEPTEMBER.claim_id,))

    result = await audited(drafted(GOOD, GREY, other), thinker)

    assert (result.draft, result.removed, result.repaired) == (drafted(GOOD, GREY, other), (), 0)
    [call] = thinker.calls
    assert call.task is HoldSentences
    assert call.step.key.startswith("audit/hold/")
    assert [(one.text, one.quotes) for one in call.args[1]] == [
        (GREY.text, MARCH.quotes),
        (other.text, SEPTEMBER.quotes),
    ]


@pytest.mark.parametrize("verdict", ["partly", "unsupported", "disputed"])
async def test_what_its_quotes_do_not_carry_is_repaired(verdict: Verdict):
    thinker = ScriptedThinker(judge=finds(verdict, "the source speaks of less"), repair=[GOOD])

    result = await audited(drafted(GREY), thinker)

    assert (result.draft, result.removed, result.repaired) == (drafted(GOOD), (), 1)
    assert "the source speaks of less" in thinker.called("repair")[0].args[1][0].problem


async def test_what_a_machine_proves_wrong_is_repaired_while_a_reader_holds_the_rest():
    repaired = anyio.Event()

    async def judge(brief: Any, claims: Any, step: Step) -> list[Judgement]:
        await repaired.wait()  # Whoever answers in rounds is asked both in one.
        return [Judgement(claim_id=one.claim_id, verdict="supported") for one in claims]

    async def repair(brief: Any, doubts: Any, claims: Any, step: Step) -> list[Sentence]:
        repaired.set()
        return [GOOD]

    thinker = ScriptedThinker(judge=judge, repair=repair)
    with anyio.fail_after(5):
        result = await audited(drafted(GREY, WRONG), thinker)

    assert (result.draft, result.removed, result.repaired) == (drafted(GREY, GOOD), (), 1)
    assert thinker.keys("repair") == ["audit"]


async def test_what_is_contested_may_say_so():
    disputed = MARCH.model_copy(update={"verdict": "disputed"})

    result = await audited(drafted(GREY), ScriptedThinker(judge=finds("disputed")), {MARCH.claim_id: disputed})

    assert result.removed == ()


@pytest.mark.parametrize(
    "judge",
    [
        ProviderError("openai", "away"),
        BudgetExceeded("max_usd", 1, 1),
        finds("unsupported", by="machine"),
        finds("unverifiable"),
        [],
    ],
    ids=["away", "no-budget", "words-compared-once-more", "no-opinion", "no-answer"],
)
async def test_where_no_one_can_hold_a_sentence_the_machines_word_stands(judge: Any):
    false = GREY.model_copy(update={"text": f"{MARCH.text[:-1]}, because whales breed there in peace."})

    result = await audited(drafted(GREY, false), ScriptedThinker(judge=judge))

    assert result.draft == drafted(GREY)
    assert [one.text for one in result.removed] == [false.text]


async def test_a_refused_key_stops_the_holding():
    with pytest.raises(ExceptionGroup) as caught:
        await audited(drafted(GREY), ScriptedThinker(judge=KeyRefused("openai", "no such key")))

    assert isinstance(leaf(caught.value), KeyRefused)


async def test_a_new_wording_is_held_too_and_the_old_one_given_back_is_no_repair():
    again = GREY.model_copy(update={"text": "In March there are some 15 million square kilometres of it."})
    mended = ScriptedThinker(
        judge=lambda brief, claims, at: [
            Judgement(claim_id=one.claim_id, verdict="unsupported" if one.text == GREY.text else "supported")
            for one in claims
        ],
        repair=[again],
    )

    assert (await audited(drafted(GREY), mended)).draft == drafted(again)
    assert (await audited(drafted(GREY), ScriptedThinker(judge=finds("partly"), repair=[GREY]))).repaired == 0
    assert (await audited(drafted(GREY), ScriptedThinker(judge=finds("partly"), repair=[again]))).repaired == 0


async def test_a_new_wording_that_no_one_can_hold_stands_only_where_no_reader_faulted_the_old_one():
    asked: list[str] = []

    def once(brief, claims, at):
        asked.append(at.key)
        if len(asked) > 1:
            raise ProviderError("openai", "away")
        return [Judgement(claim_id=one.claim_id, verdict="unsupported") for one in claims]

    again = GREY.model_copy(update={"text": "In March there are some 15 million square kilometres of it."})
    away = ScriptedThinker(judge=ProviderError("openai", "away"), repair=[again])

    twice = ScriptedThinker(judge=once, repair=[again])

    assert (await audited(drafted(GREY), twice)).draft == drafted(GOOD)
    assert [call.task for call in twice.calls if call.method == "judge"] == [HoldSentences, HoldRewordedSentences]
    assert (await audited(drafted(WRONG), away)).draft == drafted(again)
    assert [key.rsplit("/", 1)[0] for key in asked] == ["audit/hold", "audit/again"]


@pytest.mark.parametrize(("kind", "label"), [("forecast", "a forecast"), ("opinion", "an opinion")])
async def test_an_opinion_told_as_a_fact_is_labelled_where_no_one_words_it_better(kind: Any, label: str):
    own = {MARCH.claim_id: MARCH.model_copy(update={"kind": kind})}
    bare = Sentence(text="Sea ice covers 15 million square kilometres in March.", claim_ids=(MARCH.claim_id,))
    better = Sentence(text="According to it, sea ice covers about 15 million square kilometres in March.",
                      claim_ids=(MARCH.claim_id,))  # fmt: skip

    labelled = await audited(drafted(bare), claims=own)
    reworded = await audited(drafted(bare), ScriptedThinker(repair=[better]), own)

    named = bare.model_copy(update={"text": f"Sea ice covers 15 million square kilometres in March ({label})."})
    assert (labelled.draft, labelled.removed, labelled.repaired) == (drafted(named), (), 1)
    assert reworded.draft == drafted(better)


async def test_an_opinion_with_a_wrong_number_is_not_saved_by_a_label():
    own = {MARCH.claim_id: MARCH.model_copy(update={"kind": "opinion"})}
    wrong = Sentence(text="Sea ice covers 16 million square kilometres in March.", claim_ids=(MARCH.claim_id,))

    result = await audited(drafted(wrong), claims=own)

    assert result.repaired == 0
    assert "16" not in str(result.draft)


async def test_a_supported_claim_is_never_lost_with_a_sentence_that_is_a_word_too_wide():
    wide = Sentence(
        text="Sea ice covers 15 million square kilometres in March and only whales know why it shrinks later.",
        claim_ids=(MARCH.claim_id, SEPTEMBER.claim_id),
    )
    away = ScriptedThinker(judge=finds("partly"), repair=ProviderError("client", "no round was left"))

    result = await audited(drafted(wide, in_short=(wide,)), away)

    own = (GOOD, Sentence(text=SEPTEMBER.text, claim_ids=(SEPTEMBER.claim_id,)))
    assert result.draft == drafted(*own, in_short=own)
    assert [one.text for one in result.removed] == [wide.text]
    assert (result.repaired, result.restored) == (0, 1)


async def test_a_denial_that_may_be_none_is_held_by_a_reader_before_anybody_repairs_it():
    ice = page("https://one.example/lock", "Other ships are prevented from entering or leaving the port in winter.")
    own = claim(ice, ice.text)
    said = Sentence(text="Other ships cannot enter or leave the port in winter.", claim_ids=(own.claim_id,))
    thinker, alone = ScriptedThinker(judge=finds("supported")), ScriptedThinker(judge=finds("supported", by="machine"))

    assert (await audited(drafted(said), thinker, {own.claim_id: own})).draft == drafted(said)
    assert thinker.called("repair") == []
    [removed] = (await audited(drafted(said), alone, {own.claim_id: own})).removed
    assert removed.reason.startswith("it denies something that its sources do not deny")


async def test_what_opens_a_report_and_where_sources_differ_are_held_alike():
    false = Sentence(text=f"{MARCH.text[:-1]}, because whales breed there in peace.", claim_ids=(MARCH.claim_id,))

    result = await audited(Draft(title="Sea ice", in_short=(false, GOOD), differences=(false, GOOD)))

    assert (result.draft.in_short, result.draft.differences) == ((GOOD,), (GOOD,))


async def test_many_sentences_are_held_in_calls_of_twenty():
    thinker = ScriptedThinker()
    many = [
        Sentence(
            text=f"In March some 15 million square kilometres are ice at sea {'there ' * n}.",
            claim_ids=(MARCH.claim_id,),
        )
        for n in range(21)
    ]

    await audited(drafted(*many), thinker)

    assert sorted(len(call.args[1]) for call in thinker.called("judge")) == [1, 20]
    assert len(set(thinker.keys("judge"))) == 2


@pytest.mark.parametrize(
    ("heading", "strange"),
    [
        ("Ice and what the Met Office says", ("Met", "Office")),
        ("Why ice floats", ()),
        ("The best ice", ("best",)),
        ("Ice is lighter than oil", ("than",)),
        ("Ice since 1879", ("1879",)),
        ("Role of Density in Winter Lakes", ()),
        ("Role of NASA in Winter Lakes", ("NASA",)),
        ("Ice", ()),
        ("", ()),
    ],
)
def test_a_heading_is_held_to_what_is_known(heading: str, strange: tuple[str, ...]):
    assert unproven(heading, "Why does ice float on lakes in winter?") == strange


def test_in_german_a_capital_makes_no_name():
    known = "Warum schwimmt das Eis im Winter auf dem See, und was ist mit den Fischen darunter?"

    assert unproven("Dichte und Temperatur", known) == ()
    assert unproven("Die Rolle der NASA", known) == ("NASA",)
