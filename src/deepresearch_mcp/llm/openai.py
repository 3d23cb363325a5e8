"""OpenAI, and every server that speaks one of its two wires."""

from types import ModuleType
from typing import TYPE_CHECKING, Self

import anyio
import httpx2
from anyio import to_thread
from pydantic import SecretStr
from typing_extensions import override

from deepresearch_mcp.llm import sdk
from deepresearch_mcp.llm.failures import Endpoint, sdk_errors
from deepresearch_mcp.llm.openai_wires import ChatWire, Manner, OpenAIWire, ResponsesWire
from deepresearch_mcp.llm.parts import ModelParts
from deepresearch_mcp.ports.model import Model, ModelAnswer, ModelCall

if TYPE_CHECKING:
    from openai import AsyncOpenAI

BASE_URL = "https://api.openai.com/v1"


class OpenAI(Model):
    """One model behind an OpenAI-like endpoint; the SDK is imported, in a thread, with the first call.

    What a server cannot do is learnt from its refusals and remembered: JSON Schema, then JSON
    mode, then the schema in words; one name of the limit of tokens, then the other.
    """

    def __init__(
        self,
        model: str,
        key: SecretStr | None,
        http: httpx2.AsyncClient,
        *,
        provider: str = "openai",
        base_url: str = "",
        wire: str = "",
        timeout: float = 120.0,
        endpoint: Endpoint | None = None,
    ) -> None:
        self._name = f"{provider}:{model}"
        self._key = key
        self._http = http
        self._base_url = base_url or BASE_URL
        at_home = httpx2.URL(self._base_url).host == httpx2.URL(BASE_URL).host
        responses = wire == "responses" if wire else at_home
        self._wire: OpenAIWire = ResponsesWire() if responses else ChatWire()
        self._timeout = httpx2.Timeout(timeout, connect=min(10.0, timeout))
        self._endpoint = endpoint or Endpoint(self._name)
        # Others may overlook the newer name and then write without a limit.
        self._manner = Manner(limit="max_completion_tokens" if at_home else "max_tokens")
        self._opening = anyio.Lock()
        self._opened: tuple[ModuleType, AsyncOpenAI] | None = None

    @classmethod
    def from_parts(cls, parts: ModelParts) -> Self:
        """Make it of what the registry has."""
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

    @override
    async def answer(self, call: ModelCall) -> ModelAnswer:
        """A prompt that is too long raises ContextOverflow, since it is not paid."""
        package, client = await self._open()
        with sdk_errors(self._endpoint, package):
            return await self._ask(package, client, call)

    async def warm(self) -> None:
        """Load the SDK, which takes up to a second, before the first answer is waited for.

        Raises:
            ProviderError: It is not installed.
        """
        await self._open()

    async def _open(self) -> "tuple[ModuleType, AsyncOpenAI]":
        async with self._opening:
            if self._opened is None:
                self._opened = await to_thread.run_sync(self._import)
            return self._opened

    def _import(self) -> "tuple[ModuleType, AsyncOpenAI]":
        package = sdk.load_package("openai")
        client: AsyncOpenAI = package.AsyncOpenAI(
            # The SDK would look for other credentials on the machine if it were given none.
            api_key=self._key.get_secret_value() if self._key else "none",
            base_url=self._base_url,
            timeout=self._timeout,
            max_retries=0,
            http_client=self._http,
        )
        _ = client.responses, client.chat.completions  # imported when first touched: here rather than on the loop
        return package, client

    async def _ask(self, package: ModuleType, client: "AsyncOpenAI", call: ModelCall) -> ModelAnswer:
        manner, tried, first = self._manner, {self._manner}, None
        while True:
            try:
                answer = await self._wire.ask(client, self.name, call, manner)
            except package.APIStatusError as error:
                first = first or error
                easier = manner.easier(call, error.status_code, error.response.text)
                if easier is None or easier in tried:
                    raise first from None
                manner = easier
                tried.add(manner)
            else:
                # "Invalid schema" is about this one schema, not about what the server can do.
                if first is None or "invalid schema" not in first.response.text.lower():
                    self._manner = manner
                return answer
