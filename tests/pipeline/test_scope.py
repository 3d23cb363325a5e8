from deepresearch_mcp.pipeline.scope import default_plan, scope
from deepresearch_mcp.records.request import ResearchRequest
from pipeline_fakes import TODAY, brief


def test_a_brief_holds_the_question_on_one_line_and_the_request_as_it_came() -> None:
    request = ResearchRequest(question="  Why does ice\n\tfloat   on water? ", effort="quick")

    made = scope(request, TODAY, "An earlier run found that water is odd.")

    assert made.question == "Why does ice float on water?"
    assert made.request is request
    assert made.today == TODAY
    assert made.background == "An earlier run found that water is odd."


def test_the_report_is_in_the_language_of_the_question_unless_another_is_asked_for() -> None:
    german = "Warum schwimmt das Eis auf dem Wasser und sinkt nicht?"

    assert scope(ResearchRequest(question=german), TODAY).language == "de"
    assert scope(ResearchRequest(question=german, language="fr"), TODAY).language == "fr"


def test_a_very_long_question_makes_a_plan_of_bearable_length() -> None:
    plan = default_plan(brief("ice water " * 900))

    assert len(plan.sub_questions[0].text) <= 1000
    assert all(len(query) <= 300 for query in plan.sub_questions[0].queries)
