"""Settings of the version before that have no effect any more: accepted, ignored and told of, for one version."""

import json
from typing import cast

SETTINGS = frozenset({"search.hits"})
ROLES = frozenset({"scope"})
"""Roles in `model.roles`."""


def note(name: str, where: str) -> str:
    """Tell of a retired setting by the name that it has there."""
    return f"{name} ({where}) has no effect any more and was ignored. Remove it: the next version refuses it."


def role_notes(value: object, where: str) -> list[str]:
    """Tell of retired roles in the value of `model.roles`: a table, or its JSON."""
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except ValueError:  # The reader of settings reports it.
            return []
    names = sorted(ROLES & set(cast("dict[str, object]", value))) if isinstance(value, dict) else []
    return [note(f"model.roles.{name}", where) for name in names]
