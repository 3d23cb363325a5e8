from typing import Any

import pytest
from pydantic import BaseModel, Field
from tests.llm.scripted import ScriptedModel, call

from deepresearch_mcp.exceptions import AnswerCut, AnswerRefused, ContextOverflow, ProviderError, UnreadableAnswer
from deepresearch_mcp.llm.structured import Structured
from deepresearch_mcp.ports.model import ModelAnswer

GOOD = '{"words": ["ice"], "score": 3}'
CUT = ModelAnswer('{"words": ["ice", "wat', "openai:gpt-6-luna", stop="length")


class Finding(BaseModel):
    words: list[str]
    score: int = Field(ge=1, le=10)


class Findings(BaseModel):
    found: list[Finding]


async def test_an_answer_in_the_shape_asked_is_a_value() -> None:
    model = ScriptedModel(GOOD)

    finding = await Structured(model).ask(call(), Finding)

    assert finding == Finding(words=["ice"], score=3)
    [asked] = model.calls
    assert asked.schema == Finding.model_json_schema()
    assert asked.schema_name == "Finding"
    assert Structured(model).name == "openai:gpt-6-luna"


async def test_a_schema_of_the_call_itself_is_kept() -> None:
    narrow: dict[str, Any] = Finding.model_json_schema()
    narrow["properties"]["words"]["maxItems"] = 1
    model = ScriptedModel('{"words": ["ice", "water"], "score": 3}')

    finding = await Structured(model).ask(call(schema=narrow), Finding)

    assert finding.words == ["ice"]
    assert model.calls[0].schema == narrow


async def test_thoughts_fences_and_prose_around_the_answer_do_no_harm() -> None:
    model = ScriptedModel(f"<think>{{}}</think>Here you are [1]:\n```json\n{GOOD}\n```\nDone.")

    assert (await Structured(model).ask(call(), Finding)).score == 3


async def test_an_unusable_answer_is_asked_for_once_more_with_the_fault_named() -> None:
    model = ScriptedModel('{"words": ["ice"], "score": 30}', GOOD)

    await Structured(model).ask(call("read/q1", prompt="Find.", needs=("plan",)), Finding)

    again = model.calls[1]
    assert again.key == "read/q1/again"
    assert again.needs == ("plan", "read/q1")
    assert again.prompt.startswith("Find.\n\n")
    assert "score: Input should be less than or equal to 10" in again.prompt


async def test_a_second_unusable_answer_is_the_end() -> None:
    model = ScriptedModel("I cannot say.")

    with pytest.raises(UnreadableAnswer, match="no JSON"):
        await Structured(model).ask(call(), Finding)

    assert [asked.key for asked in model.calls] == ["read/q1", "read/q1/again"]


async def test_of_a_second_answer_the_usable_items_are_kept() -> None:
    half = f'{{"found": [{GOOD}, {{"words": 1}}]}}'
    model = ScriptedModel(half, half)

    assert len((await Structured(model).ask(call(), Findings)).found) == 1


async def test_a_second_answer_of_another_shape_names_its_fields() -> None:
    with pytest.raises(UnreadableAnswer, match="score: Field required"):
        await Structured(ScriptedModel('{"words": []}')).ask(call(), Finding)


async def test_an_answer_cut_short_gets_twice_the_length() -> None:
    model = ScriptedModel(CUT, GOOD)

    await Structured(model).ask(call(max_tokens=100), Finding)

    longer = model.calls[1]
    assert (longer.key, longer.max_tokens, longer.needs) == ("read/q1/longer", 200, ("read/q1",))
    assert longer.prompt == model.calls[0].prompt


@pytest.mark.parametrize("way", ["ask", "text"])
async def test_an_answer_cut_twice_is_the_end(way: str) -> None:
    structured = Structured(ScriptedModel(CUT))

    with pytest.raises(AnswerCut, match="200 tokens"):
        await (structured.ask(call(), Finding) if way == "ask" else structured.text(call()))


@pytest.mark.parametrize(("stop", "kind"), [("refusal", AnswerRefused), ("context", ContextOverflow)])
@pytest.mark.parametrize("way", ["ask", "text"])
async def test_refusals_and_overflows_are_told_apart_and_not_asked_again(
    way: str, stop: str, kind: type[ProviderError]
) -> None:
    model = ScriptedModel(ModelAnswer("", "openai:gpt-6-luna", stop=stop))  # type: ignore[arg-type] - of the four
    structured = Structured(model)

    with pytest.raises(kind):
        await (structured.ask(call(), Finding) if way == "ask" else structured.text(call()))

    assert len(model.calls) == 1


async def test_plain_text_comes_without_thoughts_and_fence() -> None:
    model = ScriptedModel("<think>Hm.</think>```markdown\n# Ice\n```")

    assert await Structured(model).text(call()) == "# Ice"
    assert model.calls[0].schema is None


async def test_an_empty_text_is_asked_for_once_more() -> None:
    model = ScriptedModel("<think>only thoughts", "Ice floats.")

    assert await Structured(model).text(call()) == "Ice floats."
    assert model.calls[1].key == "read/q1/again"


async def test_a_text_cut_short_gets_twice_the_length() -> None:
    model = ScriptedModel(CUT, "Ice floats.")

    assert await Structured(model).text(call()) == "Ice floats."
    assert model.calls[1].max_tokens == 200


async def test_a_text_that_stays_empty_is_unreadable() -> None:
    with pytest.raises(UnreadableAnswer, match="empty"):
        await Structured(ScriptedModel("")).text(call())
