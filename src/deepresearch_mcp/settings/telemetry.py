"""Settings for what operators see of a server at work."""

import ipaddress
from typing import Literal
from urllib.parse import urlsplit

from pydantic import Field, SecretStr, field_validator

from deepresearch_mcp.settings.bounds import SettingsModel


class TelemetrySettings(SettingsModel):
    """What operators see of a server at work."""

    metrics_open: bool = Field(default=False, description="Whether /metrics is served without a token.")
    otlp_endpoint: str = Field(
        default="",
        description="Where traces are sent (OTLP over HTTP), such as http://127.0.0.1:4318; empty: none. Extra otel.",
    )
    otlp_headers: SecretStr | None = Field(
        default=None, description="Headers for it, as name=value,name=value: most collectors in a cloud ask for a key."
    )
    log_prompts: bool = Field(
        default=False, description="Keep what models are asked and answer with each run, and in its JSON export."
    )
    analytics_url: str = Field(
        default="",
        description="Your own service that is told of runs, searches and calls, without content; empty: none.",
    )

    @field_validator("otlp_endpoint", "analytics_url")
    @classmethod
    def _address(cls, url: str) -> str:
        parts = urlsplit(url)
        if not url:
            return url
        if parts.scheme not in {"http", "https"} or not parts.hostname or parts.username or parts.query:
            raise ValueError("it should be written like https://collector.example.org, without a user or a query")
        if parts.scheme == "http" and not _is_near(parts.hostname):
            raise ValueError("http is for this machine and its network alone: use https")
        return url.rstrip("/")

    @field_validator("otlp_headers")
    @classmethod
    def _readable(cls, headers: SecretStr | None) -> SecretStr | None:
        if headers is not None:
            headers_of(headers)
        return headers


class LogSettings(SettingsModel):
    """How the server logs, on standard error."""

    format: Literal["text", "json"] = Field(
        default="text", description="text: a line for people; json: an object a line, with run and step."
    )


def headers_of(headers: SecretStr) -> dict[str, str]:
    """Return the headers that a text names.

    Raises:
        ValueError: It is not of the form name=value,name=value.
    """
    found: dict[str, str] = {}
    for part in headers.get_secret_value().split(","):
        name, equals, value = part.partition("=")
        if not (equals and name.strip() and value.strip().isprintable() and value.strip()):
            raise ValueError("it should be written like api-key=VALUE, several with commas between")
        found[name.strip().lower()] = value.strip()
    return found


def _is_near(host: str) -> bool:
    """Whether a host is this machine, or named as those of a private network are."""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        # A name without a dot, or one that only a private network knows: compose and Kubernetes name services so.
        return "." not in host or host.endswith((".local", ".internal", ".localhost", ".svc", ".lan"))
    return address.is_private or address.is_loopback
