"""`deepresearch-mcp eval`: measures the engine on public data and compares the figures with their floors."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import anyio
import typer

from deepresearch_mcp.cli import lazy
from deepresearch_mcp.cli.console import emit, print_text
from deepresearch_mcp.cli.options import Json, Sets, settings_of
from deepresearch_mcp.records.eval_specs import EVALS
from deepresearch_mcp.records.specs import joined_with_or

if TYPE_CHECKING:
    from deepresearch_mcp.evals.lab import Result

FAILED = 1


def evaluate(
    name: Annotated[
        str,
        typer.Argument(metavar="NAME", help=f"{joined_with_or([spec.name for spec in EVALS])}."),
    ],
    *,
    data: Annotated[Path, typer.Option("--data", metavar="DIR", help="The folder that holds the sets.")],
    model: Annotated[
        str, typer.Option(help="auto, extractive or PROVIDER:NAME; with a model it is the model that is measured.")
    ] = "auto",
    max_usd: Annotated[float, typer.Option(min=0, help="What a model may cost in all.")] = 1.0,
    json: Json = False,
    sets: Sets = None,
) -> None:
    """Measure one part of the engine on a public set; a figure under its floor is exit code 1."""
    measure = lazy.evaluations.measure_of(name.strip())
    settings = settings_of(sets)
    result, thinker = anyio.run(lazy.measuring.measured, measure, data, settings, model, max_usd)
    under = lazy.evaluations.missed(result)
    if json:
        emit({"name": result.name, "n": result.n, **_rounded(result), "thinker": thinker, "under": under})
    else:
        print_text("\n".join(_lines(result, thinker, under)))
    if under:
        raise typer.Exit(FAILED)


def _rounded(result: "Result") -> dict[str, float]:
    return {figure: round(value, 4) for figure, value in result.figures.items()}


def _lines(result: "Result", thinker: str, under: list[str]) -> list[str]:
    figures = ", ".join(f"{figure} {value:g}" for figure, value in _rounded(result).items())
    verdict = f"Under the floor: {'; '.join(under)}." if under else "No figure is under its floor."
    return [f"{result.name} ({result.n} cases, {thinker}): {figures}", *(f"  {note}" for note in result.notes), verdict]
