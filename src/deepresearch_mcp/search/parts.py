"""The arguments of an engine's adapter; each adapter takes what it needs."""

from dataclasses import dataclass

import httpx2
from pydantic import SecretStr

from deepresearch_mcp.exceptions import SettingsError
from deepresearch_mcp.ports.clock import Clock
from deepresearch_mcp.ports.documents import Collections
from deepresearch_mcp.records.spec_types import EngineSpec
from deepresearch_mcp.search.errors import key_variable
from deepresearch_mcp.settings.schema import SearchSettings


@dataclass(frozen=True, slots=True)
class EngineParts:
    """The arguments of one engine's adapter, with the user's settings for it."""

    spec: EngineSpec
    settings: SearchSettings
    http: httpx2.AsyncClient
    """Sends our own User-Agent."""
    collections: Collections
    clock: Clock

    @property
    def key(self) -> SecretStr | None:
        """The user's key; None if there is none."""
        return self.settings.key(self.spec.name)

    @property
    def base_url(self) -> str:
        """The configured address, else the vendor's."""
        return self.settings.address(self.spec.name).strip()

    def required_key(self) -> SecretStr:
        """Return the user's key.

        Raises:
            SettingsError: There is no key.
        """
        if self.key is None:
            raise SettingsError(f"{self.spec.title} needs a key.", self._remedy(key_variable(self.spec.name)))
        return self.key

    def required_address(self) -> str:
        """Return the address of the user's instance.

        Raises:
            SettingsError: There is no address.
        """
        if not self.base_url:
            [variable] = self.spec.address.variables[:1] if self.spec.address else ("an address",)
            raise SettingsError(f"{self.spec.title} needs the address of an instance.", self._remedy(variable))
        return self.base_url

    def required_engine_id(self) -> str:
        """Return the id of the user's own engine at the service.

        Raises:
            SettingsError: There is no id.
        """
        found = self.settings.engine_id(self.spec.name)
        if not found:
            [variable] = self.spec.engine_id.variables[:1] if self.spec.engine_id else ("an engine id",)
            raise SettingsError(f"{self.spec.title} needs the id of an engine.", self._remedy(variable))
        return found

    def _remedy(self, variable: str) -> str:
        return f"Set {variable}, or leave {self.spec.name} out."
