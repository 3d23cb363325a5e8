"""Opens the store that the settings name: a file on this machine, or a database that several machines share."""

from contextlib import AbstractAsyncContextManager
from pathlib import Path

from pydantic import SecretStr

from deepresearch_mcp.adapters import adapter_at
from deepresearch_mcp.exceptions import SettingsError
from deepresearch_mcp.ports.clock import Clock
from deepresearch_mcp.ports.store import Store
from deepresearch_mcp.settings.project import EXTRAS, adding
from deepresearch_mcp.store import sqlite


def open_store(home: Path, clock: Clock, url: SecretStr | None = None) -> AbstractAsyncContextManager[Store]:
    """The store in `home`, or with `url` in that PostgreSQL database. Open it once per process.

    Raises:
        SettingsError: The packages for PostgreSQL are not installed.
        StoreError: On entering: the store cannot be used, or a newer version wrote it.
    """
    if not url:
        return sqlite.open_sqlite_store(home, clock)
    try:
        open_shared = adapter_at("store.postgres.opening:open_postgres_store")
    except ImportError as error:
        raise SettingsError(
            f"A database is named (database_url), but {error.name or 'its driver'} is not installed.",
            f"Run: {adding(*EXTRAS['postgres'])}, or unset DEEPRESEARCH_DATABASE_URL.",
        ) from error
    return open_shared(url.get_secret_value(), home, clock)
