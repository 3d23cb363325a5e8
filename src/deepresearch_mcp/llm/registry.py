"""Chooses the model of each role and opens it by `PROVIDER:NAME`. `records/specs.py` lists the providers."""

import ipaddress
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, Protocol, cast, get_args

import httpx2
from pydantic import SecretStr

from deepresearch_mcp.adapters import adapter_at
from deepresearch_mcp.exceptions import DeepResearchError, InvalidRequest, SettingsError
from deepresearch_mcp.llm import other_models, sdk
from deepresearch_mcp.llm.failures import Endpoint
from deepresearch_mcp.llm.parts import ModelParts
from deepresearch_mcp.llm.prices import LOCAL, Prices
from deepresearch_mcp.ports.model import Model, Role, Tier
from deepresearch_mcp.records import specs
from deepresearch_mcp.records.spec_types import ProviderSpec
from deepresearch_mcp.settings.schema import ModelSettings
from deepresearch_mcp.settings.services import VENDOR_NAMES

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


PROVIDERS: Final[Mapping[str, ProviderSpec]] = MappingProxyType({spec.name: spec for spec in specs.PROVIDERS})
"""Providers by name, in the order in which `auto` looks for a key."""


class OpenModel(Model, Protocol):
    """The adapter of one model."""

    async def warm(self) -> None:
        """Load the SDK before a run waits for the first answer."""
        ...


class _Adapter(Protocol):
    """The class of an adapter."""

    def from_parts(self, parts: ModelParts) -> OpenModel: ...


def key_variables() -> tuple[str, ...]:
    """Return the key's environment variable of each provider that takes one, in the order of `auto`."""
    return tuple(spec.key.variables[0] for spec in specs.PROVIDERS if spec.key)


def parse_name(text: str) -> tuple[str, str]:
    """Split `PROVIDER:NAME`; the name may contain colons.

    Raises:
        InvalidRequest: The text has another form, or the provider is unknown.
    """
    provider, _, name = text.strip().partition(":")
    known, said = ", ".join((*PROVIDERS, *other_models.names())), repr(text[:60])
    if provider not in PROVIDERS and provider not in other_models.names():
        raise InvalidRequest(f"{said} names no model provider.", f"Write PROVIDER:NAME; the providers are {known}.")
    if not name or any(char.isspace() for char in name):
        example = (PROVIDERS[provider].fast if provider in PROVIDERS else "") or "llama4"
        raise InvalidRequest(f"{said} names no model.", f"Write PROVIDER:NAME, as {provider}:{example}.")
    return provider, name


def configured(settings: ModelSettings) -> str | None:
    """Return the provider of `auto`: that of `model.smart` if both tiers are set, else the first with a key."""
    if settings.fast and settings.smart:
        return _named(settings.smart, "model.smart")[0]
    return next((name for name in PROVIDERS if _key(name, settings)), None)


def tiers(asked: str, settings: ModelSettings) -> dict[Role, str]:
    """Return the model, as PROVIDER:NAME, for each role.

    A model requested by name plays all roles, so that no other is billed. `model.use`, `model.fast`, `model.smart` and
    `model.roles` apply to `auto` only; the more specific one wins.

    Raises:
        InvalidRequest: `asked` names no known provider.
        SettingsError: `asked` is `auto` and no provider has a key, or a setting names an unknown provider or role.
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
            "No model provider has a key.", f"Set one of {', '.join(key_variables())}, or use extractive."
        )
    provider = PROVIDERS[found]
    return f"{found}:{provider.fast}", f"{found}:{provider.smart}"


def fallbacks(settings: ModelSettings) -> tuple[str, ...]:
    """Return the fallback models, in order.

    Raises:
        SettingsError: A name is malformed or its provider unknown.
    """
    return tuple(":".join(_named(name, "model.fallbacks")) for name in settings.fallbacks)


def open_model(name: str, settings: ModelSettings, http: httpx2.AsyncClient) -> OpenModel:
    """Return the adapter of one model. It connects and imports nothing yet.

    Raises:
        InvalidRequest: The name is malformed or its provider unknown.
        SettingsError: The provider's key or package is missing or broken, or its address is invalid.
    """
    provider, model = parse_name(name)
    if provider not in PROVIDERS:
        endpoint = Endpoint(f"{provider}:{model}", own_address=False)
        parts = ModelParts(provider, model, None, "", "", settings.timeout, http, endpoint)
        return other_models.open_extension(parts)
    entry, base_url, key = PROVIDERS[provider], base_url_of(provider, settings), _key(provider, settings)
    endpoint = _endpoint(f"{provider}:{model}", provider, settings)
    if not sdk.is_installed(entry.package):
        missing = f"{endpoint.name} needs the Python package {entry.package!r}, which is not installed."
        raise SettingsError(missing, sdk.how(entry.package))
    if base_url and not is_address(base_url):
        raise SettingsError(
            f"{endpoint.name} cannot be reached: model.{provider}_base_url is not a valid address.",
            f"Set {endpoint.address_variable} to one that begins with http:// or https:// and names a host.",
        )
    if key is None and entry.key and not is_private(base_url):
        raise SettingsError(
            f"{endpoint.name} needs a key, and there is none.",
            f"Set {endpoint.key_variable} or the setting model.{provider}_key, or ask with model=extractive.",
        )
    parts = ModelParts(provider, model, key, base_url, settings.wire(provider), settings.timeout, http, endpoint)
    return cast("_Adapter", adapter_at(entry.adapter)).from_parts(parts)


def open_prices(settings: ModelSettings) -> Prices:
    """Return the prices under these settings. Providers at a private address cost nothing."""
    private = {name for name in PROVIDERS if is_private(base_url_of(name, settings))}
    return Prices(settings.prices, LOCAL | private)


def base_url_of(provider: str, settings: ModelSettings) -> str:
    """Return the provider's address; empty for the adapter's own."""
    return settings.address(provider) or PROVIDERS[provider].base_url


def _key(provider: str, settings: ModelSettings) -> SecretStr | None:
    key = settings.key(provider)
    return key if key is not None and key.get_secret_value().strip() else None


def _endpoint(name: str, provider: str, settings: ModelSettings) -> Endpoint:
    address = f"{provider}_base_url"
    own = f"DEEPRESEARCH_MODEL__{address.upper()}" if address in ModelSettings.model_fields else ""
    return Endpoint(
        name,
        key_variable=VENDOR_NAMES.get(f"model.{provider}_key", ("",))[0],
        address_variable=VENDOR_NAMES.get(f"model.{address}", (own,))[0],
        own_address=bool(settings.address(provider)),
    )


def _named(name: str, setting: str) -> tuple[str, str]:
    try:
        return parse_name(name)
    except DeepResearchError as error:
        raise SettingsError(f"{setting}: {error.message}", error.action) from error


def is_private(base_url: str) -> bool:
    """Return whether the address is on this machine or a private network, without a DNS lookup.

    A name without a dot, or below `.local`, `.internal`, `.lan` or `.localhost`, is private.
    """
    try:
        host = httpx2.URL(base_url).host.rstrip(".").lower()
    except httpx2.InvalidURL:
        return False
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return bool(host) and ("." not in host or host.endswith((".local", ".internal", ".lan", ".localhost")))
    return address.is_loopback or address.is_private or address.is_link_local


def is_address(base_url: str) -> bool:
    """Return whether the address can be used: it is http or https and names a host."""
    try:
        url = httpx2.URL(base_url)
    except httpx2.InvalidURL:
        return False
    return url.scheme in {"http", "https"} and bool(url.host)
