"""Finished sentences put to a reader."""

from deepresearch_mcp.exceptions import ProviderError
from deepresearch_mcp.pipeline.report.absences import StoredPages
from deepresearch_mcp.pipeline.report.beside import Beside
from deepresearch_mcp.pipeline.report.check_sentence import NO_CLAIM, Checked
from deepresearch_mcp.pipeline.report.pieces import Piece
from deepresearch_mcp.pipeline.report.reader import Held, Reader
from deepresearch_mcp.ports.journal import Step
from deepresearch_mcp.records.evidence import Claim, Judgement, Verdict
from deepresearch_mcp.records.report import Sentence
from pipeline_fakes import ScriptedThinker, brief, claim, page

ICE = page("https://one.example/", "Ice floats on water.")
FLOATS = claim(ICE, ICE.text)
FACT = Piece(Sentence(text="On water, ice floats.", claim_ids=(FLOATS.claim_id,)))
OURS = Piece(Sentence(text="Take ice.", kind="judgement", premises=(FLOATS.claim_id,)))
BARE = Piece(Sentence(text="So much for ice."))
UNSURE, SURE = Checked(uncertain=True), Checked("wrong")


def reader(thinker: ScriptedThinker) -> Reader:
    return reader_of(thinker, FLOATS)


def reader_of(thinker: ScriptedThinker, *own: Claim) -> Reader:
    claims = {one.claim_id: one for one in own}
    return Reader(brief(), claims, thinker, Step("audit"), StoredPages({}), Beside(claims))


def says(verdict: Verdict):
    def judge(_brief: object, asked: list[object], _at: object) -> list[Judgement]:
        names = [getattr(one, "claim_id", "") or getattr(one, "name", "") for one in asked]
        return [Judgement(claim_id=name, verdict=verdict) for name in names]

    return judge


async def test_only_what_the_machine_is_unsure_of_is_asked():
    thinker = ScriptedThinker()

    held = await reader(thinker).held([Held(FACT, UNSURE), Held(OURS, SURE)])

    assert [one.problem for one in held] == ["", "wrong"]
    assert [call.method for call in thinker.calls] == ["judge"]


async def test_facts_and_judgements_are_asked_apart_and_a_fault_is_told_by_kind():
    thinker = ScriptedThinker(judge=says("unsupported"), hold_judgements=says("unsupported"))

    held = await reader(thinker).held([Held(FACT, UNSURE), Held(OURS, UNSURE), Held(BARE, UNSURE)])

    assert [one.problem for one in held] == [
        "its sources do not say it",
        "it does not follow from its premises",
        NO_CLAIM,
    ]
    assert {key.rsplit("/", 1)[0] for key in (*thinker.keys("judge"), *thinker.keys("hold_judgements"))} == {
        "audit/hold"
    }


async def test_where_nobody_answers_the_machines_word_stands():
    away = ScriptedThinker(judge=ProviderError("openai", "away"))

    [held] = await reader(away).held([Held(FACT, Checked("doubtful", uncertain=True))], again=True)

    assert (held.problem, held.fault) == ("doubtful", None)
    assert away.keys("judge")[0].startswith("audit/again/")


async def test_a_reader_is_told_the_heading_that_each_sentence_stands_under():
    thinker = ScriptedThinker()
    under = Piece(FACT.sentence, section="On ice")

    await reader(thinker).held([Held(under, UNSURE)])

    [call] = thinker.calls
    assert [*call.whole.sections.values()] == ["On ice"]


async def test_a_reader_is_told_the_words_that_may_go_too_far_and_what_else_is_known_of_the_matter():
    sinks = claim(ICE, ICE.text, "Wet ice sinks on water.")
    thinker = ScriptedThinker()
    asks = reader_of(thinker, FLOATS, sinks)
    wide = Piece(Sentence(text="All ice floats on water.", claim_ids=(FLOATS.claim_id,)))
    plain = Piece(Sentence(text="Ice floats on most water.", kind="judgement", premises=(FLOATS.claim_id,)))

    await asks.held([Held(wide, UNSURE), Held(FACT, UNSURE), Held(plain, UNSURE)])

    [sentences] = [call.whole for call in thinker.calls if call.method == "judge"]
    assert [one.words for one in sentences.sweeps.values()] == [("all",)]
    assert [one.beside for one in sentences.sweeps.values()] == [(sinks,)]
    [judgement] = next(call.whole for call in thinker.calls if call.method == "hold_judgements").statements
    assert judgement.may_be_plain
    assert judgement.sweep.words == ("most",)
