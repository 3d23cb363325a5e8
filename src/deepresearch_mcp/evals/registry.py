"""Which evaluations there are, and the floors their figures are held to."""

import tomllib
from collections.abc import Awaitable, Callable, Mapping
from importlib import import_module
from importlib.resources import files
from pathlib import Path
from typing import cast

from deepresearch_mcp.evals.lab import Lab, Result
from deepresearch_mcp.evals.sets import FOLDERS
from deepresearch_mcp.exceptions import InvalidRequest

Measure = Callable[[Path, Lab], Awaitable[Result]]

_PLACES = {
    "json": ("json_cases", "measure"),
    "hotpot": ("multihop", "hotpot"),
    "musique": ("multihop", "musique"),
}
"""Evaluation → module and function, where they are not those of its own name."""


def measure_of(name: str) -> Measure:
    """The evaluation of this name; only its own module is loaded.

    Raises:
        InvalidRequest: There is none.
    """
    if name not in FOLDERS:
        raise InvalidRequest(f"There is no evaluation {name!r}.", f"There are: {', '.join(FOLDERS)}.")
    module, function = _PLACES.get(name, (name, "measure"))
    return cast("Measure", getattr(import_module(f"deepresearch_mcp.evals.{module}"), function))


def missed(result: Result, floors: Mapping[str, Mapping[str, Mapping[str, float]]] | None = None) -> list[str]:
    """One sentence for each figure that is under its floor or over its bound; a figure that is missing is under it."""
    bounds = _floors() if floors is None else floors
    found: list[str] = []
    for figure, floor in bounds.get("at_least", {}).get(result.name, {}).items():
        value = result.figures.get(figure, 0.0)
        if value < floor:
            found.append(f"{figure} is {value:.3f} and should be at least {floor:g}")
    for figure, most in bounds.get("at_most", {}).get(result.name, {}).items():
        value = result.figures.get(figure, float("inf"))
        if value > most:
            found.append(f"{figure} is {value:g} and should be at most {most:g}")
    return found


def _floors() -> Mapping[str, Mapping[str, Mapping[str, float]]]:
    return tomllib.loads(files("deepresearch_mcp.evals").joinpath("floors.toml").read_text(encoding="utf-8"))
