"""A language model, as the rest asks it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, Protocol

Role = Literal["planner", "reader", "verifier", "analyst", "writer", "critic"]
Tier = Literal["fast", "smart"]
Stop = Literal["end", "length", "refusal", "context"]


@dataclass(frozen=True, slots=True)
class ModelCall:
    """One question to a model."""

    key: str
    """Names the subject; the journal's key of this call."""
    role: Role
    system: str
    """The stable part, the same for all calls of a role: providers cache it."""
    prompt: str
    max_tokens: int
    """Of the answer."""
    schema: Mapping[str, Any] | None = None
    """JSON Schema of the answer wanted; None: plain text."""
    schema_name: str = "answer"
    needs: tuple[str, ...] = ()
    """Keys of the steps whose results stand in the prompt."""


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens as the provider counted them; cached ones are part of the input."""

    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0
    cache_written_tokens: int = 0
    reasoning_tokens: int = 0


@dataclass(frozen=True, slots=True)
class ModelAnswer:
    """What came back, whole."""

    text: str
    model: str
    """`PROVIDER:NAME`."""
    usage: Usage = Usage()
    stop: Stop = "end"
    usd: float | None = None
    """None until metered, or where the price is unknown."""


class Model(Protocol):
    """One model of one provider, or a wrapper around another `Model`."""

    @property
    def name(self) -> str:
        """`PROVIDER:NAME`."""
        ...

    async def answer(self, call: ModelCall) -> ModelAnswer:
        """Ask once.

        An answer cut, refused or overflowing comes back with its `stop` and its
        usage: it was paid for, so its recorder must see it.

        Raises:
            ProviderError: The service failed; `retryable` says whether asking again can help.
            BudgetExceeded: (metered) The call could have crossed a ceiling.
        """
        ...
