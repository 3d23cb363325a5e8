"""Every knob, and the only file that reads the environment.

`read` merges, highest first: flags, environment variables (ours, then the vendors' own),
a `.env` file, `config.toml`, defaults; and remembers where each value came from.
"""

import os
import shlex
from collections.abc import Callable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Any, Literal, NamedTuple, cast

from pydantic import Field, SecretStr, ValidationError, field_validator
from pydantic.fields import FieldInfo

from deepresearch_mcp.settings import keyring as setting_keyring
from deepresearch_mcp.settings import retired as setting_retired
from deepresearch_mcp.settings.bounds import KeepSettings, LimitSettings, ServerSettings, SettingsModel
from deepresearch_mcp.settings.files import (
    ConfigFile,
    config_home,
    data_home,
    find_config,
    read_config,
    read_env_file,
    walk_to_env_file,
)
from deepresearch_mcp.settings.values import is_secret, parse, show, suggestion, without_credentials
from deepresearch_mcp.settings.web import WebSettings


class Price(SettingsModel):
    """What a model costs, where the built-in price list does not know it or is wrong."""

    input: float = Field(ge=0, description="USD per million input tokens.")
    output: float = Field(ge=0, description="USD per million output tokens.")
    cached_input: float | None = Field(default=None, ge=0, description="USD per million cached input tokens.")


class ModelSettings(SettingsModel):
    """Which language models think, and how they are reached."""

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
    prices: dict[str, Price] = Field(default={}, description="PROVIDER:NAME to its price.")
    concurrency: int = Field(default=24, ge=1, le=200, description="Calls at once, for each model.")
    timeout: float = Field(default=120.0, gt=0, description="Seconds for one call.")
    retries: int = Field(
        default=4, ge=0, le=10, description="More tries of a call after 2, 4, 8, 16 … s, or as the provider says."
    )
    anthropic_key: SecretStr | None = Field(default=None, description="Also ANTHROPIC_API_KEY.")
    anthropic_base_url: str = Field(default="", description="Also ANTHROPIC_BASE_URL.")
    openai_key: SecretStr | None = Field(default=None, description="Also OPENAI_API_KEY.")
    openai_base_url: str = Field(
        default="", description="Any OpenAI-compatible endpoint for openai:NAME. Also OPENAI_BASE_URL."
    )
    openai_api: Literal["auto", "responses", "chat"] = Field(
        default="auto", description="Wire of openai:NAME; auto: responses at OpenAI itself, chat completions elsewhere."
    )
    gemini_key: SecretStr | None = Field(default=None, description="Also GEMINI_API_KEY or GOOGLE_API_KEY.")
    openrouter_key: SecretStr | None = Field(default=None, description="Also OPENROUTER_API_KEY.")
    ollama_base_url: str = Field(default="http://127.0.0.1:11434/v1", description="For ollama:NAME.")
    vllm_base_url: str = Field(default="http://127.0.0.1:8000/v1", description="For vllm:NAME.")
    lmstudio_base_url: str = Field(default="http://127.0.0.1:1234/v1", description="For lmstudio:NAME.")

    @field_validator("roles")
    @classmethod
    def _present(cls, roles: dict[str, str]) -> dict[str, str]:
        return {role: name for role, name in roles.items() if role not in setting_retired.ROLES}


SEARCH_ENGINES = ("duckduckgo", "wikipedia", "searxng", "tavily", "brave", "local")
"""Names of all search engines; `search.registry` knows how to open them."""


