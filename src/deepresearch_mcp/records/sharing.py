"""A link that shows one run to who has no token."""

from pydantic import BaseModel, ConfigDict, Field

PATH = "/shared/"
"""Below it shared runs are read; what follows opens one."""
LONGEST_HOURS = 8_760
"""A year."""
USUAL_HOURS = 168


class SharedLink(BaseModel):
    """A link to one run: who has it reads the page and the report of this run, and nothing else."""

    # A newer server may send fields that this version does not know.
    model_config = ConfigDict(frozen=True, extra="ignore")

    share_id: str = Field(description="Revokes the link; no secret")
    run_id: str
    created: str = Field(description="ISO 8601, UTC")
    expires: str = Field(description="ISO 8601, UTC")
    valid: bool = Field(description="Neither expired nor revoked")
    url: str | None = Field(default=None, description="The link itself; told once, when it is made")
