"""Settings of serving over HTTP: who may call, under which names, and how often."""

import ipaddress
from urllib.parse import urlsplit

from pydantic import Field, SecretStr, field_validator, model_validator

from deepresearch_mcp.records.principal import SCOPES
from deepresearch_mcp.settings.bounds import SettingsModel


class OAuthSettings(SettingsModel):
    """Access tokens of an identity server, as an OAuth 2.1 resource server takes them."""

    issuer: str = Field(
        default="", description="Address of the identity server, exactly as its tokens say it (iss); empty: none."
    )
    audience: str = Field(default="", description="What its tokens must be for (aud); empty: http.public_url and /mcp.")
    jwks_url: str = Field(
        default="", description="Where its public keys are, for tokens that are JWTs; needed without introspection_url."
    )
    introspection_url: str = Field(default="", description="Where it says whether an opaque token is valid (RFC 7662).")
    client_id: str = Field(default="", description="How we name ourselves to the introspection endpoint.")
    client_secret: SecretStr | None = Field(default=None, description="The secret that goes with client_id.")
    required_scopes: tuple[str, ...] = Field(default=(), description="Scopes that every token of it must have.")
    scope_map: dict[str, tuple[str, ...]] = Field(
        default={},
        description="Its scope to a list of ours (runs:read, runs:write, library:write, admin); ours need no entry.",
    )

    @field_validator("issuer", "jwks_url", "introspection_url")
    @classmethod
    def _address(cls, url: str) -> str:
        parts = urlsplit(url)
        if url and not (parts.hostname and (parts.scheme == "https" or _is_loopback(parts.scheme, parts.hostname))):
            raise ValueError("it should be written like https://login.example.com; http only on this machine")
        return url

    @field_validator("scope_map")
    @classmethod
    def _scopes(cls, table: dict[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
        for ours in table.values():
            if wrong := [one for one in ours if one not in SCOPES]:
                raise ValueError(f"there is no scope {wrong[0][:40]!r}; there are {', '.join(SCOPES)}")
        return table

    @model_validator(mode="after")
    def _whole(self) -> "OAuthSettings":
        if self.issuer and not (self.jwks_url or self.introspection_url):
            raise ValueError("with issuer, jwks_url or introspection_url has to be set")
        return self


class HttpSettings(SettingsModel):
    """How `serve --http` is reached, and what one caller may ask of it."""

    public_url: str = Field(
        default="", description="Address by which others reach it, such as https://research.example.com."
    )
    allowed_hosts: tuple[str, ...] = Field(
        default=(), description="Host names, with the port unless it is the usual one, that requests may name besides."
    )
    requests_a_minute: int = Field(
        default=600, ge=0, description="Requests of one caller to one server; beyond that it answers 429. 0: no limit."
    )
    trusted_proxies: tuple[str, ...] = Field(
        default=(),
        description="Addresses or networks of proxies whose X-Forwarded-For and X-Forwarded-Proto are believed.",
    )
    oauth: OAuthSettings = OAuthSettings()

    @field_validator("public_url")
    @classmethod
    def _address(cls, url: str) -> str:
        parts = urlsplit(url)
        if url and not (parts.scheme in {"http", "https"} and parts.hostname and not parts.query):
            raise ValueError("it should be written like https://research.example.com")
        return url.rstrip("/")


def _is_loopback(scheme: str, host: str) -> bool:
    if scheme != "http":
        return False
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:  # A name: 127.example.com is another machine's.
        return host == "localhost"
