"""Parses the text of a setting, and formats its value for display."""

import json
import re
from collections.abc import Set as AbstractSet
from typing import cast, get_args, get_origin
from urllib.parse import urlsplit

from pydantic import BaseModel, SecretStr
from pydantic.fields import FieldInfo

from deepresearch_mcp.settings.late import library


def is_secret(field: FieldInfo) -> bool:
    """Whether a setting is a secret, whose value is never shown."""
    return SecretStr in get_args(field.annotation)


def is_proxy(text: str) -> bool:
    """Whether a text is the address of an HTTP proxy: scheme `http` or `https`, a host, and no invalid port."""
    try:
        parts = urlsplit(text)
        return parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
    except ValueError:
        # Such as unmatched brackets, or a port above 65,535.
        return False


def parse_value(field: FieldInfo, value: object) -> object:
    """Parse the text of a variable or flag: lists from commas or JSON, tables from JSON.

    Values that are not text, or that pydantic parses from text itself, are returned unchanged. An empty secret becomes
    None.

    Raises:
        ValueError: The text cannot be parsed. The message says how to write it and does not repeat it.
    """
    if not isinstance(value, str):
        return value
    if is_secret(field):
        return value.strip() or None
    shape = get_origin(field.annotation)
    if shape is tuple and not value.lstrip().startswith("["):
        return [part.strip() for part in value.split(",") if part.strip()]
    if shape in {tuple, dict}:
        try:
            return json.loads(value)
        except ValueError:
            example = '["a", "b"] or a, b' if shape is tuple else '{"name": "value"}'
            raise ValueError(f"it should be written like {example}") from None
    return value


def show_value(field: FieldInfo, value: object) -> str:
    """Format a value as one line; a secret is shown as `set` or `not set`."""
    if is_secret(field):
        return "set" if value else "not set"
    match value:
        case None:
            return "not set"
        case bool():
            return str(value).lower()
        case float():
            return f"{value:g}"
        case tuple():
            return ", ".join(str(part) for part in cast("tuple[object, ...]", value))
        case dict():
            table = cast("dict[str, object]", value)
            return json.dumps({k: v.model_dump() if isinstance(v, BaseModel) else v for k, v in table.items()})
        case _:
            return str(value)


def without_credentials(address: str) -> str:
    """Mask user, password and query of an address, since each may contain a key."""
    return re.sub(r"\?.*", "?…", re.sub(r"//\S*@", "//…@", address))


def suggestion(name: str, known: AbstractSet[str], prefix: str = "") -> str:
    """` Did you mean …?` if a known name is similar, else ""; the common `prefix` is ignored."""
    # The prefix would make any two names look similar.
    bare = sorted(one.removeprefix(prefix) for one in known)
    close: list[str] = library("difflib").get_close_matches(name.removeprefix(prefix), bare, n=1)
    return f" Did you mean {prefix}{close[0]}?" if close else ""
