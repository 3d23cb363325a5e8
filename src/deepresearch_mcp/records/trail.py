"""One event of a run as every surface shows it."""

from typing import Any

from pydantic import BaseModel, ConfigDict, Field


class RunEvent(BaseModel):
    """Something that happened in a run: a line of its audit trail."""

    # A newer server may send fields that this version does not know.
    model_config = ConfigDict(frozen=True, extra="ignore")

    number: int = Field(description="Rises within a run; numbers in between may be those of other runs")
    at: str = Field(description="ISO 8601, UTC")
    kind: str
    actor: str = Field(default="run", description="Who did it: a role, an engine, a model, user, or run")
    parent: str = Field(default="run", description="What it is part of: the id of a sub-question, or run")
    data: dict[str, Any]
