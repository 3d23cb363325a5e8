"""What engines share that are one request with a key, answered by rows in JSON."""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Literal, NamedTuple, Self

from pydantic import SecretStr
from typing_extensions import override

from deepresearch_mcp.exceptions import ProviderError
from deepresearch_mcp.ports.search import SearchEngine
from deepresearch_mcp.records.sources import Hit, Query
from deepresearch_mcp.search.errors import engine_key_refused, provider_errors
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


class ApiEngine(SearchEngine):
    """A service with a key. A subclass translates the query to a request, and the answer to hits."""

    refusals: ClassVar[tuple[Refusal, ...]] = ()
    """What the service tells by its body; the usual statuses are known without it."""

    def __init__(self, parts: EngineParts, key: SecretStr | None) -> None:
        self._parts = parts
        self._key = key
        self._http = parts.http

    @classmethod
    def from_parts(cls, parts: EngineParts) -> Self:
        """Make the engine from the registry's parts."""
        return cls(parts, parts.required_key())

    @override
    async def search(self, query: Query, *, needs: tuple[str, ...] = ()) -> list[Hit]:
        """Return no hit, without a request, if the service cannot be asked for this page of hits."""
        del needs
        asked = self._request(query)
        if asked is None:
            return []
        url = asked.path if "://" in asked.path else f"{self._parts.base_url.rstrip('/')}{asked.path}"
        try:
            body = await ask(
                self._http,
                self.name,
                asked.method,
                url,
                params=asked.params,
                json=asked.json,
                headers={"Accept": "application/json", **asked.headers},
                explain=self._explain,
            )
        except _NothingFound:
            return []
        with provider_errors(self.name):
            return self._hits(body)[: query.limit]

    @abstractmethod
    def _request(self, query: Query) -> ApiRequest | None:
        """Return the request; None if the service has no such page of hits."""
        ...

    @abstractmethod
    def _hits(self, body: bytes) -> list[Hit]:
        """Read an answer; see `provider_errors` for what may be raised."""
        ...

    @property
    def _secret(self) -> str:
        return key_text(self.name, self._key or SecretStr(""))

    @property
    def _bearer(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self._secret}"}

    @property
    def _safe_search(self) -> Literal["off", "moderate", "strict"]:
        return self._parts.settings.safe_search

    def _explain(self, status: int, body: bytes) -> ProviderError | None:
        said = body.lower()
        means = next((one.means for one in self.refusals if one.status == status and one.words in said), "")
        if means == "nothing":
            return _NothingFound(self.name, "nothing found")
        if means == "quota":
            return engine_key_refused(self.name, f"HTTP {status}: the key's quota is used up", spent=True)
        if means == "key":
            return engine_key_refused(self.name, f"HTTP {status}: the key is missing or wrong")
        return None


class _NothingFound(ProviderError):
    """The service answers with an error status if it finds nothing."""
