"""Every setting with its default and description, as models; `reading` fills them."""

from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, SecretStr, field_validator

from deepresearch_mcp.records.specs import ENGINE_NAMES, WEB_ENGINE_NAMES
from deepresearch_mcp.settings import retired as setting_retired
from deepresearch_mcp.settings.bounds import KeepSettings, LimitSettings, ServerSettings, SettingsModel
from deepresearch_mcp.settings.defaults import DefaultSettings, checked_domains
from deepresearch_mcp.settings.extensions import offered
from deepresearch_mcp.settings.files import (
    data_home,
)
from deepresearch_mcp.settings.http import HttpSettings
from deepresearch_mcp.settings.judging import JudgingSettings
from deepresearch_mcp.settings.library import LibrarySettings
from deepresearch_mcp.settings.services import ServiceSettings, limits_told, with_engines, with_providers
from deepresearch_mcp.settings.telemetry import LogSettings, TelemetrySettings
from deepresearch_mcp.settings.tool_engines import PREFIX as TOOL
from deepresearch_mcp.settings.tool_engines import tool_engines
from deepresearch_mcp.settings.values import suggestion
from deepresearch_mcp.settings.web import WebSettings
from deepresearch_mcp.settings.webhooks import WebhookSettings


class ModelPrice(SettingsModel):
    """The price of a model that the built-in price list lacks or has wrong."""

    input: float = Field(ge=0, description="USD per million input tokens.")
    output: float = Field(ge=0, description="USD per million output tokens.")
    cached_input: float | None = Field(default=None, ge=0, description="USD per million cached input tokens.")


class _ModelChoice(ServiceSettings):
    use: str = Field(
        default="auto",
        description="auto (the first provider with a key, else extractive), extractive, client (the model of the MCP"
        " client), or PROVIDER:NAME.",
    )
    fast: str = Field(
        default="", description="PROVIDER:NAME for reading, verifying, assessing under auto; empty: chosen by provider."
    )
    smart: str = Field(default="", description="PROVIDER:NAME to plan and write under auto; empty: chosen by provider.")
    roles: dict[str, str] = Field(
        default={},
        description="Role (planner, reader, verifier, analyst, writer, critic) to PROVIDER:NAME, fast or smart.",
    )
    fallbacks: tuple[str, ...] = Field(
        default=(), description="PROVIDER:NAME, asked in turn when a model fails; the extractive engine comes last."
    )
    prices: dict[str, ModelPrice] = Field(default={}, description="PROVIDER:NAME to its price.")
    concurrency: int = Field(default=24, ge=1, le=200, description="Calls at once, for each model.")
    timeout: float = Field(default=120.0, gt=0, description="Seconds for one call.")
    retries: int = Field(
        default=4, ge=0, le=10, description="More tries of a call after 2, 4, 8, 16 … s, or as the provider says."
    )


class ModelSettings(with_providers(_ModelChoice)):
    """Which language models think, and how they are reached."""

    @field_validator("roles")
    @classmethod
    def _present(cls, roles: dict[str, str]) -> dict[str, str]:
        return {role: name for role, name in roles.items() if role not in setting_retired.ROLES}


class _EngineChoice(ServiceSettings):
    engines: tuple[str, ...] = Field(
        default=("auto",),
        description=f"{', '.join(WEB_ENGINE_NAMES)}; auto: those with a key or address, else keyless; "
        "mcp:COMMAND_OR_URL#TOOL: a tool of another MCP server; or the name of an installed extension.",
    )


class SearchSettings(with_engines(_EngineChoice)):
    """Which search engines are asked, and with which keys."""

    timeout: float = Field(default=15.0, gt=0, description="Seconds for one query to one engine.")
    window: float = Field(
        default=0.3, ge=0, description="Seconds after the first engine's answer in which others are fused with it."
    )
    concurrency: int = Field(default=8, ge=1, le=100, description=f"Queries at once, for each engine{limits_told()}.")
    prices: dict[str, Annotated[float, Field(ge=0, allow_inf_nan=False)]] = Field(
        default={},
        description="Engine to USD a query, where the built-in price does not hold; counted in max_usd.",
    )
    rates: dict[str, Annotated[int, Field(ge=0)]] = Field(
        default={},
        description="Engine to queries a minute, in place of the built-in limits; 0: no limit.",
    )
    day_rates: dict[str, Annotated[int, Field(ge=0)]] = Field(
        default={},
        description="Engine to queries in 24 hours by one process, in place of the built-in limit; 0: no limit.",
    )
    safe_search: Literal["off", "moderate", "strict"] = Field(
        default="moderate", description="Which hits engines leave out as unfit for children, where they can."
    )
    reuse_minutes: float = Field(
        default=15.0,
        ge=0,
        description="Minutes in which an answer is used again for an equal query, at no cost; 0: never.",
    )
    keep_days: float = Field(
        default=30.0, ge=0, description="Days for which an answer is kept, for when no engine can be asked; 0: none is."
    )

    @field_validator("engines")
    @classmethod
    def _readable(cls, engines: tuple[str, ...]) -> tuple[str, ...]:
        tool_engines(engines)
        return engines

    @field_validator("prices", "rates", "day_rates")
    @classmethod
    def _known(cls, table: dict[str, float]) -> dict[str, float]:
        for name in table:
            if name not in ENGINE_NAMES and not name.startswith(TOOL) and name not in offered("engines"):
                hint = suggestion(name, frozenset(ENGINE_NAMES)) or f" There are: {', '.join(ENGINE_NAMES)}."
                raise ValueError(f"there is no search engine {name!r}.{hint}")
        return table


