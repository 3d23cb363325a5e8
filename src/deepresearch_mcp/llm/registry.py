"""The providers there are, and which model plays which role."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Literal, get_args

import httpx2
from pydantic import SecretStr

from deepresearch_mcp.exceptions import DeepResearchError, InvalidRequest, SettingsError
from deepresearch_mcp.llm import sdk
from deepresearch_mcp.llm.anthropic import Anthropic
from deepresearch_mcp.llm.endpoints import is_address, is_private
from deepresearch_mcp.llm.failures import Endpoint
from deepresearch_mcp.llm.openai import OpenAI
from deepresearch_mcp.llm.prices import LOCAL, Prices
from deepresearch_mcp.ports.model import Role, Tier
from deepresearch_mcp.settings.schema import VENDOR_NAMES, ModelSettings

ROLES: Final[tuple[Role, ...]] = get_args(Role)
TIERS: Final[Mapping[Role, Tier]] = MappingProxyType(
    {
        "planner": "smart",
        "reader": "fast",
        "verifier": "fast",
        "analyst": "fast",
        "writer": "smart",
        "critic": "smart",
    }
)


@dataclass(frozen=True, slots=True)
class Provider:
    """A service that has models."""

    name: str
    adapter: Literal["anthropic", "openai"]
    base_url: str = ""
    """Where it is, when no setting says so; empty: the adapter's own."""
    fast: str = ""
    smart: str = ""
    """Default models of the two tiers; empty: they have to be named."""
    keyed: bool = True
    """A key is needed, unless its address is private."""


_GEMINI = "https://generativelanguage.googleapis.com/v1beta/openai/"
_OPENROUTER = "https://openrouter.ai/api/v1"

# In the order in which `auto` looks for a key.
PROVIDERS: Final[Mapping[str, Provider]] = MappingProxyType(
    {
        provider.name: provider
        for provider in (
            Provider("anthropic", "anthropic", fast="claude-haiku-5-5", smart="claude-sonnet-5-5"),
            Provider("openai", "openai", fast="gpt-6-luna", smart="gpt-6.1-terra"),
            Provider("gemini", "openai", _GEMINI, fast="gemini-3.5-flash-lite", smart="gemini-3.8-flash"),
            Provider(
                "openrouter",
                "openai",
                _OPENROUTER,
                fast="anthropic/claude-haiku-5.5",
                smart="anthropic/claude-sonnet-5.5",
            ),
            Provider("ollama", "openai", keyed=False),
            Provider("vllm", "openai", keyed=False),
            Provider("lmstudio", "openai", keyed=False),
        )
    }
)


def parse_name(text: str) -> tuple[str, str]:
    """Split `PROVIDER:NAME`; the name may hold colons itself.

    Raises:
        InvalidRequest: It is not of this form, or the provider is unknown.
    """
    provider, _, name = text.strip().partition(":")
    known, said = ", ".join(PROVIDERS), repr(text[:60])
    if provider not in PROVIDERS:
        raise InvalidRequest(f"{said} names no model provider.", f"Write PROVIDER:NAME; the providers are {known}.")
    if not name or any(char.isspace() for char in name):
        example = PROVIDERS[provider].fast or "llama4"
        raise InvalidRequest(f"{said} names no model.", f"Write PROVIDER:NAME, as {provider}:{example}.")
    return provider, name


def configured(settings: ModelSettings) -> str | None:
    """Return the provider that `auto` means: that of both tiers where they are named, else the first with a key."""
    if settings.fast and settings.smart:
        return _named(settings.smart, "model.smart")[0]
    return next((name for name in PROVIDERS if _key(name, settings)), None)


def tiers(asked: str, settings: ModelSettings) -> dict[Role, str]:
    """Return the model, as PROVIDER:NAME, for each role.

    A model that was asked for plays all roles: no other is billed. `model.use`, `model.fast`, `model.smart`
    and `model.roles` hold for `auto` alone; among them the more special one wins.

    Raises:
        InvalidRequest: `asked` names no known provider.
        SettingsError: `auto`, and no provider has a key; or a setting names no known provider or role.
    """
    if asked != "auto":
        return dict.fromkeys(ROLES, ":".join(parse_name(asked)))
    fast, smart = _both(settings)
    by_tier: dict[str, str] = {"fast": settings.fast or fast, "smart": settings.smart or smart}
    for setting in ("fast", "smart"):
        if getattr(settings, setting):
            _named(by_tier[setting], f"model.{setting}")
    chosen: dict[Role, str] = {role: by_tier[tier] for role, tier in TIERS.items()}
    for role, name in settings.roles.items():
        if role not in ROLES:
            raise SettingsError(f"model.roles names {role!r}, which is no role.", f"The roles are {', '.join(ROLES)}.")
        chosen[role] = by_tier[name] if name in by_tier else ":".join(_named(name, f"model.roles.{role}"))
    return chosen


