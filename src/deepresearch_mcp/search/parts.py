"""What an engine's adapter is made from; each takes what it needs."""

from dataclasses import dataclass

import httpx2
from pydantic import SecretStr

from deepresearch_mcp.exceptions import SettingsError
from deepresearch_mcp.ports.clock import Clock
from deepresearch_mcp.ports.documents import Collections
from deepresearch_mcp.records.specs import EngineSpec
from deepresearch_mcp.search.errors import key_variable
from deepresearch_mcp.settings.schema import SearchSettings


@dataclass(frozen=True, slots=True)
class EngineParts:
    """The parts of one engine's adapter, and the user's settings for it."""

    spec: EngineSpec
    settings: SearchSettings
    http: httpx2.AsyncClient
    """It sends our own User-Agent, and follows no redirect with a key."""
    collections: Collections
    clock: Clock

    @property
    def key(self) -> SecretStr | None:
        """The user's key; None where there is none."""
        return self.settings.key(self.spec.name)

    @property
    def base_url(self) -> str:
        """The address that was set, or the vendor's."""
        return self.settings.address(self.spec.name).strip()

    def required_key(self) -> SecretStr:
        """Return the user's key.

        Raises:
            SettingsError: There is none.
        """
        if self.key is None:
            raise SettingsError(f"{self.spec.title} needs a key.", self._remedy(key_variable(self.spec.name)))
        return self.key

    def required_address(self) -> str:
        """Return the address of the user's instance.

        Raises:
            SettingsError: There is none.
        """
        if not self.base_url:
            [variable] = self.spec.address.variables[:1] if self.spec.address else ("an address",)
            raise SettingsError(f"{self.spec.title} needs the address of an instance.", self._remedy(variable))
        return self.base_url

    def _remedy(self, variable: str) -> str:
        return f"Set {variable}, or leave {self.spec.name} out."
