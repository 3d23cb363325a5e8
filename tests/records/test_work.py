from typing import Any

import pytest
from pydantic import ValidationError

from deepresearch_mcp.records.consent import InputRequest
from deepresearch_mcp.records.work import ClientAnswer, ModelTask


def packet(name: str, **given: Any) -> ModelTask:
    whole = {"packet_id": name, "mark": "m", "task": "read", "system": "s", "prompt": "p", "max_tokens": 1}
    return ModelTask.model_validate(whole | given)


def work(*packets: ModelTask) -> InputRequest:
    return InputRequest(inquiry_id="work/1", kind="work", text="Work.", packets=packets)


def test_an_answer_that_is_there_stands_and_the_rest_stays_open() -> None:
    first = work(packet("1.1"), packet("1.2"), packet("1.3")).after(
        {"1.1": ClientAnswer(text="a"), "9.9": ClientAnswer(text="x")}
    )
    second = first.after({"1.1": ClientAnswer(text="b")}, faulty={"1.2"})

    assert [one.packet_id for one in first.open] == ["1.2", "1.3"]
    assert second.packets[0].answered == ClientAnswer(text="a")
    assert [one.faulty for one in second.packets] == [False, True, False]
    assert second.after({}, faulty=()).packets[1].faulty


def test_another_question_is_another_subject_and_an_answer_to_it_is_not() -> None:
    open_work = work(packet("1.1"))

    assert open_work.subject() == open_work.after({"1.1": ClientAnswer(text="a")}).subject()
    assert open_work.subject() != work(packet("1.1", mark="other")).subject()


def test_a_packet_survives_the_store_and_takes_nothing_unknown() -> None:
    one = packet("1.1", answer_schema={"type": "object", "properties": {}}, answered=ClientAnswer(text="a"))

    assert ModelTask.model_validate_json(one.model_dump_json()) == one
    with pytest.raises(ValidationError):
        packet("1.1", price=1)
