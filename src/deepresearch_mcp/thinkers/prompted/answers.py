"""The shapes of a model's answers: small, read leniently, described strictly."""

import re
from collections.abc import Mapping
from functools import cache
from typing import Annotated, Any, cast

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, WithJsonSchema

Limits = Mapping[str, Mapping[str, int]]
"""Property name → JSON Schema keywords that one call adds to it, as `{"claims": {"maxItems": 6}}`."""


def _words(value: object) -> object:
    return "" if value is None else value


def _list(value: object) -> object:
    if value is None:
        return []
    return cast("list[object]", value) if isinstance(value, list) else [value]


def _mark(value: object) -> object:
    # "8/10" and "8.5" are marks too. An unreadable mark becomes the middle: asking again would cost more.
    found = re.search(r"\d+", str(value))
    return min(10, max(1, int(found.group()))) if found else 5


Words = Annotated[str, BeforeValidator(_words)]
Several = Annotated[list[Words], BeforeValidator(_list)]
Mark = Annotated[int, BeforeValidator(_mark), Field(json_schema_extra={"minimum": 1, "maximum": 10})]


FAULTS = {
    "number": "the source gives another number, or none",
    "date": "the source gives another date, or none",
    "name": "the source names something else, or nothing",
    "condition": "the source makes a condition that is left out",
    "scope": "the source speaks of less",
    "certainty": "the source is less sure",
    "not_said": "the source does not say it",
    "order": "the words are an instruction to the reader and state no fact",
    "contrary": "the source says the opposite",
}
"""What can decide against a claim, and its words in a report: one word from a list costs a model few tokens."""


class Answer(BaseModel):
    """An answer may lack any field but the first list, or the mark.

    So a bad item costs only that item, and an answer of another shape still differs from an empty one.
    """

    model_config = ConfigDict(frozen=True, extra="ignore", coerce_numbers_to_str=True)


class PlannedPart(Answer):
    """One sub-question."""

    question: Words = ""
    priority: Annotated[Words, WithJsonSchema({"type": "string", "enum": ["high", "medium", "low"]})] = "medium"
    queries: Several = []
    depends_on: Annotated[Several, WithJsonSchema({"type": "array", "items": {"type": "integer"}})] = []


class PlannedQuestion(Answer):
    """A question back to the user."""

    question: Words = ""
    options: Several = []


class PlanAnswer(Answer):
    """See prompts/plan.md."""

    goal: Words = Field(default="", json_schema_extra={"maxLength": 80})
    sub_questions: list[PlannedPart]
    ask: list[PlannedQuestion] = []


class ReadClaim(Answer):
    """A claim and its words."""

    claim: Words = ""
    quote: Words = ""
    passage_id: Words = ""


class ReadLead(Answer):
    """Something to look up."""

    query: Words = ""


class ReadAnswer(Answer):
    """See prompts/read.md."""

    claims: list[ReadClaim]
    leads: list[ReadLead] = Field(default=[], json_schema_extra={"maxItems": 1})


class ClaimVerdict(Answer):
    """A verdict."""

    claim_id: Words = ""
    verdict: Annotated[
        Words,
        WithJsonSchema({"type": "string", "enum": ["supported", "partly", "disputed", "unsupported"]}),
    ] = ""
    fault: Annotated[Words, WithJsonSchema({"type": "string", "enum": ["none", *FAULTS]})] = ""
    sentence: Annotated[Words, WithJsonSchema({"type": "integer"})] = ""
    """Its number among the sentences shown: a number is cheap and cannot misquote the page."""


class JudgeAnswer(Answer):
    """See prompts/judge.md."""

    verdicts: list[ClaimVerdict]


JUDGEMENT_FAULTS = {
    "fact": "it brings in a fact that its premises do not give",
    "against": "one of its premises speaks against it",
    "sure": "it is surer or wider than its premises",
    "other": "its premises do not lead to it",
    "order": FAULTS["order"],
}
"""What can be wrong with a judgement of the report's own."""


class JudgementVerdict(Answer):
    """Whether one judgement follows."""

    id: Words = ""
    verdict: Annotated[Words, WithJsonSchema({"type": "string", "enum": ["follows", "partly", "does_not_follow"]})] = ""
    fault: Annotated[Words, WithJsonSchema({"type": "string", "enum": ["none", *JUDGEMENT_FAULTS]})] = ""


