"""The shape of the answer to prompts/sketch.md."""

from typing import Annotated

from pydantic import Field, WithJsonSchema

from deepresearch_mcp.thinkers.prompted.answers import Answer, Missing, Several, Words


class SketchedPosition(Answer):
    """What the report says to one deliverable."""

    deliverable: Words = Field(default="", validation_alias="deliverable_id")
    label: Words = ""
    position: Words = ""
    premises: Several = Field(default=[], validation_alias="premise_ids")
    would_change: Words = ""


class SketchedSection(Answer):
    """A section."""

    heading: Words = ""
    thesis: Words = ""
    form: Annotated[Words, WithJsonSchema({"type": "string", "enum": ["prose", "table", "list", "steps"]})] = "prose"
    answers: Several = Field(default=[], validation_alias="deliverable_ids")
    facts: Several = Field(default=[], validation_alias="fact_ids")


class Described(Answer):
    """A version or date that sources describe."""

    text: Words = ""
    shown_by: Several = Field(default=[], validation_alias="shown_by_ids")


class SketchAnswer(Answer):
    """See prompts/sketch.md."""

    title: Words = ""
    positions: list[SketchedPosition] = Field(default_factory=list[SketchedPosition])
    sections: list[SketchedSection]
    described: list[Described] = Field(default_factory=list[Described])
    trifles: Several = Field(default=[], validation_alias="trifle_ids")
    thin: list[Missing] = Field(default_factory=list[Missing])
