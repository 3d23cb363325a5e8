"""The shape of the answer to prompts/fill.md."""

from pydantic import Field

from deepresearch_mcp.thinkers.prompted.answers import Answer, Several, Words


class FilledSpot(Answer):
    """What belongs in one spot."""

    spot: Words = ""
    text: Words = ""
    by: Several = Field(default_factory=list[str])
    quote: Words = ""
    fact: Words = ""


class FillAnswer(Answer):
    """See prompts/fill.md."""

    spots: list[FilledSpot]
