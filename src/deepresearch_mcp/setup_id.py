"""Which processes may resume each other's runs: those with an equal setup id."""

import hashlib
import json

from pydantic import SecretStr

from deepresearch_mcp.exceptions import InvalidRequest
from deepresearch_mcp.records.specs import ENGINE_NAMES
from deepresearch_mcp.search import registry as engines
from deepresearch_mcp.settings.schema import SearchSettings, Settings

WIRE = 1
"""Rises when a step's key or record changes so that an older run cannot be resumed."""

_RESULTS_UNCHANGED = {
    "model": {"concurrency", "timeout", "retries"},
    "search": {"timeout", "concurrency", "keep_days"},
    "web": {
        *("user_agent", "contact", "timeout", "connect_timeout", "retries", "retry_wait", "cache_seconds"),
        *("concurrency", "host_concurrency", "host_rate", "host_burst", "breaker_failures", "breaker_seconds"),
        *("workers", "parse_timeout"),
    },
}
"""Settings of pace, patience and introduction: servers that differ in them alone resume each other's runs."""


def setup_id(settings: Settings) -> str:
    """Hash the wire version, the configuration and the credentials; 32 hexadecimal digits.

    A run is never resumed with another user's key, nor by a version that records its steps differently. Settings that
    change no result, and those at their defaults, are left out: a new version, or a new setting in it, leaves no run
    behind.
    """
    groups = settings.model_dump(
        include={"model", "search", "web", "research"},
        exclude={**_RESULTS_UNCHANGED, "search": _RESULTS_UNCHANGED["search"] | _of_unused_engines(settings.search)},
        exclude_defaults=True,
    )
    given = {name: group for name, group in groups.items() if group}
    text = json.dumps([WIRE, given], default=_revealed, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def _of_unused_engines(settings: SearchSettings) -> set[str]:
    """Keys and addresses of search engines that are not asked."""
    try:
        used = engines.chosen(settings)
    except InvalidRequest:  # Reported when a search begins.
        return set()
    unused = tuple(f"{name}_" for name in ENGINE_NAMES if name not in used)
    return {name for name in type(settings).model_fields if name.startswith(unused)}


def _revealed(value: object) -> str:
    return value.get_secret_value() if isinstance(value, SecretStr) else str(value)
