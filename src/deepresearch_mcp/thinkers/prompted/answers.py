"""The shapes of a model's answers: small, read leniently, described strictly."""

import re
from collections.abc import Mapping
from functools import cache
from typing import Annotated, Any, cast, get_args

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, WithJsonSchema

from deepresearch_mcp.records.plan import DeliverableKind

Limits = Mapping[str, Mapping[str, int]]
"""Property name → JSON Schema keywords that one call adds to it, as `{"claims": {"maxItems": 6}}`.

A list of which the call wants no item is left out of its schema.
"""


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


LINKS_OPENED = 2
"""Links that one reading may ask to have opened."""
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


def _one_of(*words: str) -> WithJsonSchema:
    return WithJsonSchema({"type": "string", "enum": list(words)})


class Answer(BaseModel):
    """An answer may lack any field but the first list, or the mark.

    So a bad item costs only that item, and an answer of another shape still differs from an empty one.
    """

    # A model is asked for ids by names that end in them, so that none writes sentences there; plain names are read too.
    model_config = ConfigDict(frozen=True, extra="ignore", coerce_numbers_to_str=True, validate_by_name=True)


class PlannedDeliverable(Answer):
    """One thing that the question asks for."""

    kind: Annotated[Words, WithJsonSchema({"type": "string", "enum": list(get_args(DeliverableKind))})] = "answer"
    text: Words = ""


class PlannedStatement(Answer):
    """A statement to be tested, and the query that tests it."""

    statement: Words = ""
    query: Words = ""


class PlannedPart(Answer):
    """One sub-question."""

    question: Words = ""
    priority: Annotated[Words, WithJsonSchema({"type": "string", "enum": ["high", "medium", "low"]})] = "medium"
    queries: Several = []
    expect: list[PlannedStatement] = []
    depends_on: Annotated[Several, WithJsonSchema({"type": "array", "items": {"type": "integer"}})] = []


class PlannedQuestion(Answer):
    """A question back to the user."""

    question: Words = ""
    options: Several = []


class PlanAnswer(Answer):
    """See prompts/plan.md. The brief comes first, so that the sub-questions are written with it in sight."""

    deliverables: list[PlannedDeliverable] = []
    subjects: Several = []
    aspects: Several = []
    constraints: Several = []
    premises: list[PlannedStatement] = []
    goal: Words = Field(default="", json_schema_extra={"maxLength": 80})
    sub_questions: list[PlannedPart]
    ask: list[PlannedQuestion] = []


class ReadClaim(Answer):
    """A claim and its words."""

    claim: Words = ""
    quote: Words = ""
    passage_id: Words = ""
    weight: Annotated[Words, WithJsonSchema({"type": "integer", "enum": [1, 2, 3]})] = ""
    covers: Several = Field(default=[], validation_alias="point_ids")


class ReadLead(Answer):
    """Something to look up."""

    query: Words = ""


class ReadAnswer(Answer):
    """See prompts/read.md."""

    claims: list[ReadClaim]
    leads: list[ReadLead] = Field(default=[], json_schema_extra={"maxItems": 1})
    links: Annotated[Several, Field(json_schema_extra={"maxItems": LINKS_OPENED})] = []


class ClaimVerdict(Answer):
    """A verdict."""

    claim_id: Words = ""
    verdict: Annotated[Words, _one_of("supported", "partly", "disputed", "unsupported")] = ""
    fault: Annotated[Words, WithJsonSchema({"type": "string", "enum": ["none", *FAULTS]})] = ""
    sentence: Annotated[Words, WithJsonSchema({"type": "integer"})] = ""
    """Its number among the sentences shown: a number is cheap and cannot misquote the page."""


class JudgeAnswer(Answer):
    """See prompts/hold.md."""

    verdicts: list[ClaimVerdict]


class SheetAnswer(JudgeAnswer):
    """See prompts/judge.md: most claims are supported, and an id is all that has to be said of those."""

    supported: Several = []


ELSEWHERE = "elsewhere"
"""The fault of a sentence that holds with a claim that it does not name."""
JUDGEMENT_FAULTS = {
    "fact": "it brings in a fact that its premises do not give",
    "against": "one of its premises speaks against it",
    "sure": "it is surer or wider than its premises",
    "other": "its premises do not lead to it",
    "order": FAULTS["order"],
}
"""What can be wrong with a judgement of the report's own."""


class SentenceVerdict(Answer):
    """Whether one finished sentence is carried."""

    sentence_id: Words = ""
    verdict: Annotated[Words, _one_of("supported", "mislabelled", "partly", "disputed", "unsupported")] = ""
    fault: Annotated[Words, WithJsonSchema({"type": "string", "enum": ["none", *FAULTS, ELSEWHERE]})] = ""
    shown_by: Words = Field(default="", validation_alias="shown_by_id")
    """The claim that shows the fault, or that the sentence lacks."""