class SearchSettings(SettingsModel):
    """Which engines are asked, and with what keys."""

    engines: tuple[str, ...] = Field(
        default=("auto",),
        description="duckduckgo, wikipedia, searxng, tavily, brave; auto: those with a key or address, else keyless.",
    )
    brave_key: SecretStr | None = Field(default=None, description="Also BRAVE_API_KEY or BRAVE_SEARCH_API_KEY.")
    tavily_key: SecretStr | None = Field(
        default=None, description="Also TAVILY_API_KEY; without it Tavily is asked keyless."
    )
    searxng_url: str = Field(default="", description="Base address of a SearXNG instance. Also SEARXNG_URL.")
    brave_base_url: str = Field(default="https://api.search.brave.com", description="Another address for Brave's API.")
    tavily_base_url: str = Field(default="https://api.tavily.com", description="Another address for Tavily's API.")
    timeout: float = Field(default=15.0, gt=0, description="Seconds for one query to one engine.")
    window: float = Field(
        default=0.3, ge=0, description="Seconds after the first engine's answer in which others are fused with it."
    )
    concurrency: int = Field(
        default=8, ge=1, le=100, description="Queries at once, for each engine; at most 3 for duckduckgo."
    )
    prices: dict[str, Annotated[float, Field(ge=0, allow_inf_nan=False)]] = Field(
        default={}, description="Engine to USD a query, where the built-in price does not hold; counted in max_usd."
    )
    keep_days: float = Field(
        default=30.0, ge=0, description="Days for which an answer is kept, for when no engine can be asked; 0: none is."
    )

    @field_validator("prices")
    @classmethod
    def _known(cls, prices: dict[str, float]) -> dict[str, float]:
        for name in prices:
            if name not in SEARCH_ENGINES:
                hint = suggestion(name, frozenset(SEARCH_ENGINES)) or f" There are: {', '.join(SEARCH_ENGINES)}."
                raise ValueError(f"there is no search engine {name!r}.{hint}")
        return prices


