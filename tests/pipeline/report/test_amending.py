"""What a reader mends of a sound sentence without a new wording."""

from deepresearch_mcp.pipeline.report.amending import amended, called
from deepresearch_mcp.pipeline.report.check_sentence import Checked
from deepresearch_mcp.pipeline.report.pieces import Piece
from deepresearch_mcp.pipeline.report.reader import Held
from deepresearch_mcp.records.report import Sentence

ONE = Sentence(text="Ice floats.", claim_ids=("c1",))
OURS = Sentence(text="Take ice.", kind="judgement", premises=("c1",))


def sound(_piece: Piece) -> Checked:
    return Checked()


def wrong(_piece: Piece) -> Checked:
    return Checked("it is wrong")


def unsure(_piece: Piece) -> Checked:
    return Checked("it may be wrong", uncertain=True)


def held(sentence: Sentence, *, mislabelled: bool = False, also: str = "") -> Held:
    return Held(Piece(sentence), Checked(), "", mislabelled, also)


def test_a_sentence_gets_the_claim_that_it_lacks_and_a_judgement_the_premise() -> None:
    found = [amended(held(one, also="c2"), check) for one in (ONE, OURS) for check in (sound, unsure)]

    assert [one and one.rests_on for one in found] == [("c1", "c2")] * 4
    assert [one and one.kind for one in found] == ["fact", "fact", "judgement", "judgement"]


def test_it_changes_its_kind_too() -> None:
    found = amended(held(ONE, mislabelled=True, also="c2"), sound)

    assert found == Sentence(text=ONE.text, kind="judgement", premises=("c1", "c2"))
    assert amended(held(OURS, mislabelled=True), sound) == Sentence(text=OURS.text, claim_ids=("c1",))


def test_nothing_changes_without_a_reader_s_word_or_against_a_machine_s() -> None:
    assert amended(held(ONE), sound) is None
    assert amended(held(ONE, mislabelled=True, also="c2"), wrong) is None
    assert amended(held(Sentence(text="Ice floats."), mislabelled=True), sound) is None


def test_a_new_wording_is_what_its_parts_are_called() -> None:
    wording = Sentence(text="Ice floats. Salt sinks.", claim_ids=("c1",))

    assert called(wording, [held(ONE), held(ONE, also="c2"), held(ONE, also="c3")], sound).rests_on == (
        "c1",
        "c2",
        "c3",
    )
    assert called(wording, [held(ONE)], sound) is wording
