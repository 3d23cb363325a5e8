"""What all engines share that ask a service over HTTP: its client, key and address, and what its refusals mean."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Literal, NamedTuple, Self

from pydantic import SecretStr
from typing_extensions import override

from deepresearch_mcp.exceptions import ProviderError
from deepresearch_mcp.ports.search import SearchEngine
from deepresearch_mcp.search.errors import engine_key_refused
from deepresearch_mcp.search.parts import EngineParts
from deepresearch_mcp.search.wire import ask, key_text


@dataclass(frozen=True, slots=True)
class ApiRequest:
    """One request to a service."""

    path: str
    """Below the service's address, or a whole address."""
    method: Literal["GET", "POST"] = "POST"
    params: Mapping[str, str | int | Sequence[str]] | None = None
    json: Mapping[str, object] | None = None
    headers: Mapping[str, str] = field(default_factory=dict[str, str])


class Refusal(NamedTuple):
    """A status whose meaning a service tells only in its body."""

    status: int
    words: bytes
    """In lower case, somewhere in the body."""
    means: Literal["key", "quota", "nothing"]
    """The key is refused, its quota is used up, or nothing was found."""


class NothingFound(ProviderError):
    """The service answers with an error status if it finds nothing."""


class HttpEngine(SearchEngine):
    """A service over HTTP, by its spec and the user's settings. A subclass knows its requests and its answers.

    One that asks once for a page of hits is an `ApiEngine`; others have a `search` of their own.
    """

    home: ClassVar[str] = ""
    """The service's address if neither the settings nor the spec give one."""
    refusals: ClassVar[tuple[Refusal, ...]] = ()
    """What the service tells by its body; the usual statuses are known without it."""

    def __init__(self, parts: EngineParts) -> None:
        """Raises `SettingsError` if the key or the address is missing without which the service cannot be asked."""
        own = parts.spec.address is not None and parts.spec.address.own
        self._parts = parts
        self._clock = parts.clock
        self._key: SecretStr | None = parts.required_key() if parts.spec.demands == 3 else parts.key
        self._base = (parts.required_address() if own else parts.base_url or self.home).rstrip("/")

    @classmethod
    def from_parts(cls, parts: EngineParts) -> Self:
        """Make the engine from the registry's parts."""
        return cls(parts)

    @property
    @override
    def name(self) -> str:
        return self._parts.spec.name

    async def _answer(self, asked: ApiRequest, *, may_miss: bool = False) -> bytes:
        """Send a request and return the body of a successful answer.

        Raises:
            NothingFound: The service says so by a refusal; with `may_miss`, by HTTP 404 or 410.
            ProviderError: See `ask`.
        """

        def explain(status: int, body: bytes) -> ProviderError | None:
            missing = may_miss and status in {404, 410}
            return NothingFound(self.name, "it has no such record") if missing else self._explain(status, body)

        return await ask(
            self._parts.http,
            self.name,
            asked.method,
            asked.path if "://" in asked.path else f"{self._base}{asked.path}",
            params=asked.params,
            json=asked.json,
            headers=asked.headers,
            explain=explain,
        )

    async def _record(self, asked: ApiRequest) -> bytes | None:
        """Ask for one record by its address; None if there is none.

        Raises:
            ProviderError: See `ask`.
        """
        try:
            return await self._answer(asked, may_miss=True)
        except NothingFound:
            return None

    def _explain(self, status: int, body: bytes) -> ProviderError | None:
        """Return what a refusal means; None if its status tells that."""
        said = body.lower()
        means = next((one.means for one in self.refusals if one.status == status and one.words in said), "")
        if means == "nothing":
            return NothingFound(self.name, "nothing found")
        if means == "quota":
            return engine_key_refused(self.name, f"HTTP {status}: the key's quota is used up", spent=True)
        if means == "key":
            return engine_key_refused(self.name, f"HTTP {status}: the key is missing or wrong")
        return None

    @property
    def _secret(self) -> str:
        return key_text(self.name, self._key or SecretStr(""))

    @property
    def _bearer(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self._secret}"}

    @property
    def _safe_search(self) -> Literal["off", "moderate", "strict"]:
        return self._parts.settings.safe_search
