"""Keeps secrets in the system's keyring (extra `keyring`); `config.toml` says which ones."""

from collections.abc import Mapping
from types import ModuleType
from typing import Any

from deepresearch_mcp.settings.late import library
from deepresearch_mcp.settings.project import EXTRAS, adding

MARK = "keyring"
"""The value in `config.toml` that says that the keyring holds the secret."""
SERVICE = "deepresearch-mcp"

_HINT = "Set the key in the environment, or keep it in config.toml with `deepresearch-server config init`."


def secret_of(setting: str) -> str:
    """Read the secret of a setting.

    Raises:
        ValueError: The keyring is not installed, cannot be read, or lacks the secret.
    """
    keyring = _open()
    try:
        found: str | None = keyring.get_password(SERVICE, setting)
    except keyring.errors.KeyringError as error:
        raise ValueError(f"The keyring, where {setting} is kept, cannot be read: {_reason(error)}. {_HINT}") from None
    if not found:
        raise ValueError(
            f"The keyring does not hold {setting}, though config.toml says so. Put it there with "
            f"`deepresearch-server config init --keyring`, or remove it from config.toml."
        )
    return found


def named(secrets: Mapping[str, tuple[Any, str]]) -> dict[str, tuple[Any, str]]:
    """Read the secrets that config.toml refers to the keyring, unless a stronger source sets them.

    `secrets` maps settings to values and origins, and so does the result.

    Raises:
        ValueError: As `secret_of`.
    """
    return {
        setting: (secret_of(setting), f"keyring, as {origin} says")
        for setting, (value, origin) in secrets.items()
        if value == MARK and origin.startswith("config.toml ")
    }


def keep(setting: str, secret: str) -> None:
    """Store a secret.

    Raises:
        ValueError: The keyring is not installed, or did not store it.
    """
    keyring = _open()
    try:
        keyring.set_password(SERVICE, setting, secret)
    except keyring.errors.KeyringError as error:
        raise ValueError(f"The keyring did not store the key: {_reason(error)}. Leave out --keyring.") from None


def forget(setting: str) -> None:
    """Delete a secret; a missing one is no error.

    Raises:
        ValueError: The keyring is not installed, or could not be changed.
    """
    keyring = _open()
    try:
        keyring.delete_password(SERVICE, setting)
    except keyring.errors.PasswordDeleteError:
        return
    except keyring.errors.KeyringError as error:
        raise ValueError(f"The keyring could not be changed: {_reason(error)}.") from None


def _open() -> ModuleType:
    try:
        return library("keyring")
    except ImportError:
        raise ValueError(f"The library for the keyring is not installed. Run: {adding(*EXTRAS['keyring'])}") from None


def _reason(error: Exception) -> str:
    """The first sentence of an error; the rest is advice for programmers."""
    return (str(error).split(". ")[0].strip().rstrip(".") or type(error).__name__).replace("\n", " ")
