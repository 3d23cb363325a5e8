"""A language model that repeats the end of what it is asked. Ask it with `--model parrot:grey`."""

from typing import Self

from deepresearch_mcp.llm.parts import ModelParts
from deepresearch_mcp.ports.model import Model, ModelAnswer, ModelCall, Usage


class Parrot(Model):
    """Repeats the last line of the prompt. It has no price until the setting `model.prices` gives it one."""

    def __init__(self, name: str) -> None:
        self._name = name

    @classmethod
    def from_parts(cls, parts: ModelParts) -> Self:
        return cls(f"{parts.provider}:{parts.model}")

    @property
    def name(self) -> str:
        return self._name

    async def answer(self, call: ModelCall) -> ModelAnswer:
        lines = call.prompt.strip().splitlines()
        text = lines[-1] if lines else ""
        return ModelAnswer(text, self._name, Usage(input_tokens=len(call.prompt) // 4, output_tokens=len(text) // 4))
