"""Settings for the server, for limits over all runs, and for how long data is kept."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field


class SettingsModel(BaseModel):
    """Base class for groups of settings."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False, hide_input_in_errors=True)


class ServerSettings(SettingsModel):
    """How the MCP server answers and how many runs it carries out."""

    wait_seconds: float = Field(default=45.0, ge=0, le=600, description="How long a call stays attached to a run.")
    progress_seconds: float = Field(default=4.0, gt=0, le=5, description="Longest silence between progress messages.")
    result_chars: int = Field(default=40_000, ge=2_000, description="Longest result, in bytes.")
    runs_at_once: int = Field(default=8, ge=1, description="Runs of one server at once; the others wait in the queue.")
    carry_out: Literal["auto", "here", "workers"] = Field(
        default="auto",
        description="Who carries out runs: auto leaves those of `serve --http` on a shared database to workers.",
    )
    toolsets: tuple[Literal["research", "check", "runs", "web", "library", "chatgpt"], ...] = Field(
        default=("research", "check", "runs", "web", "library"),
        description="Which tools are offered; chatgpt: search and fetch, as its connectors want them.",
    )
    rejoin_minutes: float = Field(default=15.0, ge=0, description="How long a completed run answers the same question.")


class LimitSettings(SettingsModel):
    """What all runs may use together, across all processes that share a data directory or database."""

    runs_per_caller: int = Field(
        default=0,
        ge=0,
        description="Runs of one caller at once, over all servers; the others wait in the queue. 0: no such limit.",
    )

    waiting_per_caller: int = Field(
        default=100,
        ge=0,
        description="Runs of one caller over HTTP that wait in the queue, at most; 0: no such limit.",
    )

    usd_per_day: float = Field(
        default=0.0, ge=0, description="Dollars of all runs within 24 hours, at most; 0: no such ceiling."
    )
    tokens_per_day: int = Field(
        default=0, ge=0, description="Tokens, in and out, of all runs within 24 hours, at most; 0: no such ceiling."
    )
    usd_per_day_and_caller: float = Field(
        default=0.0, ge=0, description="Dollars of one caller's runs within 24 hours, at most; 0: no such ceiling."
    )


class KeepSettings(SettingsModel):
    """How long stored data is kept. Any process that has the data directory open removes older data."""

    runs_days: float = Field(
        default=0.0,
        ge=0,
        description="Days after its end when a run is deleted with its report, its steps and its pages; 0: never.",
    )
    cache_days: float = Field(
        default=30.0,
        ge=0,
        description="Days after which cached pages that no run holds, and judgements, are dropped; 0: never.",
    )
