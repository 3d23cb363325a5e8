"""The ports of what is kept for looking inside: prompts, and the traces that a run belongs to."""

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class PromptRow:
    """What a model was asked in one step, and what it answered."""

    key: str
    """Of the step."""
    at: float
    """Seconds since the epoch."""
    model: str
    role: str
    system: str
    prompt: str
    answer: str | None = None
    """None: there is no answer."""


class Prompts(Protocol):
    """What models were asked in runs."""

    async def keep(self, run_id: str, row: PromptRow) -> None:
        """Keep what a model is asked; a later attempt at the same step replaces it. The answer is in the step."""
        ...

    async def of(self, run_id: str) -> list[PromptRow]:
        """Return all of a run with their answers, oldest first."""
        ...


class Traces(Protocol):
    """Trace contexts of runs, as the header `traceparent` writes them."""

    async def join(self, run_id: str, parent: str) -> None:
        """Keep the context of the request that started a run; a later one changes nothing."""
        ...

    async def begin(self, run_id: str, root: str) -> tuple[str, str]:
        """Keep the context of a run's first attempt; return the caller's context and that of the first attempt.

        Both may be empty. A later attempt changes nothing.
        """
        ...
