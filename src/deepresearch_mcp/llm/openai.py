"""OpenAI, and every server that speaks one of its two wire formats."""

from functools import cached_property
from types import ModuleType
from typing import TYPE_CHECKING

import httpx2
from typing_extensions import override

from deepresearch_mcp.llm.failures import sdk_errors
from deepresearch_mcp.llm.openai_wires import ChatWire, Manner, OpenAIWire, ResponsesWire
from deepresearch_mcp.llm.sdk import SdkModel, load_package
from deepresearch_mcp.ports.model import ModelAnswer, ModelCall

if TYPE_CHECKING:
    from openai import AsyncOpenAI


class OpenAI(SdkModel["AsyncOpenAI"]):
    """One model behind an OpenAI-like endpoint.

    The adapter learns from refusals what a server cannot do and remembers it. It tries JSON Schema, then JSON mode,
    then the schema in the prompt, and both names of the token limit.
    """

    provider = "openai"
    home = "https://api.openai.com/v1"

    _learnt: Manner | None = None

    @cached_property
    def _at_home(self) -> bool:
        return httpx2.URL(self._base_url).host == httpx2.URL(self.home).host

    @cached_property
    def _wire(self) -> OpenAIWire:
        responses = self._wire_name == "responses" if self._wire_name else self._at_home
        return ResponsesWire() if responses else ChatWire()

    @property
    def _manner(self) -> Manner:
        # Other servers may ignore the newer name and then write without a limit.
        return self._learnt or Manner(limit="max_completion_tokens" if self._at_home else "max_tokens")

    @override
    async def answer(self, call: ModelCall) -> ModelAnswer:
        """Raises `ContextOverflow`, unbilled, for a prompt that is too long."""
        package, client = await self._open()
        with sdk_errors(self._endpoint, package):
            return await self._ask(package, client, call)

    @override
    def _import(self) -> "tuple[ModuleType, AsyncOpenAI]":
        package = load_package("openai")
        client: AsyncOpenAI = package.AsyncOpenAI(**self._options())
        _ = client.responses, client.chat.completions  # imported at first use: here, not on the event loop
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
                    self._learnt = manner
                return answer
