"""One task put into its prompt, as a model is asked it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from deepresearch_mcp.thinkers.base import ThinkerTask
from deepresearch_mcp.thinkers.prompted.prompt_spec import FilledPrompt, PromptContext, PromptSpec


@dataclass(frozen=True, slots=True)
class Filled:
    """What `filled` made."""

    spec: PromptSpec[Any, Any, Any]
    prompt: FilledPrompt[Any, Any]

    @property
    def values(self) -> Mapping[str, str]:
        return self.prompt.values

    @property
    def limits(self) -> Any:
        return self.prompt.limits

    @property
    def max_tokens(self) -> int:
        return self.prompt.max_tokens

    def answered(self, **answer: object) -> Any:
        """What becomes of an answer."""
        assert self.spec.shape
        return self.prompt.result(self.spec.shape.model_validate(answer))


def filled(spec: PromptSpec[Any, Any, Any], task: ThinkerTask[object], share: float = 1.0) -> Filled:
    """The prompt with this share of the task's material; the run's nonce is `8f3a`, the thinker's name `m`."""
    return Filled(spec, spec.fill(task, PromptContext("8f3a", share, "m")))
