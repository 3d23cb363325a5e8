"""What a research is like where its caller does not say, on every surface."""

from typing import Any, Literal

from pydantic import Field, field_validator

from deepresearch_mcp.settings.bounds import SettingsModel

_OVERRIDDEN = "an argument of the same name wins."


class DefaultSettings(SettingsModel):
    """Arguments of a research that its caller leaves out; the names are those of the arguments."""

    effort: Literal["quick", "standard", "deep", "exhaustive"] = Field(
        default="standard", description=f"quick, standard, deep or exhaustive; {_OVERRIDDEN}"
    )
    breadth: int | None = Field(default=None, ge=1, le=10, description="Sub-questions; not set: as the effort says.")
    depth: int | None = Field(default=None, ge=0, le=5, description="Rounds; not set: as the effort says.")
    max_usd: float | None = Field(default=None, ge=0, le=1000, description="Dollars; not set: as the effort says.")
    max_tokens: int | None = Field(default=None, ge=1, description="Tokens; not set: as the effort says.")
    max_searches: int | None = Field(default=None, ge=0, description="Searches; not set: as the effort says.")
    max_pages: int | None = Field(default=None, ge=0, description="Pages; not set: as the effort says.")
    max_minutes: float | None = Field(
        default=None, gt=0, le=24 * 60, description="Minutes; not set: as the effort says."
    )
    include_domains: tuple[str, ...] = Field(
        default=(), description="Only these domains are searched and read; empty: all."
    )
    exclude_domains: tuple[str, ...] = Field(default=(), description="Domains that are neither searched nor read.")
    prefer_domains: tuple[str, ...] = Field(default=(), description="Domains whose pages come first.")
    profile: str = Field(default="general", min_length=1, max_length=40, description="Kind of sources to prefer.")
    language: str = Field(default="", max_length=40, description="Of the report, as de; empty: the question's.")
    length: Literal["brief", "standard", "long"] = Field(
        default="standard", description="Of the report, beside what the question needs."
    )
    template: str = Field(default="", max_length=40, description="The form of the report; empty: as it answers best.")

    @field_validator("include_domains", "exclude_domains", "prefer_domains")
    @classmethod
    def _domains(cls, domains: tuple[str, ...]) -> tuple[str, ...]:
        return checked_domains(domains)

    def under(self, arguments: dict[str, Any]) -> dict[str, Any]:
        """The arguments, with these for what is not among them."""
        return {name: value for name, value in self if value not in (None, "", ())} | arguments


def checked_domains(domains: tuple[str, ...]) -> tuple[str, ...]:
    """Return domains in their usual form.

    Raises:
        ValueError: One of them is no domain.
    """
    found = tuple(one.strip().lower().removeprefix("*.").strip(".") for one in domains)
    for one in found:
        if not one or set(one) & set("/:@ ?#*"):
            raise ValueError(f"{one[:60]!r} is not a domain: write it like example.org")
    return found
