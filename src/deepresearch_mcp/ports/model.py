"""The port of a language model."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from deepresearch_mcp.records.request import Role

Tier = Literal["fast", "smart"]
Stop = Literal["end", "length", "refusal", "context"]


@dataclass(frozen=True, slots=True)
class ModelCall:
    """One question to a model."""

    key: str
    """Names the subject; it is also the journal key of this call."""
    role: Role
    system: str
    """The part that is equal for all calls of a role, so that providers can cache it."""
    prompt: str
    max_tokens: int
    """The limit of the answer."""
    schema: Mapping[str, Any] | None = None
    """The JSON Schema that the answer must match; None: plain text."""
    schema_name: str = "answer"
    needs: tuple[str, ...] = ()
    """Keys of the steps whose results are in the prompt."""


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens as the provider counted them; `input_tokens` includes the cached ones."""

    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0
    cache_written_tokens: int = 0
    reasoning_tokens: int = 0


@dataclass(frozen=True, slots=True)
class ModelAnswer:
    """A model's whole answer."""

    text: str
    model: str
    """`PROVIDER:NAME`."""
    usage: Usage = Usage()
    stop: Stop = "end"
    usd: float | None = None
    """None until the call is metered, or if the price is unknown."""


class Model(Protocol):
    """One model of one provider, or a wrapper around another `Model`."""

    @property
    def name(self) -> str:
        """`PROVIDER:NAME`."""
        ...

    async def answer(self, call: ModelCall) -> ModelAnswer:
        """Ask once.

        A cut, refused or overflowing answer is returned, with its `stop` and its usage: it was paid for, so the journal
        must record it.

        Raises:
            ProviderError: The service failed; `retryable` says whether asking again can help.
            BudgetExceeded: (metered) The call could have crossed a ceiling.
        """
        ...
