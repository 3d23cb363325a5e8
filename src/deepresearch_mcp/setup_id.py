"""The setup id: processes with the same id may resume each other's runs."""

import hashlib
import json

from pydantic import SecretStr

from deepresearch_mcp.exceptions import InvalidRequest
from deepresearch_mcp.records.specs import ENGINE_NAMES
from deepresearch_mcp.search import registry as engines
from deepresearch_mcp.settings.schema import SearchSettings, Settings

WIRE = 1
"""The version of stored steps. Raise it when a step's key or record changes so that older runs cannot be resumed."""

_RESULTS_UNCHANGED = {
    "model": {"concurrency", "timeout", "retries"},
    "search": {"timeout", "concurrency", "rates", "day_rates", "reuse_minutes", "keep_days"},
    "web": {
        *("user_agent", "contact", "timeout", "connect_timeout", "retries", "retry_wait", "cache_seconds"),
        *("concurrency", "host_concurrency", "host_rate", "host_burst", "breaker_failures", "breaker_seconds"),
        *("workers", "parse_timeout", "browser_seconds", "cache_document_seconds"),
    },
    "library": {"embeddings_batch"},
}
"""Settings of rate, timeout, retry and identification. Servers that differ only in them resume each other's runs."""


def setup_id(settings: Settings) -> str:
    """Hash the wire version, the configuration and the credentials; 32 hexadecimal digits.

    A run is never resumed with another user's key, nor by a version that records its steps differently. Settings that
    change no result are left out, and so are defaults: a new version, or a new setting in it, still resumes older runs.
    """
    groups = settings.model_dump(
        include={"model", "search", "web", "research", "library"},
        exclude={**_RESULTS_UNCHANGED, "search": _RESULTS_UNCHANGED["search"] | _of_unused_engines(settings.search)},
        exclude_defaults=True,
    )
    given = {name: group for name, group in groups.items() if group}
    text = json.dumps([WIRE, given], default=_revealed, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def _of_unused_engines(settings: SearchSettings) -> set[str]:
    """The settings (keys and addresses) of search engines and data sources that no query is put to."""
    try:
        used = engines.chosen(settings)
    except InvalidRequest:  # Reported when a search begins.
        return set()
    if engines.is_automatic(settings):
        used += engines.data_sources(settings)
    unused = tuple(f"{name}_" for name in ENGINE_NAMES if name not in used)
    return {name for name in type(settings).model_fields if name.startswith(unused)}


def _revealed(value: object) -> str:
    return value.get_secret_value() if isinstance(value, SecretStr) else str(value)