class ResearchSettings(SettingsModel):
    """How the pipeline weighs and stops; the request gives width, depth and ceilings."""

    pages_per_query: int = Field(default=4, ge=1, le=20, description="Pages fetched of one query's hits.")
    domain_cap: int = Field(
        default=10, ge=1, description="Pages of one domain in a run; a later query's two best hits are read beyond it."
    )
    first_pages: float = Field(
        default=1 / 3, gt=0, le=1, description="Share of a batch's pages after which reading starts."
    )
    first_wait: float = Field(default=1.0, ge=0, description="Seconds after the first page when reading starts anyway.")
    patience: float = Field(
        default=5.0, ge=0, description="Seconds after reading starts in which late pages are waited for."
    )
    passages_per_page: int = Field(default=3, ge=1, le=20, description="Passages of one page that a model reads.")
    passage_chars: int = Field(default=900, ge=200, le=4000, description="Characters of one passage, about.")
    batch_chars: int = Field(default=5_400, ge=1_000, description="Characters of passages in one call of the reader.")
    claims_per_batch: int = Field(default=6, ge=1, le=20, description="Claims asked of one call of the reader.")
    leads: int = Field(default=2, ge=0, le=10, description="Leads followed at once, for one sub-question in one round.")
    stop_score: int = Field(
        default=8, ge=1, le=11, description="Sufficiency at which no further round is started; 11: never."
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
    section_claims: int = Field(default=12, ge=1, le=60, description="Claims given to one section's writer.")
    paragraph_claims: int = Field(default=4, ge=1, le=60, description="Claims given to one call of the writer.")
    max_citations: int = Field(
        default=0, ge=0, description="Places that a report cites at most, the least needed left out; 0: no limit."
    )
    critique: bool = Field(default=True, description="Read the draft once more and revise it.")
    strict_dates: bool = Field(default=False, description="Leave out undated pages under date limits.")
    notes_tokens: int = Field(
        default=1_000, ge=100, description="Claims of one sub-question with their quotes, as the analyst sees them."
    )
    brief_tokens: int = Field(
        default=3_000, ge=300, description="Claims of all sub-questions with their quotes, as a report is judged by."
    )
    summary_tokens: int = Field(default=500, ge=100, le=1000, description="Length of a page's summary.")
    quality_file: str = Field(
        default="", description="TOML file laid over our grades of sources: weights, decay, thresholds, lists of sites."
    )
    min_source_quality: float = Field(
        default=0.0, ge=0, le=1, description="Web pages that score less are not read for claims; 0: none is refused."
    )
    require_peer_review: bool = Field(default=False, description="Read claims from peer-reviewed web pages only.")


class Settings(SettingsModel):
    """Every knob; `DEEPRESEARCH_SEARCH__BRAVE_KEY` sets `search.brave_key`."""

    home: Path = Field(default_factory=data_home, description="Data directory: runs, documents, reports.")
    database_url: SecretStr | None = Field(
        default=None, description="postgresql://USER:PASSWORD@HOST/NAME: keep all of it there, for several machines."
    )
    model: ModelSettings = ModelSettings()
    search: SearchSettings = SearchSettings()
    web: WebSettings = WebSettings()
    research: ResearchSettings = ResearchSettings()
    server: ServerSettings = ServerSettings()
    limits: LimitSettings = LimitSettings()
    keep: KeepSettings = KeepSettings()

    @field_validator("home")
    @classmethod
    def _whole(cls, home: Path) -> Path:
        try:
            return home.expanduser().absolute()
        except RuntimeError:
            raise ValueError("it should name a folder that exists for this user") from None


VENDOR_NAMES: dict[str, tuple[str, ...]] = {
    "model.anthropic_key": ("ANTHROPIC_API_KEY",),
    "model.anthropic_base_url": ("ANTHROPIC_BASE_URL",),
    "model.openai_key": ("OPENAI_API_KEY",),
    "model.openai_base_url": ("OPENAI_BASE_URL",),
    "model.gemini_key": ("GEMINI_API_KEY", "GOOGLE_API_KEY"),
    "model.openrouter_key": ("OPENROUTER_API_KEY",),
    "search.brave_key": ("BRAVE_API_KEY", "BRAVE_SEARCH_API_KEY"),
    "search.tavily_key": ("TAVILY_API_KEY",),
    "search.searxng_url": ("SEARXNG_URL",),
}
"""The vendors' own names of variables, looked at behind ours."""

CONFIG_NAME = "DEEPRESEARCH_CONFIG"
"""Names another `config.toml`; read from the environment only."""
ENV_FILE_NAME = "DEEPRESEARCH_ENV_FILE"
"""Names the `.env` file; read from the environment only."""

_PREFIX = "DEEPRESEARCH_"
_NOT_IN_ENV_FILE = frozenset({"proxy", "ca_file", "home", "database_url", "allow_private", "quality_file"})

_Values = dict[str, tuple[Any, str]]
"""Dotted knob → what was given, and where."""


@dataclass(frozen=True)
class Loaded:
    """The settings, and how they came about."""

    settings: Settings
    origins: Mapping[str, str]
    """Dotted knob → `flag`, `environment NAME`, `.env FILE`, `config.toml FILE`, `keyring, …`; no default."""
    files: tuple[Path, ...] = ()
    """Those that were read, the stronger one last."""
    notes: tuple[str, ...] = ()
    """Sentences for the user: what was ignored, and why. They hold no secret."""


class Shown(NamedTuple):
    """A knob as `doctor` and `config show` print it."""

    knob: str
    value: str
    """A secret is `set` or `not set`; an address is without its password and query."""
    origin: str
    """As in `Loaded.origins`, or `default`."""
    description: str


@cache
def knobs() -> Mapping[str, FieldInfo]:
    """Every knob by its dotted name, in the order of the models."""

    def below(model: type[SettingsModel], prefix: str) -> dict[str, FieldInfo]:
        found: dict[str, FieldInfo] = {}
        for name, field in model.model_fields.items():
            part = field.annotation
            if isinstance(part, type) and issubclass(part, SettingsModel):
                found |= below(part, f"{prefix}{name}.")
            else:
                found[prefix + name] = field
        return found

    return MappingProxyType(below(Settings, ""))


def variable(knob: str) -> str:
    """Our environment variable for a knob: `search.brave_key` → `DEEPRESEARCH_SEARCH__BRAVE_KEY`."""
    return _PREFIX + knob.upper().replace(".", "__")


def foreign(*names: str) -> dict[str, str]:
    """What other programs' variables say, as where their folders are; those unset or empty are left out."""
    return {name: text for name in names if (text := os.environ.get(name, "").strip())}


def read(
    flags: Mapping[str, Any] = MappingProxyType({}),
    *,
    env: Mapping[str, str] | None = None,
    walk_env_file: bool = False,
    config_dir: Path | None = None,
) -> Loaded:
    """Merge all sources into one tree.

    A stronger source replaces a list or table whole. Empty variables, and flags that are
    None, count as not given.

    Args:
        flags: Nested (`{"search": {"timeout": 3}}`) or dotted (`{"search.timeout": 3}`).
        env: In the place of the process's environment.
        walk_env_file: Look for `.env` from the working directory upwards, unless
            `DEEPRESEARCH_ENV_FILE` names one. For the command line only: a server's
            working directory is chosen by whoever starts it.
        config_dir: Where `config.toml` lies, unless `DEEPRESEARCH_CONFIG` names one; the
            user's configuration directory if not given.

    Raises:
        ValueError: One sentence on what is wrong and where, and what to do; never the
            value of a secret.
    """
    env = os.environ if env is None else env
    values: _Values = {}
    files: list[Path] = []
    notes: list[str] = []
    if config := _named(env, CONFIG_NAME) or find_config(config_dir):
        values |= _from_config(read_config(config), notes)
        files.append(config)
    env_file = _named(env, ENV_FILE_NAME)
    if found := env_file or (walk_to_env_file() if walk_env_file else None):
        try:
            variables = read_env_file(found)
        except ValueError as error:
            if env_file:
                raise ValueError(f"{error} Correct {ENV_FILE_NAME}, or take it away.") from None
            # Met on the way, and most likely somebody else's: no reason to stop.
            notes.append(f"{error} It was not used.")
        else:
            values |= _from_env_file(found, variables, notes)
            files.append(found)
    values |= _from_variables(env, lambda name: f"environment {name}")
    notes += _unknown_variables(env, "the environment", {CONFIG_NAME, ENV_FILE_NAME})
    flat = _flat(flags, "a flag", notes)
    values |= {knob: (value, "flag") for knob, value in flat.items() if value is not None}
    notes += setting_retired.role_notes(*values.get("model.roles", ("", "")))
    values |= setting_keyring.named({knob: given for knob, given in values.items() if _secret(knob)})
    settings = _checked(values)
    origins = {knob: values[knob][1] for knob in knobs() if knob in values}
    return Loaded(settings, MappingProxyType(origins), tuple(files), tuple(notes))


def config_file() -> Path:
    """Where `config.toml` lies, or would."""
    return _named(os.environ, CONFIG_NAME) or config_home() / "config.toml"


def describe(loaded: Loaded) -> list[Shown]:
    """Every knob with its value and origin, in the order of the models; never a secret."""
    rows: list[Shown] = []
    for knob, field in knobs().items():
        value: Any = loaded.settings
        for name in knob.split("."):
            value = getattr(value, name)
        rows.append(
            Shown(knob, _masked(knob, show(field, value)), loaded.origins.get(knob, "default"), field.description or "")
        )
    return rows


def _named(env: Mapping[str, str], name: str) -> Path | None:
    named = env.get(name, "").strip()
    return Path(os.path.expanduser(named)).absolute() if named else None


def _from_config(config: ConfigFile, notes: list[str]) -> _Values:
    flat = _flat(config.table, str(config.path), notes)
    if config.exposed and any(
        _secret(knob) and value not in {"", setting_keyring.MARK} for knob, value in flat.items()
    ):
        raise ValueError(
            f"The settings file {config.path} holds a key and can be read by other users of this machine. "
            f"Run: chmod 600 {shlex.quote(str(config.path))}"
        )
    return {knob: (value, f"config.toml {config.path}") for knob, value in flat.items()}


def _from_env_file(file: Path, variables: Mapping[str, str], notes: list[str]) -> _Values:
    forbidden = {
        name
        for knob in knobs()
        if _address(knob) or knob.rpartition(".")[2] in _NOT_IN_ENV_FILE
        for name in _variables(knob)
    }
    forbidden |= {CONFIG_NAME, ENV_FILE_NAME}
    notes += [
        f"{name} in {file} was ignored, as a .env file may not say where keys and data go or whom to trust: "
        f"set it in the environment or in config.toml."
        for name in sorted(forbidden & set(variables))
    ]
    allowed = {name: text for name, text in variables.items() if name not in forbidden}
    notes += _unknown_variables(allowed, str(file))
    return _from_variables(allowed, lambda _: f".env {file}")


def _variables(knob: str) -> tuple[str, ...]:
    return (variable(knob), *VENDOR_NAMES.get(knob, ()))


def _from_variables(variables: Mapping[str, str], origin: Callable[[str], str]) -> _Values:
    values: _Values = {}
    for knob in knobs():
        for name in _variables(knob):
            text = variables.get(name, "").strip()
            # Claude Desktop hands over the placeholder itself for what its user left empty in a bundle's form.
            if text and not text.startswith("${user_config."):
                values[knob] = (text, origin(name))
                break
    return values


def _unknown_variables(variables: Mapping[str, str], where: str, known: AbstractSet[str] = frozenset()) -> list[str]:
    ours = {variable(knob) for knob in knobs()} | known
    gone = {variable(knob) for knob in setting_retired.SETTINGS}
    unknown = sorted(name for name in variables if name.startswith(_PREFIX) and name not in ours | gone)
    notes = [setting_retired.note(name, where) for name in sorted(gone & set(variables))]
    return notes + [
        f"{name} in {where} is no setting and was ignored.{suggestion(name, ours, _PREFIX)}" for name in unknown
    ]


def _flat(table: Mapping[str, Any], where: str, notes: list[str], prefix: str = "") -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for name, value in table.items():
        knob = prefix + name
        if knob in knobs():
            flat[knob] = value
        elif knob in setting_retired.SETTINGS:
            notes.append(setting_retired.note(knob, where))
        elif not any(known.startswith(f"{knob}.") for known in knobs()):
            raise ValueError(
                f"There is no setting {knob!r} ({where}).{suggestion(knob, set(knobs()))} Correct its name."
            )
        elif isinstance(value, Mapping):
            flat |= _flat(cast("Mapping[str, Any]", value), where, notes, f"{knob}.")
        elif value is not None:
            raise ValueError(f"The name {knob!r} ({where}) is a group of settings: name the setting, as {knob}.NAME.")
    return flat


def _checked(values: _Values) -> Settings:
    tree: dict[str, Any] = {}
    for knob, (value, origin) in values.items():
        branch = tree
        *groups, name = knob.split(".")
        for group in groups:
            branch = branch.setdefault(group, {})
        try:
            branch[name] = parse(knobs()[knob], value)
        except ValueError as error:
            raise ValueError(_complaint(knob, value, origin, str(error))) from None
    try:
        return Settings.model_validate(tree)
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False, include_context=False)[0]
        path = ".".join(str(part) for part in first["loc"])
        knob = next(known for known in values if path == known or path.startswith(f"{known}."))
        inside = f" at {path.removeprefix(f'{knob}.')}" if path != knob else ""
        wanted = first["msg"].removeprefix("Value error, ").replace("Input should", "it should") + inside
    # Outside the handler, so that pydantic's error, which knows the value, does not hang on ours.
    raise ValueError(_complaint(knob, *values[knob], wanted))


def _complaint(knob: str, value: object, origin: str, wanted: str) -> str:
    came = "(a secret)" if _secret(knob) else repr(_masked(knob, str(value)))
    if len(came) > 100:
        came = f"{came[:99]}…"
    sentence = wanted if wanted.endswith((".", "?")) else f"{wanted}."
    return f"The setting {knob} = {came} ({origin}) is wrong: {sentence} Correct it there, or remove it."


def _secret(knob: str) -> bool:
    return is_secret(knobs()[knob])


def _address(knob: str) -> bool:
    return knob.endswith("_url") or knob == "web.proxy"


def _masked(knob: str, text: str) -> str:
    return without_credentials(text) if _address(knob) else text
