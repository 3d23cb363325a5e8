"""Settings for webhooks: who is told of the end of runs."""

import base64
import binascii

from pydantic import Field, SecretStr, field_validator

from deepresearch_mcp.settings.bounds import SettingsModel

_PREFIX = "whsec_"
_LEAST, _MOST = 24, 64
"""Bytes of a secret, by the Standard Webhooks specification."""


class WebhookSettings(SettingsModel):
    """Who is told when a run ends, and how."""

    url: str = Field(default="", description="Told of the end of every run; empty: only what a run itself names.")
    secret: SecretStr | None = Field(
        default=None,
        description="Signs webhooks (Standard Webhooks): whsec_ and 24 to 64 bytes in base64. Each caller over HTTP has"
        " a key derived from it. Without it none is sent.",
    )
    allow_private: tuple[str, ...] = Field(
        default=(), description="Private hosts, host:port pairs or networks to which webhooks may be sent."
    )

    @field_validator("secret")
    @classmethod
    def _signing(cls, secret: SecretStr | None) -> SecretStr | None:
        if secret is not None:
            signing_key(secret)
        return secret


def signing_key(secret: SecretStr) -> bytes:
    """Return the bytes of a secret.

    Raises:
        ValueError: It is not of the form whsec_BASE64, or too short or too long.
    """
    text = secret.get_secret_value()
    try:
        key = base64.b64decode(text.removeprefix(_PREFIX), validate=True)
    except binascii.Error:
        key = b""
    if not text.startswith(_PREFIX) or not _LEAST <= len(key) <= _MOST:
        raise ValueError(f"it should be {_PREFIX} and {_LEAST} to {_MOST} bytes in base64")
    return key


def secret_of(key: bytes) -> str:
    """Return a key as a secret, so that `signing_key` returns the key."""
    return _PREFIX + base64.b64encode(key).decode()
