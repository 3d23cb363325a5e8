"""Imports the vendors' SDKs at the first call, and holds the base class of their adapters."""

from abc import abstractmethod
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import ClassVar, Generic, Self, TypedDict, TypeVar

import anyio
import httpx2
from anyio import to_thread
from pydantic import SecretStr
from typing_extensions import override

from deepresearch_mcp.exceptions import ProviderError
from deepresearch_mcp.llm.failures import Endpoint
from deepresearch_mcp.llm.parts import ModelParts
from deepresearch_mcp.ports.model import Model
from deepresearch_mcp.settings.project import adding

_ClientT = TypeVar("_ClientT")


class ClientOptions(TypedDict):
    """The arguments of a client, which both SDKs name alike."""

    api_key: str
    base_url: str
    timeout: httpx2.Timeout
    max_retries: int
    http_client: httpx2.AsyncClient


class SdkModel(Model, Generic[_ClientT]):
    """One model behind a vendor's SDK, which is imported in a thread at the first call."""

    provider: ClassVar[str]
    """The vendor's name, for a model made without `provider`."""
    home: ClassVar[str]
    """The vendor's own address."""

    def __init__(
        self,
        model: str,
        key: SecretStr | None,
        http: httpx2.AsyncClient,
        *,
        provider: str = "",
        base_url: str = "",
        wire: str = "",
        timeout: float = 120.0,
        endpoint: Endpoint | None = None,
    ) -> None:
        """`wire` is one of the wires in the spec; if empty, the adapter chooses. `timeout` is in seconds."""
        self._name = f"{provider or self.provider}:{model}"
        self._model = model
        self._key = key
        self._http = http
        self._base_url = base_url or self.home
        self._wire_name = wire
        self._timeout = httpx2.Timeout(timeout, connect=min(10.0, timeout))
        self._endpoint = endpoint or Endpoint(self._name)
        self._opening = anyio.Lock()
        self._opened: tuple[ModuleType, _ClientT] | None = None

    @classmethod
    def from_parts(cls, parts: ModelParts) -> Self:
        """Make the adapter from the registry's parts."""
        return cls(
            parts.model,
            parts.key,
            parts.http,
            provider=parts.provider,
            base_url=parts.base_url,
            wire=parts.wire,
            timeout=parts.timeout,
            endpoint=parts.endpoint,
        )

    @property
    @override
    def name(self) -> str:
        return self._name

    async def warm(self) -> None:
        """Load the SDK, which takes up to a second, before a run waits for the first answer.

        Raises:
            ProviderError: The SDK is not installed.
        """
        await self._open()

    async def _open(self) -> tuple[ModuleType, _ClientT]:
        async with self._opening:
            if self._opened is None:
                self._opened = await to_thread.run_sync(self._import)
            return self._opened

    @abstractmethod
    def _import(self) -> tuple[ModuleType, _ClientT]:
        """Import the SDK, including the parts that it loads lazily, and make its client."""

    def _options(self) -> ClientOptions:
        """Return the client's arguments, which have the same names in both SDKs."""
        return {
            # Without a key the SDK would search the machine for other credentials.
            "api_key": self._key.get_secret_value() if self._key else "none",
            "base_url": self._base_url,
            "timeout": self._timeout,
            "max_retries": 0,
            "http_client": self._http,
        }


def load_package(package: str) -> ModuleType:
    """Import a vendor's package; it takes up to a second, so call it in a thread.

    Raises:
        ProviderError: The package is not installed.
    """
    try:
        return import_module(package)
    except ImportError as error:
        raise ProviderError(package, f"the Python package {package!r} is not installed", action=how(package)) from error


def is_installed(package: str) -> bool:
    """Return whether a vendor's package is installed, without importing it."""
    try:
        return find_spec(package) is not None
    except ValueError:  # an earlier import left a broken module behind
        return False


def how(package: str) -> str:
    """Say how to install a package. It is a dependency, so it was removed or left out with --no-deps."""
    return f"Run: {adding(package)}"
