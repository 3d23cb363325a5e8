"""Settings for what operators see of a server at work."""

from typing import Literal

from pydantic import Field

from deepresearch_mcp.settings.bounds import SettingsModel


class TelemetrySettings(SettingsModel):
    """What operators see of a server at work."""

    metrics_open: bool = Field(default=False, description="Whether /metrics is served without a token.")


class LogSettings(SettingsModel):
    """How the server logs, on standard error."""

    format: Literal["text", "json"] = Field(
        default="text", description="text: a line for people; json: an object a line, with run and step."
    )
