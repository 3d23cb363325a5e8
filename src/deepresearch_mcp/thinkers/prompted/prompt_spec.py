"""A sheet of paper: one question to a model, ready to be asked, and how its answer is read."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from deepresearch_mcp.ports.model import Role
from deepresearch_mcp.thinkers.prompted.answers import Answer, Limits

A = TypeVar("A", bound=Answer)
R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class PromptSpec(Generic[A, R]):
    """Made anew for less material where the first does not fit the model."""

    prompt: str
    """Name of the prompt file."""
    role: Role
    values: Mapping[str, str]
    shape: type[A]
    lines: Callable[[str], A | None]
    """Reads the plain form; None: not in that form either."""
    result: Callable[[A], R | None]
    """Makes records of the answer, its local names mapped back; None: nothing in it can be used."""
    max_tokens: int
    """Room for an honest answer: a ledger holds all of it while the call runs."""
    limits: Limits = field(default_factory=dict[str, Mapping[str, int]])


SheetFor = Callable[[float], PromptSpec[A, R]]
"""The sheet with the given share (0–1) of its material."""
