"""Sentences held against their claims for the last time."""

from typing import Any

import pytest

from deepresearch_mcp.exceptions import BudgetExceeded, KeyRefused, ProviderError
from deepresearch_mcp.pipeline.audit import Audited, audit, problem_of, unbacked
from deepresearch_mcp.ports.journal import At
from deepresearch_mcp.records.evidence import Claim
from deepresearch_mcp.records.report import Draft, Sentence, WrittenSection
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
    return await audit(brief(), draft, claims, TITLES, thinker or ScriptedThinker(), At("audit"))


async def test_a_sound_draft_stays_as_it_is_and_nobody_is_asked():
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
    assert call.at.key == "audit"
    assert call.args[2] == [MARCH]
    assert "16" in call.args[1][0].problem


@pytest.mark.parametrize("repair", [[WRONG], [], [Sentence(text="", claim_ids=GOOD.claim_ids)]])
async def test_what_the_repair_does_not_mend_is_dropped(repair: list[Sentence]):
    result = await audited(drafted(GOOD, WRONG), ScriptedThinker(repair=repair))

    assert result.draft == drafted(GOOD)
    assert len(result.removed) == 1


@pytest.mark.parametrize("error", [ProviderError("openai", "away"), BudgetExceeded("max_usd", 1, 1)])
async def test_when_nobody_can_repair_the_sentence_is_dropped(error: Exception):
    result = await audited(drafted(GOOD, WRONG), ScriptedThinker(repair=error))

    assert result.draft == drafted(GOOD)


async def test_a_refused_key_stops_the_audit():
    with pytest.raises(KeyRefused):
        await audited(drafted(WRONG), ScriptedThinker(repair=KeyRefused("openai", "no such key")))


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

    assert (await audited(drafted(WRONG), ScriptedThinker(repair=[half]))).draft.sections == ()
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
