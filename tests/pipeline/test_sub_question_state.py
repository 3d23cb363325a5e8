from deepresearch_mcp.pipeline.pages import WantedPage
from deepresearch_mcp.pipeline.sub_question_state import SubQuestionState, Wanted, Words
from pipeline_fakes import claim, page

ICE = page("https://one.example/ice", "Ice floats. It may melt.")


def test_verified_claims_are_kept_in_one_order_whichever_reader_was_faster() -> None:
    weak, strong = claim(ICE, "It may melt.", score=0.2), claim(ICE, "Ice floats.", score=0.9)
    first, second = SubQuestionState(), SubQuestionState()

    first.take([weak])
    first.take([strong])
    second.take([strong, weak])

    assert first.claims == second.claims == [strong, weak]


def test_a_page_that_is_wanted_with_other_words_is_wanted_once_more() -> None:
    wanted = WantedPage("https://ONE.example/ice/", "fetch/1")

    assert Wanted(wanted).key == "https://one.example/ice"
    assert Wanted(wanted, Words("salt")).key == "https://one.example/ice salt"
