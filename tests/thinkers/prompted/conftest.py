"""A model that says what it was given to say, and small records to think about."""

import json
from collections.abc import Callable
from datetime import date
from typing import Any, cast, get_args

import pytest

from deepresearch_mcp.llm.structured import Structured
from deepresearch_mcp.ports.model import ModelAnswer, ModelCall, Role
from deepresearch_mcp.records.evidence import Claim, Quote
from deepresearch_mcp.records.plan import Brief, SubQuestion
from deepresearch_mcp.records.request import ResearchRequest
from deepresearch_mcp.records.sources import Passage
from deepresearch_mcp.thinkers.prompted.thinker import Prompted

NONCE = "8f3a2c"


class ScriptedModel:
    """Answers in order: a dict is sent as JSON, an error is raised; keeps the calls."""

    name = "test:scripted"

    def __init__(self) -> None:
        self.script: list[object] = []
        self.calls: list[ModelCall] = []

    async def answer(self, call: ModelCall) -> ModelAnswer:
        self.calls.append(call)
        said = self.script.pop(0)
        if isinstance(said, Exception):
            raise said
        return ModelAnswer(said if isinstance(said, str) else json.dumps(said), self.name)

    @property
    def prompt(self) -> str:
        """Of the last call."""
        return self.calls[-1].prompt

    @property
    def schema(self) -> dict[str, Any]:
        """The properties of the last call's schema."""
        return cast("dict[str, Any]", (self.calls[-1].schema or {})["properties"])


def make_claim(number: int, **more: Any) -> Claim:
    text = more.pop("text", f"Fact number {number} holds.")
    words = Quote(
        source_id=f"s{number}",
        snapshot="0",
        start=0,
        end=5,
        text=f"words {number}",
        context=f"As page {number} says, words {number}.",
    )
    return Claim(claim_id=f"cfact{number}", sub_question="q1", text=text, quotes=more.pop("quotes", (words,)), **more)


@pytest.fixture
def model() -> ScriptedModel:
    return ScriptedModel()


@pytest.fixture
def thinker(model: ScriptedModel) -> Prompted:
    roles = cast("tuple[Role, ...]", get_args(Role))
    return Prompted({role: Structured(model) for role in roles}, "test:scripted", NONCE)


@pytest.fixture
def brief() -> Brief:
    question = "Why does ice\nfloat?"
    return Brief(question=question, language="en", today=date(2026, 11, 20), request=ResearchRequest(question=question))


@pytest.fixture
def sub_question() -> SubQuestion:
    return SubQuestion(id="q3", text="How dense is ice?", priority="high", queries=("ice density",))


@pytest.fixture
def claim() -> Callable[..., Claim]:
    return make_claim


@pytest.fixture
def passages() -> list[Passage]:
    return [
        Passage(
            passage_id=f"p{number * 10}", source_id="s1", start=0, end=9, text=f"Text {number}.", heading="Water › Ice"
        )
        for number in (1, 2, 3)
    ]
