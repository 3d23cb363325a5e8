"""A report template: the form that a report is to have, as data."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints


class TemplateSection(BaseModel):
    """A section that the report is to have."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    heading: Annotated[str, StringConstraints(min_length=1, max_length=80)]
    """Worded anew in the report's language."""
    holds: Annotated[str, StringConstraints(max_length=300)] = ""
    """What stands in it, in a sentence."""
    form: Literal["", "prose", "list", "steps", "table"] = ""
    """Empty: as its matter wants it."""


class ReportTemplate(BaseModel):
    """One template, as its TOML file gives it. The default one leaves the form to the question."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str = ""
    """The name of its file; empty: no template."""
    title: Annotated[str, StringConstraints(max_length=80)] = ""
    """What such a report is called, after an article: `literature review`."""
    note: Annotated[str, StringConstraints(max_length=1_200)] = ""
    """What its planner and its writers must mind, in sentences."""
    sections: tuple[TemplateSection, ...] = Field(default=(), max_length=16)
    """In this order; the opening, differences, open questions and references are made anyway."""
    words: float = Field(default=1.0, ge=0.2, le=3.0)
    """How long it is beside a report without a template; the request's `length` counts too."""
