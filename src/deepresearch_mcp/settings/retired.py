"""Retired settings, which this version still accepts but ignores and reports; the next version rejects them."""

import json
from typing import cast

SETTINGS = frozenset(
    {
        "search.hits",
        "research.brief_tokens",
        "research.claims_per_batch",
        "research.paragraph_claims",
        "research.passage_chars",
        "research.passages_per_page",
        "research.section_claims",
    }
)
ROLES = frozenset({"scope"})
"""Roles in `model.roles`."""


def note(name: str, where: str) -> str:
    """The note on a retired setting; `name` is the setting's name in the source `where`."""
    return f"{name} ({where}) no longer has any effect. Remove it; the next version will reject it."


def role_notes(value: object, where: str) -> list[str]:
    """The notes on retired roles in the value of `model.roles`, which is a table or its JSON."""
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except ValueError:  # `reading` reports it.
            return []
    names = sorted(ROLES & set(cast("dict[str, object]", value))) if isinstance(value, dict) else []
    return [note(f"model.roles.{name}", where) for name in names]