class ResearchSettings(SettingsModel):
    """How the pipeline selects, weighs and stops. The request sets breadth, depth and ceilings."""

    pages_per_query: int = Field(default=4, ge=1, le=20, description="Pages fetched of one query's hits.")
    domain_cap: int = Field(
        default=0,
        ge=0,
        description="Pages of one domain in a run; a later query's two best hits are read beyond it. "
        "0: half of max_pages, at least 10; all where one domain is searched alone.",
    )
    first_pages: float = Field(
        default=0.75, gt=0, le=1, description="Share of a sub-question's pages after which reading starts."
    )
    first_wait: float = Field(default=2.0, ge=0, description="Seconds after the first page when reading starts anyway.")
    patience: float = Field(
        default=5.0, ge=0, description="Seconds after reading starts in which late pages are waited for."
    )
    passage_tokens: int = Field(
        default=2_400,
        ge=100,
        description="Tokens of passages read for each query and hypothesis; twice as many if max_tokens allows.",
    )
    batch_chars: int = Field(default=34_000, ge=1_000, description="Characters of passages in one call of the reader.")
    leads: int = Field(
        default=2, ge=0, le=10, description="Leads and links followed at once, for one sub-question in one round."
    )
    stop_score: int = Field(
        default=8,
        ge=1,
        le=11,
        description="Sufficiency without which it is not enough, where no model tells what is open; 11: never enough.",
    )
    min_records: int = Field(default=5, ge=0, description="Verified claims without which it is not enough.")
    min_cited: int = Field(default=5, ge=0, description="Quotes in different places without which it is not enough.")
    min_domains: int = Field(
        default=3, ge=0, description="Domains (documents, for collections) without which it is not enough."
    )
    min_corroborated: float = Field(
        default=0.6,
        ge=0,
        le=1,
        description="Share of key claims with two independent sources without which it is not enough.",
    )
    max_citations: int = Field(
        default=0, ge=0, description="Places that a report cites at most, the least needed left out; 0: no limit."
    )
    critique: bool = Field(
        default=True, description="Review the draft before it goes out, and mend what the review finds."
    )
    strict_dates: bool = Field(default=False, description="Leave out undated pages under date limits.")
    library_to_web: bool = Field(
        default=False,
        description="Let words and links that only collections have become web queries and fetched pages.",
    )
    notes_tokens: int = Field(
        default=4_000, ge=100, description="Tokens of the claims of one sub-question, as the analyst sees them."
    )
    summary_tokens: int = Field(default=500, ge=100, le=1000, description="Length of a page's summary.")
    quality_file: str = Field(
        default="", description="TOML file laid over our grades of sources: weights, decay, thresholds, lists of sites."
    )
    profiles_dir: str = Field(
        default="", description="Folder with profiles of your own, NAME.toml; one of our names replaces ours."
    )
    templates_dir: str = Field(
        default="", description="Folder with report templates of your own, NAME.toml; one of our names replaces ours."
    )
    allow_domains: tuple[str, ...] = Field(
        default=(), description="Only pages of these domains are ever read; a request may narrow them. Empty: all."
    )
    deny_domains: tuple[str, ...] = Field(default=(), description="No page of these domains is ever read.")
    min_source_quality: float = Field(
        default=0.0, ge=0, le=1, description="Web pages that score less are not read for claims; 0: none is refused."
    )
    require_peer_review: bool = Field(default=False, description="Read claims from peer-reviewed web pages only.")

    @field_validator("allow_domains", "deny_domains")
    @classmethod
    def _domains(cls, domains: tuple[str, ...]) -> tuple[str, ...]:
        return checked_domains(domains)


class Settings(SettingsModel):
    """All settings; `DEEPRESEARCH_SEARCH__BRAVE_KEY` sets `search.brave_key`."""

    home: Path = Field(default_factory=data_home, description="Data directory: runs, documents, reports.")
    database_url: SecretStr | None = Field(
        default=None, description="postgresql://USER:PASSWORD@HOST/NAME: keep all of it there, for several machines."
    )
    defaults: DefaultSettings = DefaultSettings()
    model: ModelSettings = ModelSettings()
    search: SearchSettings = SearchSettings()
    web: WebSettings = WebSettings()
    research: ResearchSettings = ResearchSettings()
    server: ServerSettings = ServerSettings()
    http: HttpSettings = HttpSettings()
    library: LibrarySettings = LibrarySettings()
    limits: LimitSettings = LimitSettings()
    keep: KeepSettings = KeepSettings()
    webhooks: WebhookSettings = WebhookSettings()
    telemetry: TelemetrySettings = TelemetrySettings()
    judging: JudgingSettings = JudgingSettings()
    logs: LogSettings = LogSettings()

    @field_validator("home")
    @classmethod
    def _whole(cls, home: Path) -> Path:
        try:
            return home.expanduser().absolute()
        except RuntimeError:
            raise ValueError("it should name a folder that exists for this user") from None