class HoldJudgementsAnswer(Answer):
    """See prompts/hold_judgements.md."""

    judgements: list[JudgementVerdict]


class ComparedPair(Answer):
    """How two claims relate."""

    pair_id: Words = ""
    relation: Annotated[Words, WithJsonSchema({"type": "string", "enum": ["same", "contradict"]})] = ""
    reason: Annotated[
        Words, WithJsonSchema({"type": "string", "enum": ["none", "date", "definition", "measure", "scope"]})
    ] = ""


class CompareAnswer(Answer):
    """See prompts/compare.md."""

    comparisons: list[ComparedPair]


class AssessedPart(Answer):
    """How far one sub-question has come."""

    id: Words = ""
    answered: bool = False
    queries: Several = []


class AssessAnswer(Answer):
    """See prompts/assess.md."""

    sufficiency: Mark
    parts: list[AssessedPart] = []


class GapsAnswer(Answer):
    """See prompts/gaps.md."""

    sufficiency: Mark
    gaps: Annotated[Several, Field(json_schema_extra={"maxItems": 5})] = []


class OutlinedSection(Answer):
    """A section."""

    heading: Words = ""
    sub_question_ids: Several = []


class OutlineAnswer(Answer):
    """See prompts/outline.md."""

    title: Words = ""
    sections: list[OutlinedSection]


class WrittenSentence(Answer):
    """A sentence and its claims."""

    text: Words = ""
    claim_ids: Several = []


class WriteAnswer(Answer):
    """See prompts/write.md."""

    sentences: list[WrittenSentence]


class ConcludedSentence(Answer):
    """A sentence and the statements that it sums up."""

    text: Words = ""
    sentence_ids: Several = []


class ConcludeAnswer(Answer):
    """See prompts/conclude.md."""

    sentences: list[ConcludedSentence]


class CritiqueAnswer(Answer):
    """See prompts/critique.md."""

    factuality: Mark
    coherence: Mark = 10
    notes: Annotated[Several, Field(json_schema_extra={"maxItems": 5})] = []


class Change(Answer):
    """A sentence that is replaced, taken out or added."""

    sentence_id: Words = ""
    text: Words = ""
    claim_ids: Several = []


class ReviseAnswer(Answer):
    """See prompts/revise.md."""

    changes: list[Change]


class RepairedSentence(Answer):
    """A sentence that is weakened to what its claims say, or called what it is."""

    n: Annotated[Words, WithJsonSchema({"type": "integer"})] = ""
    text: Words = ""
    kind: Annotated[Words, WithJsonSchema({"type": "string", "enum": ["fact", "synthesis", "judgement"]})] = ""
    claims: Several = []


class RepairAnswer(Answer):
    """See prompts/repair.md."""

    sentences: list[RepairedSentence]


class TextAnswer(Answer):
    """Plain text; no schema is sent for it."""

    text: str


def schema_of(shape: type[Answer], limits: Limits) -> dict[str, Any]:
    """The JSON Schema of an answer as it is sent: no references, no titles, in the fewest tokens.

    All fields are required except those that are mostly empty; no others are allowed. The prompt explains them.
    """
    whole = _generated(shape)
    return _plain(whole, whole.get("$defs", {}), limits)


@cache
def _generated(shape: type[Answer]) -> dict[str, Any]:
    return shape.model_json_schema()


def _plain(node: Mapping[str, Any], definitions: Mapping[str, Any], limits: Limits) -> dict[str, Any]:
    if "$ref" in node:
        node = definitions[node["$ref"].rsplit("/", 1)[1]]
    kept = {key: value for key, value in node.items() if key not in _LEFT_OUT}
    if "properties" in node:
        kept["properties"] = {
            name: _plain(part, definitions, limits) | dict(limits.get(name, {}))
            for name, part in node["properties"].items()
        }
        kept["required"] = [name for name in node["properties"] if name not in _OFTEN_EMPTY]
        kept["additionalProperties"] = False
    if "items" in node:
        kept["items"] = _plain(node["items"], definitions, limits)
    return kept


_OFTEN_EMPTY = frozenset({"goal", "depends_on", "leads", "fault", "sentence", "reason", "gaps"})
_LEFT_OUT = frozenset(
    {"title", "description", "default", "properties", "required", "items", "$defs", "additionalProperties"}
)
