"""Builds the settings of search engines and model providers from their specs."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final, Literal, TypeVar

from pydantic import ConfigDict, Field, SecretStr, create_model

from deepresearch_mcp.records.spec_types import AddressSpec, EngineIdSpec, EngineSpec, KeySpec, ProviderSpec
from deepresearch_mcp.records.specs import ENGINES, PROVIDERS
from deepresearch_mcp.settings.bounds import SettingsModel


class ServiceSettings(SettingsModel):
    """A group of settings with the keys, addresses and wire formats of services, by service name."""

    # A group is built through several classes and only the last is used, so the others need no validator.
    model_config = ConfigDict(defer_build=True)

    def key(self, service: str) -> SecretStr | None:
        """The key of a service; None if it has none."""
        return getattr(self, f"{service}_key", None)

    def address(self, service: str) -> str:
        """The address set for a service, or its default; "" if it has neither."""
        return getattr(self, f"{service}_url", "") or getattr(self, f"{service}_base_url", "")

    def engine_id(self, service: str) -> str:
        """The id of the user's own engine at a service; "" if it has none."""
        return getattr(self, f"{service}_engine_id", "").strip()

    def wire(self, service: str) -> str:
        """The wire format chosen for a service; empty: its adapter chooses."""
        chosen: str = getattr(self, f"{service}_api", "auto")
        return "" if chosen == "auto" else chosen


Group = TypeVar("Group", bound=ServiceSettings)


def with_engines(group: type[Group], specs: Sequence[EngineSpec] = ENGINES) -> type[Group]:
    """Add the settings of search engines to a group: first what they require, then optional addresses."""
    fields: dict[str, Any] = {}
    for spec in specs:
        if spec.key:
            fields[f"{spec.name}_key"] = _key(spec.key, spec.title)
            if spec.engine_id:
                fields[f"{spec.name}_engine_id"] = _engine_id(spec.engine_id)
        elif spec.address and spec.address.own:
            fields[address_name(spec)] = _address(spec.address)
    for spec in specs:
        if spec.address:
            fields.setdefault(address_name(spec), _address(spec.address))
    return create_model(group.__name__, __base__=group, **fields)


def with_providers(group: type[Group], specs: Sequence[ProviderSpec] = PROVIDERS) -> type[Group]:
    """Add the settings of model providers to a group."""
    fields: dict[str, Any] = {}
    for spec in specs:
        if spec.key:
            fields[f"{spec.name}_key"] = _key(spec.key, spec.title)
        if spec.address:
            fields[address_name(spec)] = _address(spec.address)
        if spec.wires:
            choice = Literal[("auto", *spec.wires.names)]  # pyright: ignore[reportInvalidTypeForm] - names are data
            fields[f"{spec.name}_api"] = (choice, Field(default="auto", description=spec.wires.about))
    return create_model(group.__name__, __base__=group, **fields)


def address_name(spec: EngineSpec | ProviderSpec) -> str:
    """Name of the setting for a service's address, without its group."""
    return f"{spec.name}_url" if spec.address and spec.address.own else f"{spec.name}_base_url"


def vendor_names(group: str, specs: Sequence[EngineSpec | ProviderSpec]) -> dict[str, tuple[str, ...]]:
    """Dotted setting → the vendor's own variables; messages name the first."""
    found: dict[str, tuple[str, ...]] = {}
    for spec in specs:
        if spec.key:
            found[f"{group}.{spec.name}_key"] = spec.key.variables
        if spec.address and spec.address.variables:
            found[f"{group}.{address_name(spec)}"] = spec.address.variables
        if isinstance(spec, EngineSpec) and spec.engine_id:
            found[f"{group}.{spec.name}_engine_id"] = spec.engine_id.variables
    return found


def limits_told(specs: Sequence[EngineSpec] = ENGINES) -> str:
    """The end of the setting's description: which engines get fewer queries at once than it says."""
    return "".join(f"; at most {spec.at_once} for {spec.name}" for spec in specs if spec.at_once)


def _key(key: KeySpec, title: str) -> tuple[Any, Any]:
    keyless = f"; without it {title} is asked keyless" if key.optional else ""
    return SecretStr | None, Field(default=None, description=f"{_also(key.variables)}{keyless}.")


def _address(address: AddressSpec) -> tuple[Any, Any]:
    also = f"{_also(address.variables)}." if address.variables else ""
    return str, Field(default=address.default, description=f"{address.about} {also}".strip())


def _engine_id(engine_id: EngineIdSpec) -> tuple[Any, Any]:
    return str, Field(default="", description=f"{engine_id.about} {_also(engine_id.variables)}.")


def _also(variables: tuple[str, ...]) -> str:
    return f"Also {' or '.join(variables)}"


VENDOR_NAMES: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    vendor_names("model", PROVIDERS) | vendor_names("search", ENGINES)
)
"""Dotted setting → the vendor's own variables; ours takes precedence."""
