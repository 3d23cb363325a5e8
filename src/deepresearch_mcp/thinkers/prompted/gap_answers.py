"""The shape of the answer to prompts/gaps.md."""

from typing import Annotated

from pydantic import Field, WithJsonSchema

from deepresearch_mcp.thinkers.prompted.answers import Answer, Several, Words


class GapStatus(Answer):
    """How one gap stands."""

    gap: Words = Field(default="", validation_alias="gap_id")
    status: Annotated[Words, WithJsonSchema({"type": "string", "enum": ["answered", "partly", "open"]})] = "open"
    by: Several = Field(default=[], validation_alias="by_ids")
    rest: Words = ""
    same: Words = Field(default="", validation_alias="same_id")


class GapsAnswer(Answer):
    """See prompts/gaps.md."""

    gaps: list[GapStatus]
