"""The opening of an audited report."""

import pytest
from hypothesis import given
from hypothesis import strategies as some

from deepresearch_mcp.pipeline.report.opening import ANSWER_CHARS, opened, opening, shortened
from deepresearch_mcp.records.evidence import Claim
from deepresearch_mcp.records.plan import Deliverable, Scope
from deepresearch_mcp.records.report import Draft, Sentence, WrittenSection
from pipeline_fakes import brief, claim, page

ICE = page("https://one.example/ice", "Ice is lighter than water. It floats. Lakes freeze from above. Fish live below.")
LIGHT = claim(ICE, "Ice is lighter than water.", covers=("d1",))
FLOATS = claim(ICE, "It floats.", "Ice floats.", covers=("d2",))
LAKES = claim(ICE, "Lakes freeze from above.")
CLAIMS = {one.claim_id: one for one in (LIGHT, FLOATS, LAKES)}
SHORT = brief(mode="answer")
LONG = "Ice, which is a solid, floats" + " on water" * 20 + "."


def sentence(text: str, *claims: Claim) -> Sentence:
    return Sentence(text=text, claim_ids=tuple(one.claim_id for one in claims))


def test_the_opening_of_a_report_is_never_cut():
    every = [sentence(LONG, LIGHT) for _ in range(12)]

    assert opening(brief(), every, []) == tuple(every)


def test_an_answer_keeps_whole_sentences_from_the_first_on():
    first, second = sentence("Ice floats.", FLOATS), sentence("Lakes freeze from above.", LAKES)

    assert opening(SHORT, [first, second], []) == (first, second)
    assert opening(SHORT, [first, sentence(LONG, LIGHT), second], []) == (first,)


def test_an_answer_that_does_not_fit_gives_way_to_a_supported_claim_that_does():
    better = FLOATS.model_copy(update={"independent": 2})
    partly = claim(ICE, "It floats.", verdict="partly", claim_id="cpartly")

    assert opening(SHORT, [sentence(LONG, LIGHT)], [partly, LAKES, better]) == (sentence("Ice floats.", FLOATS),)
    assert opening(SHORT, [], [LAKES]) == (sentence("Lakes freeze from above.", LAKES),)


def test_only_where_nothing_fits_an_answer_is_cut_and_says_so():
    long = LAKES.model_copy(update={"text": LONG})

    assert opening(SHORT, [sentence(LONG, LIGHT)], [long])[0].text.endswith("on water…")
    assert opening(SHORT, [], [long])[0].text.endswith("on water…")
    assert opening(SHORT, [], [claim(ICE, "It floats.", verdict="partly")]) == ()


def test_a_report_that_lost_its_opening_begins_with_its_best_claim():
    better = FLOATS.model_copy(update={"independent": 2})

    assert opening(brief(), [], [LAKES, better]) == (sentence("Ice floats.", FLOATS),)
    assert opening(brief(), [], []) == ()


@given(some.lists(some.text(min_size=1)), some.lists(some.text(min_size=1), max_size=3))
def test_an_answer_is_never_longer_than_promised(texts: list[str], claimed: list[str]):
    claims = [LIGHT.model_copy(update={"text": text, "claim_id": f"c{at}"}) for at, text in enumerate(claimed)]

    kept = opening(SHORT, [sentence(text, LIGHT) for text in texts], claims)

    assert len(" ".join(one.text for one in kept)) <= ANSWER_CHARS


@pytest.mark.parametrize(
    ("text", "short"),
    [("Ice floats", "Ice floats"), ("Ice floats, always", "Ice floats…"), ("Eiskristalle", "Eiskristal…")],
)
def test_a_text_is_cut_between_words_where_it_has_any(text: str, short: str):
    assert shortened(text, 11) == short


WANTED = Scope(
    deliverables=(Deliverable(id="d1", text="Why ice is light."), Deliverable(id="d2", text="whether ice floats"))
)
WRITTEN = (sentence("Ice is light.", LIGHT), sentence("Ice floats.", FLOATS))


def test_a_deliverable_that_the_audit_left_without_an_answer_is_told_as_not_established():
    asked = brief().model_copy(update={"scope": WANTED})

    shown = opened(asked, Draft(title="Ice", in_short=WRITTEN[:1]), WRITTEN, [], CLAIMS)

    assert [one.text for one in shown] == [
        "Ice is light.",
        "Could not be established from the sources that were read: whether ice floats.",
    ]


def test_a_deliverable_that_a_section_still_answers_is_not_told_as_lost():
    asked = brief().model_copy(update={"scope": WANTED})
    draft = Draft(title="Ice", in_short=WRITTEN[:1], sections=(WrittenSection.of_prose("Ice", [[WRITTEN[1]]]),))

    assert opened(asked, draft, WRITTEN, [], CLAIMS) == WRITTEN[:1]


def test_an_answer_of_one_line_tells_nothing_else():
    asked = brief(mode="answer").model_copy(update={"scope": WANTED})

    assert opened(asked, Draft(title="Ice", in_short=WRITTEN[:1]), WRITTEN, [], CLAIMS) == WRITTEN[:1]


def test_where_there_is_nothing_but_disputes_the_best_founded_one_opens_the_report():
    first = LIGHT.model_copy(update={"verdict": "disputed", "disputes": (FLOATS.claim_id,)})
    second = FLOATS.model_copy(update={"verdict": "disputed", "disputes": (LIGHT.claim_id,)})
    known = {one.claim_id: one for one in (first, second)}
    sides = (sentence(first.text, first), sentence(second.text, second))

    assert opened(brief(), Draft(title="Ice", differences=sides), (), [first, second], known) == sides
    long = (sides[0].model_copy(update={"text": LONG}), sides[1])
    short = opened(SHORT, Draft(title="Ice", differences=long), (), [first, second], known)
    assert len(" ".join(one.text for one in short)) <= ANSWER_CHARS