def _both(settings: ModelSettings) -> tuple[str, str]:
    if settings.use != "auto":
        name = ":".join(_named(settings.use, "model.use"))
        return name, name
    found = configured(settings)
    if found is None:
        raise SettingsError(
            "No model provider has a key.", "Set ANTHROPIC_API_KEY or OPENAI_API_KEY, or use extractive."
        )
    provider = PROVIDERS[found]
    return f"{found}:{provider.fast}", f"{found}:{provider.smart}"


def fallbacks(settings: ModelSettings) -> tuple[str, ...]:
    """Return the models asked when another fails, in order.

    Raises:
        SettingsError: One of them names no known provider.
    """
    return tuple(":".join(_named(name, "model.fallbacks")) for name in settings.fallbacks)


def open_model(name: str, settings: ModelSettings, http: httpx2.AsyncClient) -> Anthropic | OpenAI:
    """Return the adapter of one model; nothing is connected or imported yet.

    Raises:
        InvalidRequest: The name is none.
        SettingsError: Its provider needs a key, and there is none; its address is no address; its package is missing.
    """
    provider, model = parse_name(name)
    entry, base_url, key = PROVIDERS[provider], base_url_of(provider, settings), _key(provider, settings)
    endpoint = _endpoint(f"{provider}:{model}", provider, settings)
    if not sdk.installed(entry.adapter):
        missing = f"{endpoint.name} needs the Python package {entry.adapter!r}, which is not installed."
        raise SettingsError(missing, sdk.how(entry.adapter))
    if base_url and not is_address(base_url):
        raise SettingsError(
            f"{endpoint.name} cannot be reached: model.{provider}_base_url is not a valid address.",
            f"Set {endpoint.address_variable} to one that begins with http:// or https:// and names a host.",
        )
    if key is None and entry.keyed and not is_private(base_url):
        raise SettingsError(
            f"{endpoint.name} needs a key, and there is none.",
            f"Set {endpoint.key_variable} or the setting model.{provider}_key, or ask with model=extractive.",
        )
    if entry.adapter == "anthropic":
        return Anthropic(model, key, http, base_url=base_url, timeout=settings.timeout, endpoint=endpoint)
    wire = settings.openai_api if provider == "openai" and settings.openai_api != "auto" else None
    return OpenAI(
        model,
        key,
        http,
        provider=provider,
        base_url=base_url,
        wire=wire,
        timeout=settings.timeout,
        endpoint=endpoint,
    )


def open_prices(settings: ModelSettings) -> Prices:
    """Return the prices under these settings: providers at a private address cost nothing."""
    private = {name for name in PROVIDERS if is_private(base_url_of(name, settings))}
    return Prices(settings.prices, LOCAL | private)


def base_url_of(provider: str, settings: ModelSettings) -> str:
    """Return where the provider is asked; empty: the adapter's own address."""
    return getattr(settings, f"{provider}_base_url", "") or PROVIDERS[provider].base_url


def _key(provider: str, settings: ModelSettings) -> SecretStr | None:
    key: SecretStr | None = getattr(settings, f"{provider}_key", None)
    return key if key is not None and key.get_secret_value().strip() else None


def _endpoint(name: str, provider: str, settings: ModelSettings) -> Endpoint:
    address = f"{provider}_base_url"
    own = f"DEEPRESEARCH_MODEL__{address.upper()}" if address in ModelSettings.model_fields else ""
    return Endpoint(
        name,
        key_variable=VENDOR_NAMES.get(f"model.{provider}_key", ("",))[0],
        address_variable=VENDOR_NAMES.get(f"model.{address}", (own,))[0],
        own_address=bool(getattr(settings, address, "")),
    )


def _named(name: str, setting: str) -> tuple[str, str]:
    try:
        return parse_name(name)
    except DeepResearchError as error:
        raise SettingsError(f"{setting}: {error.message}", error.action) from error
