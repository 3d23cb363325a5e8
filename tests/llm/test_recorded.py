import pytest
from tests.llm.scripted import MemoryJournal, ScriptedModel, call

from deepresearch_mcp.exceptions import ProviderError
from deepresearch_mcp.llm.recorded import RecordedModel
from deepresearch_mcp.ports.model import ModelAnswer, ModelCall, Usage

DOWN = ProviderError("p", "HTTP 500", retryable=True)


async def test_an_answer_that_another_model_gave_before_stands() -> None:
    journal = MemoryJournal()
    first = await RecordedModel(ScriptedModel("ok", name="openai:a"), journal).answer(call())
    unpaid = ScriptedModel(DOWN, name="openai:b")

    assert await RecordedModel(unpaid, journal.reborn()).answer(call()) == first
    assert unpaid.calls == []


async def test_an_answer_to_other_words_is_asked_for_again_no_matter_who_gave_it() -> None:
    journal = MemoryJournal()
    await RecordedModel(ScriptedModel("ok", name="openai:a"), journal).answer(call())
    paid = ScriptedModel("better", name="openai:b")

    assert (await RecordedModel(paid, journal.reborn()).answer(call(prompt="Another?"))).text == "better"


async def test_a_recorded_answer_that_cannot_be_read_is_asked_for_again() -> None:
    journal = MemoryJournal({"read/q1": ("", b'{"of": "another version"}')})

    assert (await RecordedModel(ScriptedModel("ok"), journal).answer(call())).text == "ok"


async def test_a_recorded_answer_is_not_paid_again_in_the_next_life() -> None:
    journal = MemoryJournal()
    paid = ScriptedModel(ModelAnswer("ok", "openai:a", Usage(9, 1), "length", 0.25))
    first = await RecordedModel(paid, journal).answer(call(needs=("plan",)))
    unpaid = ScriptedModel(DOWN)

    again = await RecordedModel(unpaid, journal.reborn()).answer(call(needs=("plan",)))

    assert again == first
    assert unpaid.calls == []
    assert journal.costs == {"read/q1": 0.25}
    assert journal.needs == {"read/q1": ("plan",)}


@pytest.mark.parametrize(
    "other",
    [
        call(prompt="Another?"),
        call(system="Be brief."),
        call(max_tokens=7),
        call(role="analyst"),
        call(schema={"type": "object"}),
    ],
)
async def test_another_question_under_the_same_key_is_asked(other: ModelCall) -> None:
    journal, model = MemoryJournal(), ScriptedModel("ok")
    await RecordedModel(model, journal).answer(call())

    await RecordedModel(model, journal.reborn()).answer(other)

    assert len(model.calls) == 2
