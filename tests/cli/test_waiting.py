from deepresearch_mcp.cli.waiting import user_present, waiting_lines
from deepresearch_mcp.records.consent import InputRequest
from deepresearch_mcp.records.plan import Clarification, Plan
from deepresearch_mcp.records.run import Run
from pipeline_fakes import part


def asks(**given: object) -> Run:
    inquiry = InputRequest.model_validate({"inquiry_id": "1", "kind": "approval", "text": "So?"} | given)
    return Run(run_id="r" * 26, status="input_required", stage="planning", question="Why?", waiting=inquiry)


def ways(run: Run) -> list[str]:
    return [line.split(" or  ")[-1].split("r" * 26)[-1].strip() for line in waiting_lines(run)[1:]]


def test_only_the_answers_that_can_be_given_are_offered() -> None:
    ruled = Plan(sub_questions=(part("q1"),), made_by="extractive")
    back = (Clarification(question="Which?"),)

    assert [way.split()[0] for way in ways(asks())] == [
        "--approve",
        "--note",
        "--sub-question",
        "--max-usd",
        "--decline",
    ]
    assert "--note" not in " ".join(ways(asks(plan=ruled)))
    assert ways(asks(kind="clarification", questions=back))[0].startswith("--answer")


def test_a_question_about_money_is_answered_with_a_higher_ceiling_or_without() -> None:
    assert ways(asks(kind="budget", raised={"max_usd": 0.3, "max_tokens": 90_000})) == [
        "--approve (narrowed to fit)",
        "--approve --max-usd 0.3 --max-tokens 90000",
        "--decline (ends it)",
    ]
    assert ways(asks(kind="budget")) == ["--approve (narrowed to fit)", "--decline (ends it)"]


def test_work_is_handed_in_as_a_file() -> None:
    packet = {"packet_id": "1.1", "mark": "m", "task": "read", "system": "s", "prompt": "p", "max_tokens": 9}
    lines = waiting_lines(asks(kind="work", packets=[packet]))

    assert "a model's answers to 1 packet;" in lines[0]
    assert [way for way in " ".join(lines).split() if way.startswith("--")] == ["--work", "--approve", "--decline"]


def test_tests_sit_at_no_terminal() -> None:
    assert not user_present()