class HoldAnswer(Answer):
    """See prompts/hold.md."""

    verdicts: list[SentenceVerdict]


class JudgementVerdict(Answer):
    """Whether one judgement follows."""

    judgement_id: Words = ""
    verdict: Annotated[Words, _one_of("follows", "mislabelled", "partly", "does_not_follow")] = ""
    fault: Annotated[Words, WithJsonSchema({"type": "string", "enum": ["none", *JUDGEMENT_FAULTS, ELSEWHERE]})] = ""
    shown_by: Words = Field(default="", validation_alias="shown_by_id")
    """The premise that the judgement lacks."""


class HoldJudgementsAnswer(Answer):
    """See prompts/hold_judgements.md."""

    judgements: list[JudgementVerdict]


class OpenedPoint(Answer):
    """A point that is not covered."""

    point: Words = Field(default="", validation_alias="point_id")
    status: Annotated[Words, WithJsonSchema({"type": "string", "enum": ["open", "thin", "one_sided"]})] = "open"
    missing: Words = ""
    queries: Several = []


class ExpectedStatement(Answer):
    """A hypothesis for an open point."""

    statement: Words = ""
    query: Words = ""
    sub_question: Words = Field(default="", validation_alias="sub_question_id")


class AddedPart(Answer):
    """A sub-question that is new."""

    question: Words = ""
    queries: Several = []


class AssessAnswer(Answer):
    """See prompts/assess.md."""

    sufficiency: Mark
    open: list[OpenedPoint] = []
    expect: list[ExpectedStatement] = []
    add: list[AddedPart] = []
    done: Several = Field(default=[], validation_alias="done_ids")


class Contradiction(Answer):
    """Two claims that cannot both be true."""

    claim_ids: Several = []
    reason: Annotated[
        Words,
        WithJsonSchema({"type": "string", "enum": ["none", "version", "date", "definition", "measure", "scope"]}),
    ] = ""


class SameClaims(Answer):
    """Claims that state one fact, or two of which the second says all of the first."""

    claim_ids: Several = []


class ConsolidateAnswer(Answer):
    """See prompts/consolidate.md."""

    same: list[SameClaims]
    within: list[SameClaims] = []
    contradict: list[Contradiction] = []


class Missing(Answer):
    """Something that the report needs and no fact says."""

    missing: Words = ""
    query: Words = ""
    point: Words = Field(default="", validation_alias="point_id")
    decisive: bool = False


class SectionRewrite(Answer):
    """What a reviewer wants of a section."""

    section: Annotated[Words, WithJsonSchema({"type": "integer"})] = ""
    why: Words = ""
    form: Annotated[Words, WithJsonSchema({"type": "string", "enum": ["as_is", "prose", "table", "list", "steps"]})] = (
        ""
    )
    takes_in: Annotated[Several, WithJsonSchema({"type": "array", "items": {"type": "integer"}})] = []


class ReviewAnswer(Answer):
    """See prompts/review.md."""

    worth: Mark
    opening: Words = ""
    rewrite: list[SectionRewrite] = []
    order: Annotated[Several, WithJsonSchema({"type": "array", "items": {"type": "integer"}})] = []
    queries: Several = []
    missing: list[Missing] = []


class RepairedSentence(Answer):
    """A sentence that is weakened to what its claims say, or called what it is."""

    n: Annotated[Words, WithJsonSchema({"type": "integer"})] = ""
    text: Words = ""
    kind: Annotated[Words, WithJsonSchema({"type": "string", "enum": ["fact", "synthesis", "judgement"]})] = ""
    claims: Several = Field(default=[], validation_alias="claim_ids")


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
            # The items of a list may have a field of the same name, which is no list.
            name: _plain(part, definitions, limits) | dict(limits.get(name, {}) if part.get("type") == "array" else {})
            for name, part in node["properties"].items()
            if part.get("type") != "array" or limits.get(name, {}).get("maxItems") != 0
        }
        kept["required"] = [name for name in kept["properties"] if name not in _OFTEN_EMPTY]
        kept["additionalProperties"] = False
    if "items" in node:
        kept["items"] = _plain(node["items"], definitions, limits)
    return kept


_OFTEN_EMPTY = frozenset(
    {
        "add",
        "point_ids",
        "depends_on",
        "expect",
        "fault",
        "goal",
        "leads",
        "links",
        "point_id",
        "reason",
        "sentence",
        "shown_by_id",
        "shown_by_ids",
        "takes_in",
        "trifle_ids",
        "would_change",
    }
)
_LEFT_OUT = frozenset(
    {"title", "description", "default", "properties", "required", "items", "$defs", "additionalProperties"}
)
