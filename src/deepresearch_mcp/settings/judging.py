"""Settings for the judge of runs that have ended."""

from pydantic import Field

from deepresearch_mcp.settings.bounds import SettingsModel


class JudgingSettings(SettingsModel):
    """Whether a model marks each research when it has its report: 60 % answer, 40 % process."""

    model: str = Field(
        default="", description="PROVIDER:NAME, or auto for the model that reviews; empty: no run is judged."
    )
    max_usd: float = Field(
        default=0.10, ge=0, le=100, description="Dollars for one run's judge, within what is left of the run's ceiling."
    )
