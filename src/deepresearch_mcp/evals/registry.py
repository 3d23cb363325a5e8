"""Looks up evaluations by name, and checks their figures against floors and bounds; `records/specs.py` lists them."""

from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Final, cast

from deepresearch_mcp.adapters import adapter_at
from deepresearch_mcp.evals.lab import Lab, Result
from deepresearch_mcp.exceptions import InvalidRequest
from deepresearch_mcp.records.eval_specs import EVALS

Measure = Callable[[Path, Lab], Awaitable[Result]]

Floors = Mapping[str, Mapping[str, float]]
"""Evaluation → figure → floor or upper bound."""

AT_LEAST: Final[Floors] = MappingProxyType({spec.name: spec.at_least for spec in EVALS})
AT_MOST: Final[Floors] = MappingProxyType({spec.name: spec.at_most for spec in EVALS})


def measure_of(name: str) -> Measure:
    """The evaluation with this name; only its own module is loaded.

    Raises:
        InvalidRequest: There is no evaluation with this name.
    """
    place = next((spec.measure for spec in EVALS if spec.name == name), None)
    if place is None:
        known = ", ".join(spec.name for spec in EVALS)
        raise InvalidRequest(f"There is no evaluation {name!r}.", f"There are: {known}.")
    return cast("Measure", adapter_at(place))


def missed(result: Result, at_least: Floors = AT_LEAST, at_most: Floors = AT_MOST) -> list[str]:
    """One sentence for each figure below its floor or above its upper bound; a missing figure fails both."""
    found: list[str] = []
    for figure, floor in at_least.get(result.name, {}).items():
        value = result.figures.get(figure, 0.0)
        if value < floor:
            found.append(f"{figure} is {value:.3f} and should be at least {floor:g}")
    for figure, most in at_most.get(result.name, {}).items():
        value = result.figures.get(figure, float("inf"))
        if value > most:
            found.append(f"{figure} is {value:g} and should be at most {most:g}")
    return found
