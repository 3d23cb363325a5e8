from typing import get_args

from deepresearch_mcp.mcp_server import arguments
from deepresearch_mcp.records.request import MAX_QUESTION
from deepresearch_mcp.records.run import RunStatus


def test_the_question_s_limits_are_told_but_not_checked_twice() -> None:
    [field] = arguments.Question.__metadata__

    assert field.json_schema_extra == {"minLength": 1, "maxLength": MAX_QUESTION}
    assert field.metadata == []


def test_the_states_of_a_run_are_those_of_the_records() -> None:
    assert get_args(arguments.RunState) == get_args(RunStatus)
