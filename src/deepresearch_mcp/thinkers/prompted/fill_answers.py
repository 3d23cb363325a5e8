"""The shape of the answer to prompts/fill.md."""

from pydantic import Field

from deepresearch_mcp.thinkers.prompted.answers import Answer, Several, Words


class FilledSpot(Answer):
    """What belongs in one spot."""

    spot: Words = Field(default="", validation_alias="spot_id")
    text: Words = ""
    by: Several = Field(default=[], validation_alias="by_ids")
    quote: Words = ""
    fact: Words = ""


class FillAnswer(Answer):
    """See prompts/fill.md."""

    spots: list[FilledSpot]
